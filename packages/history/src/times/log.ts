import { GroveError } from '@grove/core';
import type { ChangeRow, CommitRow, HistoryRows } from './rows.ts';

export interface LogOptions {
  /** Only commits with an author time from here on, in milliseconds since the epoch. */
  readonly since?: number;
  /** Entries of a page; 50. */
  readonly limit?: number;
  /** `next` of the page before, for the same path. */
  readonly cursor?: string | null;
}

export interface LogChange {
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted' | 'renamed';
  /** The former path of a renamed note. */
  readonly from: string | null;
  /** Blob after the change; for a deleted note the one it had. */
  readonly blob: string;
}

export interface LogEntry {
  readonly commit: string;
  readonly author: string;
  readonly email: string;
  /** Author time in milliseconds. */
  readonly time: number;
  readonly mechanical: boolean;
  /** For one note its change; for the vault the first hundred by path id. */
  readonly changes: readonly LogChange[];
  /** All notes that the commit changed. */
  readonly changed: number;
}

export interface LogPage {
  readonly entries: readonly LogEntry[];
  /** Null on the last page. */
  readonly next: string | null;
}

const MAX_CHANGES = 100;
const NEWEST = Number.MAX_SAFE_INTEGER;

/** Commits of the whole vault, newest first. Throws `bad_cursor`. */
export function vaultLog(rows: HistoryRows, options: LogOptions): LogPage {
  const { since = -NEWEST, limit = 50 } = options;
  const [, before] = parseCursor(options.cursor);
  const commits = rows.commitsBefore(before, since, limit + 1);
  const entries = commits.slice(0, limit).map((commit) => {
    const changes = rows.changesOfCommit(commit.seq, MAX_CHANGES);
    const changed = changes.length < MAX_CHANGES ? changes.length : rows.countOfCommit(commit.seq);
    return entry(rows, commit, changes, changed);
  });
  const more = commits.length > limit;
  return { entries, next: more ? cursor(0, commits[limit - 1]!.seq) : null };
}

/** Commits that changed one note, newest first, through its exact renames. Throws `bad_cursor`. */
export function noteLog(rows: HistoryRows, path: string, options: LogOptions): LogPage {
  const { since = -NEWEST, limit = 50 } = options;
  let [id, before] = parseCursor(options.cursor);
  if (options.cursor == null) id = rows.findPath(path)?.id ?? 0;
  const entries: LogEntry[] = [];
  for (;;) {
    const [change] = rows.changesOfPathBefore(id, before, 1);
    if (change === undefined) return { entries, next: null };
    const commit = rows.commitBySeq(change.seq);
    if (commit !== null && commit.time >= since) {
      // One more is there: only now the page is known not to be the last.
      if (entries.length === limit) return { entries, next: cursor(id, before) };
      entries.push(entry(rows, commit, [change], rows.countOfCommit(commit.seq)));
    }
    before = change.seq;
    id = change.source ?? id;
  }
}

/** An entry of the log: what a commit says of itself, with these of its changes. */
export function logEntry(commit: CommitRow, changes: readonly LogChange[], changed: number): LogEntry {
  return {
    commit: commit.oid,
    author: commit.author,
    email: commit.email,
    time: commit.time,
    mechanical: commit.origin !== 'meant',
    changed,
    changes,
  };
}

function entry(
  rows: HistoryRows,
  commit: CommitRow,
  changes: readonly ChangeRow[],
  changed: number,
): LogEntry {
  const told = changes.map((change) => changeOf(rows, change));
  return logEntry(commit, told, changed);
}

function changeOf(rows: HistoryRows, { path, kind, source, blob }: ChangeRow): LogChange {
  return {
    path: rows.path(path)?.path ?? '',
    kind: source === null ? kind : 'renamed',
    from: source === null ? null : (rows.path(source)?.path ?? null),
    blob,
  };
}

function cursor(path: number, before: number): string {
  return `${path.toString(36)}.${before.toString(36)}`;
}

function parseCursor(text: string | null | undefined): [path: number, before: number] {
  if (text == null) return [0, NEWEST];
  const match = /^([0-9a-z]{1,10})\.([0-9a-z]{1,10})$/.exec(text);
  if (!match) throw new GroveError('bad_cursor');
  return [Number.parseInt(match[1]!, 36), Number.parseInt(match[2]!, 36)];
}
