import { acceptDiskPath, GroveError, type VaultPath } from '@grove/core';
import type { History, LogChange } from '@grove/history';
import type { ReadTrustedWords } from '../engine/commit/trusted-words.ts';

/** What one commit made of one note; blob ids, null where there was no note. */
export interface KeyChange {
  readonly path: VaultPath;
  readonly before: string | null;
  readonly after: string | null;
}

/** One commit of the key. */
export interface KeyCommit {
  readonly commit: string;
  readonly changes: readonly KeyChange[];
  /** True where undoing a part would leave a note twice, or none: a move. */
  readonly together: boolean;
}

const MOST_NOTES = 5000;

/**
 * What a key wrote since a moment, newest first, by the trailers that Grove signed: a commit that somebody else made,
 * rewrote or only named so is not among them, and neither is a mechanical one.
 *
 * @param key the principal as `kind:id`
 * @param since milliseconds since the epoch
 * @throws GroveError `bad_input` for more notes than one commit should change; `repository_unreadable`
 */
export async function keyChanges(
  history: History,
  trusted: ReadTrustedWords,
  key: string,
  since: number,
): Promise<readonly KeyCommit[]> {
  const commits: KeyCommit[] = [];
  const paths = new Set<VaultPath>();
  const address = `${key.replace(':', '.')}@grove.invalid`;
  for await (const entry of history.walk({ path: null, since, mostChanges: MOST_NOTES })) {
    if (entry.mechanical || entry.email !== address) continue;
    const commit = await history.store.readCommit(entry.commit);
    const words = trusted(commit);
    if (words?.key !== key || words.mechanical) continue;
    const [parent = null] = commit.parents;
    const changes: KeyChange[] = [];
    for (const change of entry.changes) changes.push(await keyChange(history, parent, change));
    for (const { path } of changes) paths.add(path);
    if (entry.changed > entry.changes.length || paths.size > MOST_NOTES)
      throw new GroveError('bad_input', {
        name: 'since',
        reason: `the key changed more than ${MOST_NOTES.toLocaleString('en')} notes since then: begin with a later moment`,
      });
    const together = (words.operation ?? '').split(', ').includes('move');
    commits.push({ commit: entry.commit, changes, together });
  }
  return commits;
}

async function keyChange(
  { store }: History,
  parent: string | null,
  { path, kind, blob }: LogChange,
): Promise<KeyChange> {
  const accepted = acceptDiskPath(path);
  if (kind === 'deleted') return { path: accepted, before: blob, after: null };
  const before = kind === 'modified' && parent !== null ? await store.blobAt(parent, path) : null;
  return { path: accepted, before: before?.oid ?? null, after: blob };
}
