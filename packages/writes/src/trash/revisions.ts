import type { VaultPath } from '@grove/core';
import { type Commit, type GitLocation, openGitStore } from '@grove/history';

/** Commits that are looked at for a revision before it counts as unknown. */
const MOST_COMMITS = 100_000;

/** `<commit>`, a prefix of seven digits or more, each with `^` for the commit before it; `HEAD`, `HEAD~2`. */
const REVISION = /^(?:(HEAD)|([0-9a-f]{7,40}))(?:(\^)|~(\d{1,5}))?$/i;

/**
 * The bytes that a note had at a revision of the vault's own history, or null when there are none. A commit that HEAD
 * does not come from is none of it, whatever the object database holds.
 *
 * @param revision a commit id or its first digits, `HEAD`, each with `^` or `~n` for the nth commit before it
 * @throws GroveError `repository_unreadable`
 * @example await bytesAtRevision(location, path, '1f0c3b2^')
 */
export async function bytesAtRevision(
  location: GitLocation,
  path: VaultPath,
  revision: string,
): Promise<Buffer | null> {
  const match = REVISION.exec(revision.trim());
  if (match === null) return null;
  const [, head, digits = '', caret, count] = match;
  await using store = await openGitStore(location);
  const tip = (await store.resolveHead()).oid;
  if (tip === null) return null;
  const shallow = await store.shallowCommits();
  const read = async (oid: string): Promise<Commit> => {
    const commit = await store.readCommit(oid);
    return shallow.has(oid) ? { ...commit, parents: [] } : commit;
  };
  const found = head === undefined ? await findAncestor(read, tip, digits.toLowerCase()) : tip;
  let commit: string | null = found;
  for (let back = caret === undefined ? Number(count ?? 0) : 1; back > 0 && commit !== null; back -= 1)
    commit = (await read(commit)).parents[0] ?? null;
  return commit === null ? null : ((await store.blobAt(commit, path))?.bytes ?? null);
}

/** The nearest commit in the history of `tip` whose id begins so. */
async function findAncestor(
  read: (oid: string) => Promise<Commit>,
  tip: string,
  digits: string,
): Promise<string | null> {
  const seen = new Set([tip]);
  let level = [tip];
  while (level.length > 0 && seen.size < MOST_COMMITS) {
    const next: string[] = [];
    for (const oid of level) {
      if (oid.startsWith(digits)) return oid;
      for (const parent of (await read(oid)).parents) {
        if (seen.has(parent)) continue;
        seen.add(parent);
        next.push(parent);
      }
    }
    level = next;
  }
  return null;
}
