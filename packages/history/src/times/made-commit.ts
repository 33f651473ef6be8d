import type { Commit } from '../objects/commit.ts';
import { type Life, live } from './life.ts';
import { originOf, savedTimes } from './outside-edits.ts';

/** A commit that was just made on HEAD, as far as the times of its notes go. */
export interface MadeCommit extends Pick<Commit, 'message' | 'author' | 'committer'> {
  /** Vault-relative paths as git spells them, with their new blobs; null for one that is gone. */
  readonly notes: readonly { readonly path: string; readonly blob: string | null }[];
}

/** What commits made of notes, added to what is known of them. No note of theirs goes, and none was moved. */
export function* livesAfter(
  commit: MadeCommit,
  lifeOf: (path: string) => Life,
): Generator<readonly [path: string, life: Life]> {
  const origin = originOf(commit);
  const saved = origin === 'outside' ? savedTimes(commit) : null;
  for (const { path, blob } of commit.notes) {
    if (blob === null) continue;
    const life = lifeOf(path);
    const time = saved?.get(path.normalize('NFC')) ?? commit.author.time;
    const kind = life.alive ? 'modified' : 'added';
    yield [path, live(life, { kind, blob, time, origin, carried: null })];
  }
}
