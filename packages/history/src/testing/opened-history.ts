import { SystemGit, temporaryFolder } from '@grove/testing';
import { expect } from 'vitest';
import { type History, openHistory } from '../history.ts';
import { locateGitDir } from '../repository/locate.ts';

/** Opens the history of the vault at `root` and waits until it has taken up everything. */
export async function openCaughtUp(root: string, dir = temporaryFolder()): Promise<History> {
  const history = await openHistory({ location: (await locateGitDir(root))!, dir });
  await history.caughtUp();
  expect(history.status().problem).toBeNull();
  return history;
}

export function newRepository(): SystemGit {
  return SystemGit.init(temporaryFolder());
}

/** Everything that the history says of the notes at HEAD, and its whole log. */
export function knowledge(history: History, git: SystemGit): unknown {
  const notes = git
    .run('ls-tree', '-r', '-z', '--name-only', 'HEAD')
    .split('\0')
    .filter((path) => path.endsWith('.md'))
    .map((path) => [path, history.times(path), history.headBlob(path), history.log(path, { limit: 1000 })]);
  const { entries } = history.log(null, { limit: 10_000 });
  const commits = entries.map(({ changes, ...commit }) => ({
    ...commit,
    changes: changes.toSorted((a, b) => (a.path < b.path ? -1 : 1)),
  }));
  return { notes, commits };
}
