import { GroveError, Slices } from '@grove/core';
import { type LogChange, type LogEntry, logEntry } from './log.ts';
import type { ChangeRow, CommitRow, HistoryRows } from './rows.ts';

/** Where a walk stands: stable names, so that it can go on when the derived file was made anew. */
export interface WalkPosition {
  readonly commit: string;
  /** The note as that commit names it; null in a walk of the whole vault. */
  readonly path: string | null;
}

export interface WalkOptions {
  /** Follows one note through its exact renames; the whole vault when null. */
  readonly path: string | null;
  /** Only commits with an author time from here on, in milliseconds since the epoch. */
  readonly since?: number;
  /** Goes on behind an entry of an earlier walk with the same options. */
  readonly after?: WalkPosition | null;
  /**
   * True for a path that may be told of; all when absent. What is not shown is not there: a commit that changed
   * nothing else is passed over, and a note that came from such a path was added.
   */
  readonly isShown?: (path: string) => boolean;
  /**
   * False where a note that came with the bytes of another is a new one: which of several it came from may depend on
   * what is not shown.
   */
  readonly followRenames?: boolean;
  /** Changes named of one commit, 100; all are counted. */
  readonly mostChanges?: number;
}

export interface WalkEntry extends LogEntry {
  readonly position: WalkPosition;
}

const NEWEST = Number.MAX_SAFE_INTEGER;
const COMMITS_AT_ONCE = 64;
const CHANGES_AT_ONCE = 256;

/**
 * Commits that changed a note, or any shown note, newest first, one after another; lets the event loop run. `rows`
 * gives the derived file as it is at the moment. Throws `bad_cursor` when `after` names no commit of the history.
 */
export async function* walkLog(
  rows: () => HistoryRows,
  {
    path,
    since = -NEWEST,
    after = null,
    isShown = () => true,
    followRenames = true,
    mostChanges = 100,
  }: WalkOptions,
): AsyncGenerator<WalkEntry> {
  const slices = new Slices();
  let before = NEWEST;
  if (after !== null) before = seqOf(rows(), after.commit);
  const bounds = { before, since, isShown, mayComeFrom: followRenames ? isShown : () => false };
  if (path !== null) yield* walkNote(rows, after?.path ?? path, bounds, slices);
  else yield* walkVault(rows, { ...bounds, mostChanges }, slices);
}

/** True when a commit of the history changed a shown note. */
export async function changesAny(
  rows: () => HistoryRows,
  oid: string,
  isShown: (path: string) => boolean,
): Promise<boolean> {
  const commit = rows().commit(oid);
  if (commit === null) return false;
  const { changed } = await shownChanges(
    rows,
    commit,
    { isShown, mayComeFrom: isShown, mostChanges: 0 },
    new Slices(),
  );
  return changed > 0;
}

function seqOf(rows: HistoryRows, commit: string): number {
  const seq = rows.commit(commit)?.seq;
  // Gone with a history that was rewritten.
  if (seq === undefined) throw new GroveError('bad_cursor');
  return seq;
}

interface Shown {
  readonly isShown: (path: string) => boolean;
  /** True for a path that a note may be told to have had before. */
  readonly mayComeFrom: (path: string) => boolean;
}

interface Bounds extends Shown {
  readonly before: number;
  readonly since: number;
}

async function* walkNote(
  rows: () => HistoryRows,
  path: string,
  { since, isShown, mayComeFrom, ...bounds }: Bounds,
  slices: Slices,
): AsyncGenerator<WalkEntry> {
  let id = rows().findPath(path)?.id ?? null;
  let { before } = bounds;
  while (id !== null) {
    const now = rows();
    const [change] = now.changesOfPathBefore(id, before, 1);
    if (change === undefined) return;
    const told = changeOf(now, change, mayComeFrom);
    const commit = now.commitBySeq(change.seq);
    if (commit !== null && commit.time >= since && isShown(told.path))
      yield entryOf(commit, [told], 1, told.path);
    if (told.kind === 'added' && change.source !== null) return;
    before = change.seq;
    id = change.source ?? id;
    if (slices.spent) await slices.rest();
  }
}

async function* walkVault(
  rows: () => HistoryRows,
  { since, isShown, mayComeFrom, mostChanges, ...bounds }: Bounds & { readonly mostChanges: number },
  slices: Slices,
): AsyncGenerator<WalkEntry> {
  let { before } = bounds;
  for (;;) {
    const commits = rows().commitsBefore(before, since, COMMITS_AT_ONCE);
    for (const commit of commits) {
      const { changes, changed } = await shownChanges(
        rows,
        commit,
        { isShown, mayComeFrom, mostChanges },
        slices,
      );
      if (changed > 0) yield entryOf(commit, changes, changed, null);
      before = commit.seq;
      if (slices.spent) await slices.rest();
    }
    if (commits.length < COMMITS_AT_ONCE) return;
  }
}

async function shownChanges(
  rows: () => HistoryRows,
  { seq }: CommitRow,
  { isShown, mayComeFrom, mostChanges }: Shown & { readonly mostChanges: number },
  slices: Slices,
): Promise<{ readonly changes: readonly LogChange[]; readonly changed: number }> {
  const changes: LogChange[] = [];
  let changed = 0;
  for (let after = 0; ; ) {
    const some = rows().changesOfCommitAfter(seq, after, CHANGES_AT_ONCE);
    for (const { former, name, ...change } of some) {
      if (!isShown(name)) continue;
      changed += 1;
      if (changes.length < mostChanges) changes.push(toldChange(change, name, former, mayComeFrom));
    }
    if (some.length < CHANGES_AT_ONCE) return { changes, changed };
    after = some.at(-1)!.path;
    if (slices.spent) await slices.rest();
  }
}

function changeOf(rows: HistoryRows, change: ChangeRow, mayComeFrom: (path: string) => boolean): LogChange {
  const former = change.source === null ? null : (rows.path(change.source)?.path ?? null);
  return toldChange(change, rows.path(change.path)?.path ?? '', former, mayComeFrom);
}

function toldChange(
  { kind, blob }: Pick<ChangeRow, 'kind' | 'blob'>,
  path: string,
  former: string | null,
  mayComeFrom: (path: string) => boolean,
): LogChange {
  return former === null || !mayComeFrom(former)
    ? { path, kind, from: null, blob }
    : { path, kind: 'renamed', from: former, blob };
}

function entryOf(
  commit: CommitRow,
  changes: readonly LogChange[],
  changed: number,
  path: string | null,
): WalkEntry {
  return { ...logEntry(commit, changes, changed), position: { commit: commit.oid, path } };
}
