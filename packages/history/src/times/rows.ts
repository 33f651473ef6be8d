import type { DatabaseSync, SQLOutputValue } from 'node:sqlite';
import { inTransaction, Statements } from '@grove/core';
import { type Carried, type Life, type LifeChange, type Origin, UNBORN } from './life.ts';

export interface PathRow extends Life {
  readonly id: number;
  readonly path: string;
  readonly head: string | null;
}

export interface CommitRow {
  readonly seq: number;
  readonly oid: string;
  readonly parents: readonly string[];
  /** Tree of the vault's folder, or null when the commit has no such folder. */
  readonly tree: string | null;
  readonly author: string;
  readonly email: string;
  /** Author time in milliseconds. */
  readonly time: number;
  readonly origin: Origin;
}

export interface ChangeRow {
  readonly path: number;
  readonly seq: number;
  readonly kind: 'added' | 'modified' | 'deleted';
  readonly blob: string;
  /** When the note was saved, where that is not the author time of the commit. */
  readonly time: number | null;
  /** Id of the former path, for a note that was renamed. */
  readonly source: number | null;
  readonly carried: Carried | null;
}

type Row = Record<string, SQLOutputValue>;

/** The statements of the derived history, typed. Everything is synchronous and small. */
export class HistoryRows {
  readonly #db: DatabaseSync;
  readonly #statements: Statements;

  constructor(db: DatabaseSync) {
    this.#db = db;
    this.#statements = new Statements(db);
  }

