import { blobId, type VaultPath } from '@grove/core';
import type { GitStore } from '@grove/history';
import { type AddedLink, takeBack } from '../discovery/added-links.ts';
import type { FileNow, PlannedChange } from '../engine/contract.ts';
import type { KeyChange, KeyCommit } from './key-changes.ts';
import { textOf, type Undone, undoChange } from './undo-change.ts';

/** A note that stays as it is, or keeps a part of what the key wrote. */
export interface LeftNote {
  readonly path: VaultPath;
  readonly reason: string;
}

export interface PlannedRevert {
  readonly changes: readonly PlannedChange[];
  readonly left: readonly LeftNote[];
}

/** What else there is to know of the notes. */
export interface RevertGround {
  /** Those that may not be changed, with the reason. */
  readonly refused: ReadonlyMap<VaultPath, string>;
  /** Links that Grove added meanwhile, by commit, newest first. */
  readonly linked: ReadonlyMap<VaultPath, readonly (readonly AddedLink[])[]>;
}

/**
 * What the notes become without the commits of a key, newest first. Of a note that somebody changed since, as many
 * changes are undone as can be told apart, and it is named; a move is undone whole or not at all.
 *
 * @param files the notes as they are now
 */
export async function planRevert(
  store: GitStore,
  commits: readonly KeyCommit[],
  files: ReadonlyMap<VaultPath, FileNow | null>,
  { refused, linked }: RevertGround,
): Promise<PlannedRevert> {
  const left = new Map(refused);
  const texts = new Map<VaultPath, Uint8Array | null>();
  for (const [path, file] of files) texts.set(path, file?.bytes ?? null);
  const asBefore = notesAsBefore(commits, texts);
  for (const { changes, together } of commits) {
    const undone = await Promise.all(
      changes.map(async (change): Promise<readonly [VaultPath, Undone]> => {
        const { path } = change;
        const now = texts.get(path) ?? null;
        if (asBefore.has(path)) return [path, { bytes: now }];
        const reason = left.get(path);
        return [path, reason === undefined ? await undoLinked(store, change, now, linked) : { reason }];
      }),
    );
    const failed = undone.find(([, result]) => 'reason' in result);
    for (const [path, result] of undone) {
      if ('reason' in result) left.set(path, result.reason);
      else if (together && failed !== undefined && !asBefore.has(path))
        left.set(path, `it was moved, and of ${failed[0]}: ${(failed[1] as { reason: string }).reason}`);
      else texts.set(path, result.bytes);
    }
  }
  const changes: PlannedChange[] = [];
  for (const [path, file] of files) {
    const after = texts.get(path) ?? null;
    const before = file?.bytes ?? null;
    if (after === null ? before !== null : before === null || Buffer.compare(before, after) !== 0)
      changes.push({ path, after });
  }
  return { changes, left: [...left].map(([path, reason]) => ({ path, reason })) };
}

/** Where links that Grove added stand in the way, they go too. */
async function undoLinked(
  store: GitStore,
  change: KeyChange,
  now: Uint8Array | null,
  linked: RevertGround['linked'],
): Promise<Undone> {
  const undone = await undo(store, change, now);
  const text = now === null ? null : textOf(now);
  const commits = linked.get(change.path) ?? [];
  if (!('reason' in undone) || text === null || commits.length === 0) return undone;
  const unlinked = commits.reduce((left, links) => takeBack(left, links).text, text);
  const again = await undo(store, change, Buffer.from(unlinked, 'utf8'));
  return 'reason' in again ? undone : again;
}

async function undo(store: GitStore, { before, after }: KeyChange, now: Uint8Array | null): Promise<Undone> {
  return undoChange(now, await blobOf(store, before), await blobOf(store, after));
}

async function blobOf(store: GitStore, oid: string | null): Promise<Uint8Array | null> {
  // A copy: the bytes of the store are shared.
  return oid === null ? null : Buffer.from(await store.readBlob(oid));
}

/**
 * Notes that are what they were before the key's first change, and not by the key itself: an earlier revert, or
 * somebody, undid it already.
 */
function notesAsBefore(
  commits: readonly KeyCommit[],
  texts: ReadonlyMap<VaultPath, Uint8Array | null>,
): ReadonlySet<VaultPath> {
  const first = new Map<VaultPath, string | null>();
  const last = new Map<VaultPath, string | null>();
  for (const { changes } of commits)
    for (const { path, before, after } of changes) {
      first.set(path, before);
      if (!last.has(path)) last.set(path, after);
    }
  const found = new Set<VaultPath>();
  for (const [path, before] of first) {
    const now = texts.get(path) ?? null;
    const blob = now === null ? null : blobId(now);
    if (blob === before && blob !== last.get(path)) found.add(path);
  }
  return found;
}
