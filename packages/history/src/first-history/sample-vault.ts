import { mkdir, readdir, readFile, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Clock, errorCode, randomId } from '@grove/core';
import { initGitDir } from '../repository/initialise.ts';
import { type ImportedCommit, importHistory } from './import-history.ts';

/** `history.json` of a sample vault. */
interface SampleHistory {
  readonly author: { readonly name: string; readonly email: string };
  readonly commits: readonly {
    readonly daysAgo: number;
    /** Local time of day, `HH:MM`. */
    readonly at: string;
    readonly message: string;
    /** Path in the vault -> file of the sample that holds its content then; null removes it. */
    readonly files: Readonly<Record<string, string | null>>;
  }[];
}

/**
 * Installs a sample vault as a repository of its own, with a history that ends yesterday: `{{day -9}}` in
 * paths and texts becomes the date of nine days ago. The folder appears whole or not at all. A `target` that
 * holds anything is left as it is: it is the user's by now.
 *
 * `from` holds `history.json` and the files that it names.
 *
 * @example await installSampleVault({ from: 'apps/cli/sample-vault', target: `${data}/sample-vault`, clock })
 */
export async function installSampleVault(options: {
  from: string;
  target: string;
  clock: Clock;
}): Promise<void> {
  const { from, target, clock } = options;
  if (!(await isEmpty(target))) return;
  const history: SampleHistory = JSON.parse(await readFile(join(from, 'history.json'), 'utf8'));
  const now = clock.now();
  const commits: ImportedCommit[] = [];
  for (const { daysAgo, at, message, files } of history.commits) {
    const changed: { path: string; content: Uint8Array | null }[] = [];
    for (const [path, source] of Object.entries(files)) {
      const text = source === null ? null : await readFile(join(from, ...source.split('/')), 'utf8');
      changed.push({
        path: fillDays(path, now),
        content: text === null ? null : Buffer.from(fillDays(text, now)),
      });
    }
    const time = Math.min(timeOfDay(now, -daysAgo, at), now);
    commits.push({ message, author: history.author, time, files: changed });
  }
  const fresh = `${target}.${randomId()}.new`;
  try {
    await mkdir(fresh, { recursive: true });
    const location = await initGitDir(join(fresh, '.git'), { workTree: fresh });
    await importHistory(location, commits);
    await moveInto(fresh, target);
  } finally {
    await rm(fresh, { recursive: true, force: true });
  }
}

/** Renames the finished folder into place; when another process was first, its vault stands. */
async function moveInto(fresh: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  try {
    // Windows renames onto nothing that exists, not even an empty folder.
    await rmdir(target);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTEMPTY') throw error;
  }
  try {
    await rename(fresh, target);
  } catch (error) {
    if (await isEmpty(target)) throw error;
  }
}

async function isEmpty(folder: string): Promise<boolean> {
  try {
    return (await readdir(folder)).length === 0;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return true;
    throw error;
  }
}

function fillDays(text: string, now: number): string {
  return text.replaceAll(/\{\{day (-?\d+)\}\}/g, (_, days: string) => {
    const date = new Date(timeOfDay(now, Number(days), '12:00'));
    const digits = (value: number, length: number) => String(value).padStart(length, '0');
    return [digits(date.getFullYear(), 4), digits(date.getMonth() + 1, 2), digits(date.getDate(), 2)].join(
      '-',
    );
  });
}

function timeOfDay(now: number, days: number, at: string): number {
  const today = new Date(now);
  const [hours = 0, minutes = 0] = at.split(':').map(Number);
  return new Date(today.getFullYear(), today.getMonth(), today.getDate() + days, hours, minutes).getTime();
}