  /** Runs `work` in one transaction. */
  transaction<T>(work: () => T): T {
    return inTransaction(this.#db, work);
  }

  meta(key: string): string | null {
    return text(this.#statements.of('SELECT value FROM meta WHERE key = ?').get(key)?.value);
  }

  setMeta(key: string, value: string | null): void {
    if (value === null) this.#statements.of('DELETE FROM meta WHERE key = ?').run(key);
    else this.#statements.of('INSERT OR REPLACE INTO meta VALUES (?, ?)').run(key, value);
  }

  hasCommit(oid: string): boolean {
    return this.#statements.of('SELECT 1 FROM commits WHERE oid = ?').get(bytes(oid)) !== undefined;
  }

  commit(oid: string): CommitRow | null {
    const row = this.#statements.of('SELECT * FROM commits WHERE oid = ?').get(bytes(oid));
    return row === undefined ? null : commitRow(row);
  }

  /** Every commit from above `after` with its parents, in the order of the history. */
  commitsAfter(after: number, limit: number): CommitRow[] {
    return this.#statements
      .of('SELECT * FROM commits WHERE seq > ? ORDER BY seq LIMIT ?')
      .all(after, limit)
      .map(commitRow);
  }

  commitBySeq(seq: number): CommitRow | null {
    const row = this.#statements.of('SELECT * FROM commits WHERE seq = ?').get(seq);
    return row === undefined ? null : commitRow(row);
  }

  /** Newest first, below `before`, not older than `since`. */
  commitsBefore(before: number, since: number, limit: number): CommitRow[] {
    const sql = 'SELECT * FROM commits WHERE seq < ? AND time >= ? ORDER BY seq DESC LIMIT ?';
    return this.#statements.of(sql).all(before, since, limit).map(commitRow);
  }

  /** Former and new path of every note that was renamed, in the order of the history. */
  renames(): [former: string, path: string][] {
    const sql = `SELECT former.path AS former, now.path AS path FROM changes
      JOIN paths AS former ON former.id = changes.source JOIN paths AS now ON now.id = changes.path
      WHERE changes.source IS NOT NULL ORDER BY changes.seq, now.path`;
    return this.#statements
      .of(sql)
      .all()
      .map(({ former, path }) => [String(former), String(path)]);
  }

  lastSeq(): number {
    return Number(this.#statements.of('SELECT max(seq) AS seq FROM commits').get()?.seq ?? 0);
  }

  insertCommit(row: CommitRow): void {
    this.#statements
      .of('INSERT INTO commits VALUES (?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        row.seq,
        bytes(row.oid),
        bytes(row.parents.join('')),
        row.tree === null ? null : bytes(row.tree),
        row.author,
        row.email,
        row.time,
        row.origin,
      );
  }

  deleteCommit(seq: number): void {
    this.#statements.of('DELETE FROM commits WHERE seq = ?').run(seq);
  }

  /** The row of a path, made when it is new. */
  pathNamed(path: string): PathRow {
    const found = this.findPath(path);
    if (found !== null) return found;
    const { lastInsertRowid } = this.#statements.of('INSERT INTO paths (path) VALUES (?)').run(path);
    const id = Number(lastInsertRowid);
    return { id, path, ...UNBORN, head: null };
  }

  findPath(path: string): PathRow | null {
    const row = this.#statements.of('SELECT * FROM paths WHERE path = ?').get(path);
    return row === undefined ? null : pathRow(row);
  }

  path(id: number): PathRow | null {
    const row = this.#statements.of('SELECT * FROM paths WHERE id = ?').get(id);
    return row === undefined ? null : pathRow(row);
  }

  /** Paths at HEAD with an id above `after`, by id. */
  headPaths(after: number, limit: number): PathRow[] {
    const sql = 'SELECT * FROM paths WHERE id > ? AND head IS NOT NULL ORDER BY id LIMIT ?';
    return this.#statements.of(sql).all(after, limit).map(pathRow);
  }

  setLife(id: number, life: Life): void {
    this.#statements
      .of('UPDATE paths SET created = ?, modified = ?, found = ?, alive = ?, blob = ? WHERE id = ?')
      .run(
        life.created,
        life.modified,
        life.found ? 1 : 0,
        life.alive ? 1 : 0,
        life.blob === null ? null : bytes(life.blob),
        id,
      );
  }

  /** Says that the path's life does not fit its changes any more, until {@link setLife}. */
  markStale(id: number): void {
    this.#statements.of('UPDATE paths SET alive = 2 WHERE id = ?').run(id);
  }

  stalePath(): number | null {
    const row = this.#statements.of('SELECT id FROM paths WHERE alive = 2 LIMIT 1').get();
    return row === undefined ? null : Number(row.id);
  }

  setHead(id: number, blob: string | null): void {
    this.#statements.of('UPDATE paths SET head = ? WHERE id = ?').run(blob === null ? null : bytes(blob), id);
  }

  insertChange(row: ChangeRow): void {
    this.#statements
      .of('INSERT OR REPLACE INTO changes VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)')
      .run(
        row.path,
        row.seq,
        row.kind,
        bytes(row.blob),
        row.time,
        row.source,
        row.carried?.created ?? null,
        row.carried?.modified ?? null,
        row.carried === null ? null : Number(row.carried.found),
      );
  }

  changesOfCommit(seq: number, limit: number): ChangeRow[] {
    return this.#statements.of('SELECT * FROM changes WHERE seq = ? LIMIT ?').all(seq, limit).map(changeRow);
  }

  /** With the names of the paths, by path id from above `after`. */
  changesOfCommitAfter(
    seq: number,
    after: number,
    limit: number,
  ): (ChangeRow & { readonly name: string; readonly former: string | null })[] {
    const sql = `SELECT changes.*, paths.path AS name, former.path AS former FROM changes
      JOIN paths ON paths.id = changes.path LEFT JOIN paths AS former ON former.id = changes.source
      WHERE changes.seq = ? AND changes.path > ? ORDER BY changes.path LIMIT ?`;
    return this.#statements
      .of(sql)
      .all(seq, after, limit)
      .map((row) => ({ ...changeRow(row), name: text(row.name) ?? '', former: text(row.former) }));
  }

  /** Ids of commits that begin so, at most `limit`. `prefix` is lower-case hex. */
  commitsNamed(prefix: string, limit: number): string[] {
    const from = bytes(prefix.padEnd(40, '0'));
    const to = bytes(prefix.padEnd(40, 'f'));
    const sql = 'SELECT oid FROM commits WHERE oid BETWEEN ? AND ? ORDER BY oid LIMIT ?';
    return this.#statements
      .of(sql)
      .all(from, to, limit)
      .map(({ oid }) => hex(oid));
  }

  countOfCommit(seq: number): number {
    return Number(this.#statements.of('SELECT count(*) AS n FROM changes WHERE seq = ?').get(seq)?.n ?? 0);
  }

  /** A path's changes with what their commits say, oldest first, from above `after`. */
  livedChanges(path: number, after: number, limit: number): (LifeChange & { readonly seq: number })[] {
    const sql = `SELECT changes.*, coalesce(changes.time, commits.time) AS at, commits.origin FROM changes JOIN commits USING (seq)
      WHERE changes.path = ? AND seq > ? ORDER BY seq LIMIT ?`;
    return this.#statements
      .of(sql)
      .all(path, after, limit)
      .map((row) => ({ ...changeRow(row), time: Number(row.at), origin: row.origin as Origin }));
  }

  /** Newest first, below `before`. */
  changesOfPathBefore(path: number, before: number, limit: number): ChangeRow[] {
    const sql = 'SELECT * FROM changes WHERE path = ? AND seq < ? ORDER BY seq DESC LIMIT ?';
    return this.#statements.of(sql).all(path, before, limit).map(changeRow);
  }

  deleteChange(path: number, seq: number): void {
    this.#statements.of('DELETE FROM changes WHERE path = ? AND seq = ?').run(path, seq);
  }
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex, 'hex');
}

function hex(value: SQLOutputValue | undefined): string {
  return value instanceof Uint8Array
    ? Buffer.from(value.buffer, value.byteOffset, value.length).toString('hex')
    : '';
}

function hexOrNull(value: SQLOutputValue | undefined): string | null {
  return value == null ? null : hex(value);
}

function numberOrNull(value: SQLOutputValue | undefined): number | null {
  return value == null ? null : Number(value);
}

function text(value: SQLOutputValue | undefined): string | null {
  return typeof value === 'string' ? value : null;
}

function pathRow(row: Row): PathRow {
  return {
    id: Number(row.id),
    path: text(row.path) ?? '',
    created: numberOrNull(row.created),
    modified: numberOrNull(row.modified),
    found: row.found === 1,
    alive: row.alive === 1,
    blob: hexOrNull(row.blob),
    head: hexOrNull(row.head),
  };
}

function commitRow(row: Row): CommitRow {
  return {
    seq: Number(row.seq),
    oid: hex(row.oid),
    parents: hex(row.parents).match(/.{40}/g) ?? [],
    tree: hexOrNull(row.tree),
    author: text(row.author) ?? '',
    email: text(row.email) ?? '',
    time: Number(row.time),
    origin: row.origin as Origin,
  };
}

function changeRow(row: Row): ChangeRow {
  const created = numberOrNull(row.created);
  return {
    path: Number(row.path),
    seq: Number(row.seq),
    kind: row.kind as ChangeRow['kind'],
    blob: hex(row.blob),
    time: numberOrNull(row.time),
    source: numberOrNull(row.source),
    carried:
      row.source == null ? null : { created, modified: numberOrNull(row.modified), found: row.found === 1 },
  };
}
