import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Clock } from '@grove/core';
import { configEntries, isTrue } from '../../repository/config-file.ts';
import type { GitLocation } from '../../repository/location.ts';
import { type OnePass, PassAnswers } from '../one-pass.ts';
import { pathPattern } from './path-pattern.ts';
import { StatCachedFiles } from './stat-cached-files.ts';
import type { UserSettings } from './user-settings.ts';

type Entry = [key: string, value: string];

const MAX_INCLUDES = 10;

/** Values by their key, `section.key` or `section.subsection.key`, section and key in lower case. */
export type SettingValues = ReadonlyMap<string, string>;

/** What git's configuration files say for one work tree, read anew when one of them changes. */
export class GitSettings {
  readonly #location: GitLocation;
  readonly #user: UserSettings;
  readonly #files: StatCachedFiles<Entry[]>;
  readonly #values: PassAnswers<SettingValues>;

  constructor(location: GitLocation, user: UserSettings, clock: Clock, pass: OnePass) {
    this.#location = location;
    this.#user = user;
    this.#values = new PassAnswers(pass);
    this.#files = new StatCachedFiles(clock, pass, (text) =>
      configEntries(Buffer.from(text, 'latin1').toString('utf8')),
    );
  }

  /**
   * All values; of a key that is set more than once the last counts (git-config, "FILES"). Includes are
   * followed, conditional ones where the condition is `gitdir`: what depends on a branch or on a remote is
   * passed over.
   */
  read(): SettingValues {
    return this.#values.get('', () => this.#look());
  }

  #look(): SettingValues {
    const { gitDir, commonDir } = this.#location;
    const values = new Map<string, string>();
    for (const path of [...this.#user.configs, join(commonDir, 'config')]) {
      this.#readInto(values, path, 0);
    }
    if (isTrue(values.get('extensions.worktreeconfig'))) {
      this.#readInto(values, join(gitDir, 'config.worktree'), 0);
    }
    return values;
  }

  /** A path as a configuration value means it: `~/` is the user's home, others start at `folder`. */
  expand(path: string, folder: string): string | null {
    if (path.startsWith('~/')) return this.#user.home === null ? null : join(this.#user.home, path.slice(2));
    return isAbsolute(path) ? path : resolve(folder, path);
  }

  #readInto(values: Map<string, string>, path: string, depth: number): void {
    const entries = this.#files.read(path, { followLinks: true });
    for (const [key, value] of entries ?? []) {
      values.set(key, value);
      const condition = /^includeif\.(.+)\.path$/s.exec(key)?.[1];
      const included =
        key === 'include.path' || (condition !== undefined && this.#holds(condition, dirname(path)));
      const target = included ? this.expand(value, dirname(path)) : null;
      if (target !== null && depth < MAX_INCLUDES) this.#readInto(values, target, depth + 1);
    }
  }

  /** git-config, "Conditional includes". */
  #holds(condition: string, folder: string): boolean {
    const match = /^gitdir(\/i)?:(.+)$/s.exec(condition);
    if (!match) return false;
    let pattern = match[2]!;
    if (pattern.startsWith('~/') && this.#user.home !== null) pattern = this.#user.home + pattern.slice(1);
    else if (pattern.startsWith('./')) pattern = folder + pattern.slice(1);
    else if (!pattern.startsWith('/')) pattern = `**/${pattern}`;
    if (pattern.endsWith('/')) pattern += '**';
    const bytes = (text: string) => Buffer.from(text).toString('latin1');
    return pathPattern(bytes(pattern), { foldCase: match[1] !== undefined, acrossFolders: false })(
      bytes(this.#location.gitDir),
    );
  }
}

/** True when git's configuration says so, or says nothing and that is the default. */
export function settingOn(values: SettingValues, key: string, unset: boolean): boolean {
  const value = values.get(key);
  return value === undefined ? unset : isTrue(value);
}
