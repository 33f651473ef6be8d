import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, errorCode, GroveError } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';
import { type OnePass, PassAnswers } from '../one-pass.ts';
import {
  type AttributesFile,
  attributesOf,
  type PlacedAttributesFile,
  parseAttributesFile,
} from './attributes.ts';
import { checksOutCrlf, type EolConversion, eolConversion } from './end-of-line.ts';
import { type GitSettings, type SettingValues, settingOn } from './git-settings.ts';
import { type IgnoreFile, ignoredAt, type PlacedIgnoreFile, parseIgnoreFile } from './ignore-rules.ts';
import { StatCachedFiles } from './stat-cached-files.ts';
import type { UserSettings } from './user-settings.ts';

/** What git's own rules say of a path. */
export interface PathRules {
  /** By .gitignore, `info/exclude` or `core.excludesFile`; never true for a file that the index has. */
  readonly ignored: boolean;
  /** The path, or the outermost folder on its way, that is ignored, from the top of the work tree; tracked or not. */
  readonly ignoredAt: string | null;
  /** The driver that `filter` names (`lfs`, `git-crypt`), or null. */
  readonly filter: string | null;
  /** `$Id$` is expanded on checkout and folded on the way in. */
  readonly ident: boolean;
  /** Another encoding than UTF-8 in the work tree, or null. */
  readonly workingTreeEncoding: string | null;
  readonly eol: EolConversion;
  /** A checkout makes CRLF of its line breaks, as far as `eol` lets it. */
  readonly crlf: boolean;
  /** False where attributes take the file for one that is not merged by lines. */
  readonly mergeable: boolean;
  /** The vault-relative folder of another repository (submodule or nested clone) that holds the path, or null. */
  readonly otherRepository: string | null;
}

/** What rules ask of the index. Paths start at the top of the work tree. */
export interface RulesIndex {
  tracks(path: string): Promise<boolean>;
  /** A file's content as the index has it, or null. */
  content(path: string): Promise<Buffer | null>;
  /**
   * The .gitattributes, .gitignore or {@link EXCLUDE_FILE} that comes to this path, which then counts for the one that
   * is there: null where it goes, undefined where none comes.
   */
  coming?(path: string): Buffer | null | undefined;
}

interface RuleFiles {
  readonly ignore: StatCachedFiles<IgnoreFile>;
  readonly attributes: StatCachedFiles<AttributesFile>;
  parseAttributes(text: string): AttributesFile;
  /** The same bytes are parsed once. */
  parseIgnore(bytes: Buffer): IgnoreFile;
}

/** How {@link RulesIndex.coming} is asked for git's own `info/exclude`; no file in a work tree has that path. */
export const EXCLUDE_FILE = '.git/info/exclude';

/** Absolute path of the file in which a repository keeps rules that are nobody else's. */
export function excludePath({ commonDir }: GitLocation): string {
  return join(commonDir, 'info', 'exclude');
}

/** Reads the rule files that bear on a path: a few `lstat`s where none of them changed, each once a pass. */
export class PathRuleReader {
  readonly #location: GitLocation;
  readonly #user: UserSettings;
  readonly #settings: GitSettings;
  readonly #exact: RuleFiles;
  readonly #folding: RuleFiles;
  readonly #repositories: PassAnswers<boolean>;

  constructor(location: GitLocation, user: UserSettings, settings: GitSettings, clock: Clock, pass: OnePass) {
    this.#location = location;
    this.#user = user;
    this.#settings = settings;
    this.#exact = ruleFiles(clock, pass, false);
    this.#folding = ruleFiles(clock, pass, true);
    this.#repositories = new PassAnswers(pass);
  }

