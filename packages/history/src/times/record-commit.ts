import type { Slices } from '@grove/core';
import type { GitStore } from '../git-store.ts';
import { type Commit, trailers } from '../objects/commit.ts';
import { changedNotes, type NoteChange } from './changed-notes.ts';
import { EMPTY_BLOB, live, UNBORN } from './life.ts';
import { originOf, savedTimes } from './outside-edits.ts';
import type { ChangeRow, CommitRow, HistoryRows } from './rows.ts';

/** Rows written in one transaction: a few milliseconds. */
export const SLICE_ROWS = 50;

/**
 * Takes up one commit whose parents are taken up: what it changed, and what that makes of the notes' times.
 * `parents` are those that count. A commit too large for one transaction is marked as unfinished meanwhile.
 * Ids of touched paths go into `touched`.
 */
export async function recordCommit(
  store: GitStore,
  rows: HistoryRows,
  commit: Commit,
  parents: readonly string[],
  touched: Set<number>,
  slices: Slices,
): Promise<void> {
  const tree = await store.folderTree(commit.tree);
  const parentTrees = parents.map((parent) => rows.commit(parent)?.tree ?? null);
  const changes = await changedNotes((oid) => store.treeBytes(oid), tree, parentTrees, slices);
  const seq = rows.lastSeq() + 1;
  const row: CommitRow = {
    seq,
    oid: commit.oid,
    parents,
    tree,
    author: commit.author.name,
    email: commit.author.email,
    time: commit.author.time,
    origin: originOf(commit),
  };
  // Before anything of this commit is written: former paths' lives as they were.
  const renames = await findRenames(rows, changes, isMove(commit), slices);
  const saved = row.origin === 'outside' ? savedTimes(commit) : null;
  const write = (slice: readonly NoteChange[]) => {
    for (const { path, kind, blob } of slice) {
      const { source = null, carried = null } = renames.get(path) ?? {};
      const note = rows.pathNamed(path);
      const time = saved?.get(path.normalize('NFC')) ?? null;
      rows.insertChange({ path: note.id, seq, kind, blob, time, source, carried });
      rows.setLife(note.id, live(note, { kind, blob, carried, time: time ?? row.time, origin: row.origin }));
      touched.add(note.id);
    }
  };
  const oneSlice = changes.length <= SLICE_ROWS;
  for (let start = 0; start < changes.length && !oneSlice; start += SLICE_ROWS) {
    rows.transaction(() => {
      if (start === 0) rows.setMeta('unfinished', String(seq));
      write(changes.slice(start, start + SLICE_ROWS));
    });
    if (slices.spent) await slices.rest();
  }
  rows.transaction(() => {
    if (oneSlice) write(changes);
    else rows.setMeta('unfinished', null);
    rows.insertCommit(row);
  });
}

type Rename = Pick<ChangeRow, 'source' | 'carried'>;

/**
 * Notes that came with the bytes of one that went, in the same commit, by their new path. A move of Grove's writes the
 * note's own links anew too: its commit has one note that went and one that came, whatever their bytes.
 */
async function findRenames(
  rows: HistoryRows,
  changes: readonly NoteChange[],
  isMove: boolean,
  slices: Slices,
): Promise<Map<string, Rename>> {
  const gone = new Map<string, string[]>();
  const went: string[] = [];
  const came: string[] = [];
  for (const { kind, blob, path } of changes) {
    if (slices.spent) await slices.rest();
    if (kind === 'added') came.push(path);
    if (kind !== 'deleted') continue;
    went.push(path);
    if (blob === EMPTY_BLOB) continue;
    const paths = gone.get(blob);
    if (paths === undefined) gone.set(blob, [path]);
    else paths.push(path);
  }
  const renames = new Map<string, Rename>();
  const rename = (former: string | null, path: string): void => {
    const source = former === null ? null : rows.findPath(former);
    if (source === null) return;
    const { created, modified, found } = source;
    renames.set(path, { source: source.id, carried: { created, modified, found } });
  };
  if (isMove && went.length === 1 && came.length === 1) rename(went[0]!, came[0]!);
  else if (gone.size > 0)
    for (const { kind, blob, path } of changes) {
      if (slices.spent) await slices.rest();
      if (kind === 'added') rename(takeFormer(gone.get(blob), path), path);
    }
  return renames;
}

function isMove({ message }: Commit): boolean {
  return trailers(message).get('grove-operation') === 'move';
}

/** Of several notes with the same bytes, the one that keeps its file name, else the first by path. */
function takeFormer(paths: string[] | undefined, path: string): string | null {
  if (paths === undefined || paths.length === 0) return null;
  const name = path.slice(path.lastIndexOf('/') + 1);
  const sameName = paths.findIndex((former) => former.slice(former.lastIndexOf('/') + 1) === name);
  return paths.splice(Math.max(0, sameName), 1)[0]!;
}

/** Takes a commit out again. Its paths are stale afterwards: see {@link refoldStale}. */
export async function removeCommit(rows: HistoryRows, seq: number, slices: Slices): Promise<void> {
  rows.transaction(() => {
    rows.setMeta('unfinished', String(seq));
    rows.deleteCommit(seq);
  });
  await removeUnfinished(rows, slices);
}

/** Ends what a kill interrupted: the changes of a commit that was half taken up, or half taken out, go. */
export async function removeUnfinished(rows: HistoryRows, slices: Slices): Promise<void> {
  const unfinished = rows.meta('unfinished');
  if (unfinished === null) return;
  const seq = Number(unfinished);
  for (let done = false; !done; ) {
    done = rows.transaction(() => {
      const changes = rows.changesOfCommit(seq, SLICE_ROWS);
      for (const { path } of changes) {
        rows.deleteChange(path, seq);
        rows.markStale(path);
      }
      if (changes.length === 0) rows.setMeta('unfinished', null);
      return changes.length === 0;
    });
    if (slices.spent) await slices.rest();
  }
}

/** Makes the life of every stale path anew from its changes. */
export async function refoldStale(rows: HistoryRows, touched: Set<number>, slices: Slices): Promise<void> {
  for (let id = rows.stalePath(); id !== null; id = rows.stalePath()) {
    let life = UNBORN;
    for (let after = 0; ; ) {
      const changes = rows.livedChanges(id, after, SLICE_ROWS);
      for (const change of changes) life = live(life, change);
      if (changes.length < SLICE_ROWS) break;
      after = changes.at(-1)!.seq;
      if (slices.spent) await slices.rest();
    }
    rows.setLife(id, life);
    touched.add(id);
    if (slices.spent) await slices.rest();
  }
}
