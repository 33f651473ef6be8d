import { acceptDiskPath, type VaultPath } from '@grove/core';
import type { History, WalkEntry } from '@grove/history';
import { decodeNote } from '@grove/markdown';
import type { ReadTrustedWords, TrustedWords } from '../engine/commit/trusted-words.ts';
import { type AddedLink, addedLinks } from './added-links.ts';

/** `Grove-Operation` of the commits that add links, and of those that take them back. */
export const DISCOVERY = 'discovery';
export const UNDO_DISCOVERY = 'undo discovery';

const MOST_CHANGES = 5_000;

/**
 * What discovery's own commits added to each note, by where the note lies now, the newest commit first; nothing from
 * before links were taken back there. Only commits that Grove signed count.
 *
 * @param since milliseconds since the epoch; of all of the history when absent
 */
export async function discoveryCommits(
  history: History,
  trusted: ReadTrustedWords,
  since?: number,
): Promise<ReadonlyMap<VaultPath, readonly (readonly AddedLink[])[]>> {
  const found = new Map<VaultPath, (readonly AddedLink[])[]>();
  const done = new Set<VaultPath>();
  /** Where the notes of older commits lie now. */
  const moved = new Map<string, string>();
  for await (const entry of history.walk({
    path: null,
    mostChanges: MOST_CHANGES,
    ...(since === undefined ? {} : { since }),
  })) {
    const words = entry.email.endsWith('@grove.invalid')
      ? trusted(await history.store.readCommit(entry.commit))
      : null;
    const isDiscovery = words?.mechanical === true && words.operation === DISCOVERY;
    const isUndo = words?.mechanical === true && words.operation === UNDO_DISCOVERY;
    for (const { path } of isDiscovery || isUndo ? entry.changes : []) {
      const now = acceptDiskPath(moved.get(path) ?? path);
      if (isUndo) done.add(now);
      if (isUndo || done.has(now)) continue;
      const added = await addedBy(history, entry.commit, path);
      if (added.length > 0) found.set(now, [...(found.get(now) ?? []), added]);
    }
    for (const [from, to] of movesOf(entry, words)) moved.set(from, moved.get(to) ?? to);
  }
  return found;
}

async function addedBy({ store }: History, commit: string, path: string): Promise<AddedLink[]> {
  const [parent] = (await store.readCommit(commit)).parents;
  const [before, after] = await Promise.all(
    [parent, commit].map(async (at) => {
      const blob = at === undefined ? null : await store.blobAt(at, path);
      return blob === null ? null : decodeNote(await store.readBlob(blob.oid), path).text;
    }),
  );
  return before == null || after == null ? [] : addedLinks(before, after);
}

/** A note that is moved and has its own links mended is, to git, one that went and another that came. */
function movesOf({ changes }: WalkEntry, words: TrustedWords | null): (readonly [string, string])[] {
  const renamed = changes.flatMap(({ from, path }) => (from === null ? [] : [[from, path] as const]));
  const [gone, ...moreGone] = changes.filter(({ kind }) => kind === 'deleted');
  const [come, ...moreCome] = changes.filter(({ kind }) => kind === 'added');
  const isMove = words?.operation === 'move' && moreGone.length + moreCome.length === 0;
  return isMove && gone !== undefined && come !== undefined ? [...renamed, [gone.path, come.path]] : renamed;
}