  /** The rules for a vault-relative path. Throws `repository_unwritable` when a rule file cannot be read. */
  async read(path: string, index: RulesIndex): Promise<PathRules> {
    const { prefix } = this.#location;
    const full = prefix === '' ? path : `${prefix}/${path}`;
    const values = this.#settings.read();
    const files = settingOn(values, 'core.ignorecase', false) ? this.#folding : this.#exact;
    const folders = foldersOf(full);
    const ignores = this.#ignoreFiles(files, folders, values, index);
    const other = this.#otherRepository(folders);
    const bytes = Buffer.from(full).toString('latin1');
    const ignored = ignoredAt(bytes, ignores);
    const attributes = attributesOf(bytes, await this.#attributeFiles(files, folders, values, index));
    const filter = attributes.get('filter');
    const encoding = attributes.get('working-tree-encoding');
    const configured = values.get('core.autocrlf') ?? 'false';
    const autocrlf = /^input$/i.test(configured)
      ? 'input'
      : settingOn(values, 'core.autocrlf', false)
        ? 'true'
        : 'false';
    return {
      ignored: ignored !== null && !(await index.tracks(full)),
      ignoredAt: ignored === null ? null : Buffer.from(ignored, 'latin1').toString('utf8'),
      filter: typeof filter === 'string' ? filter : null,
      ident: attributes.get('ident') === true,
      workingTreeEncoding:
        encoding === undefined || encoding === false || /^utf-?8$/i.test(`${encoding}`)
          ? null
          : `${encoding}`,
      eol: eolConversion(attributes, autocrlf),
      crlf: checksOutCrlf(attributes, autocrlf, values.get('core.eol')?.toLowerCase()),
      mergeable: attributes.get('merge') !== false,
      otherRepository: other === null || prefix === '' ? other : other.slice(prefix.length + 1),
    };
  }

  #ignoreFiles(
    files: RuleFiles,
    folders: readonly string[],
    values: SettingValues,
    { coming }: RulesIndex,
  ): PlacedIgnoreFile[] {
    const placed: PlacedIgnoreFile[] = [];
    const place = (file: IgnoreFile | null, folder = '') => {
      if (file !== null) placed.push({ file, folder: Buffer.from(folder).toString('latin1') });
    };
    const read = (name: string, path: string, followLinks: boolean) => {
      const bytes = coming?.(name);
      if (bytes === undefined) return readOrNull(files.ignore, path, followLinks);
      return bytes === null ? null : files.parseIgnore(bytes);
    };
    place(readOrNull(files.ignore, this.#ownFile(values.get('core.excludesfile'), 'ignore'), true));
    place(read(EXCLUDE_FILE, excludePath(this.#location), true));
    for (const folder of folders) {
      const name = folder === '' ? '.gitignore' : `${folder}/.gitignore`;
      place(read(name, this.#inTree(folder, '.gitignore'), false), folder);
    }
    return placed;
  }

  async #attributeFiles(
    files: RuleFiles,
    folders: readonly string[],
    values: SettingValues,
    index: RulesIndex,
  ): Promise<PlacedAttributesFile[]> {
    const placed: PlacedAttributesFile[] = [];
    const place = (file: AttributesFile | null, folder = '') => {
      const at = Buffer.from(folder).toString('latin1');
      if (file !== null) placed.push({ file, folder: at, macros: folder === '' });
    };
    place(readOrNull(files.attributes, this.#user.attributes, true));
    const own = this.#ownFile(values.get('core.attributesfile'), 'attributes');
    place(readOrNull(files.attributes, own, true));
    for (const folder of folders) {
      const coming = index.coming?.(folder === '' ? '.gitattributes' : `${folder}/.gitattributes`);
      if (coming !== undefined) {
        place(coming === null ? null : files.parseAttributes(coming.toString('latin1')), folder);
        continue;
      }
      const file = readOrNull(files.attributes, this.#inTree(folder, '.gitattributes'), false);
      place(file ?? (await indexedAttributes(files, folder, index)), folder);
    }
    const info = join(this.#location.commonDir, 'info', 'attributes');
    place(readOrNull(files.attributes, info, true));
    return placed;
  }

  /** A file that configuration names, else the one in the user's folder of git's. */
  #ownFile(configured: string | undefined, name: string): string | null {
    if (configured !== undefined) return this.#settings.expand(configured, this.#location.workTreeRoot);
    return this.#user.folder === null ? null : join(this.#user.folder, name);
  }

  #inTree(folder: string, name: string): string {
    return join(this.#location.workTreeRoot, folder, name);
  }

  #otherRepository(folders: readonly string[]): string | null {
    const holdsOne = (folder: string) => isThere(this.#inTree(folder, '.git'));
    const found = folders.slice(1).find((folder) => this.#repositories.get(folder, () => holdsOne(folder)));
    return found ?? null;
  }
}

/** As git does, for a file that is missing in the work tree alone. */
async function indexedAttributes(
  files: RuleFiles,
  folder: string,
  index: RulesIndex,
): Promise<AttributesFile | null> {
  const content = await index.content(folder === '' ? '.gitattributes' : `${folder}/.gitattributes`);
  return content === null ? null : files.parseAttributes(content.toString('latin1'));
}

/**
 * Throws for a path that Grove must not write: `git_ignored`, `git_in_submodule`, `git_filter_unsupported`
 * (a filter such as LFS or git-crypt, `ident`, `working-tree-encoding`).
 */
export function refuseUnwritable(path: string, rules: PathRules): void {
  if (rules.otherRepository !== null) {
    throw new GroveError('git_in_submodule', { path, folder: rules.otherRepository });
  }
  if (rules.ignored) throw new GroveError('git_ignored', { path });
  const reason =
    rules.filter !== null
      ? `filter=${rules.filter}`
      : rules.ident
        ? 'ident'
        : rules.workingTreeEncoding !== null
          ? `working-tree-encoding=${rules.workingTreeEncoding}`
          : null;
  if (reason !== null) throw new GroveError('git_filter_unsupported', { path, reason });
}

function ruleFiles(clock: Clock, pass: OnePass, foldCase: boolean): RuleFiles {
  const parseAttributes = (text: string) => parseAttributesFile(text, foldCase);
  const parsed = new WeakMap<Buffer, IgnoreFile>();
  const parseIgnore = (bytes: Buffer) => {
    const file = parsed.get(bytes) ?? parseIgnoreFile(bytes.toString('latin1'), foldCase);
    parsed.set(bytes, file);
    return file;
  };
  return {
    ignore: new StatCachedFiles(clock, pass, (text) => parseIgnoreFile(text, foldCase)),
    attributes: new StatCachedFiles(clock, pass, parseAttributes),
    parseAttributes,
    parseIgnore,
  };
}

function readOrNull<Parsed extends object>(
  files: StatCachedFiles<Parsed>,
  path: string | null,
  followLinks: boolean,
): Parsed | null {
  return path === null ? null : files.read(path, { followLinks });
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch (error) {
    // A file stands where a folder of the path shall come.
    if (errorCode(error) === 'ENOTDIR') return false;
    throw error;
  }
}

/** The folders that hold a path, from the top (`''`) down. */
function foldersOf(path: string): string[] {
  const folders = [''];
  for (let folder = dirname(path); folder !== '.'; folder = dirname(folder)) folders.splice(1, 0, folder);
  return folders;
}
