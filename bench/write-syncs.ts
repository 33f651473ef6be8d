import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { diskWriteFs, type WriteHandle } from '@grove/core';

/** One sync, on the clock of `performance.now()`. */
interface Sync {
  readonly kind: 'file' | 'ledger';
  readonly from: number;
  readonly to: number;
}

/** The syncs between two moments. */
export interface SyncFigures {
  /** Files and folders, through the port. */
  readonly files: number;
  /** Commits of the ledger that are synced. */
  readonly commits: number;
  /** Milliseconds in which at least one of them was under way. */
  readonly ms: number;
  /** Milliseconds of the ledger's alone. */
  readonly commitMs: number;
}

/**
 * Takes the time of every sync in this process from now on: those through the port over the disk, and the commits of
 * `ledger.db` while it is fully synced. Call it before a vault is opened.
 */
export function recordSyncs(): { between(from: number, to: number): SyncFigures; forget(): void } {
  let syncs: Sync[] = [];
  const record = async (work: () => Promise<void>): Promise<void> => {
    const from = performance.now();
    await work();
    syncs.push({ kind: 'file', from, to: performance.now() });
  };
  // In place: the engine asks whether it has the disk itself.
  const { create, append, sync } = diskWriteFs;
  const watched = (handle: WriteHandle): WriteHandle => ({
    ...handle,
    sync: () => record(() => handle.sync()),
  });
  diskWriteFs.create = async (path, mode) => watched(await create(path, mode));
  diskWriteFs.append = async (path, mode) => watched(await append(path, mode));
  diskWriteFs.sync = (path) => record(() => sync(path));
  const { exec } = DatabaseSync.prototype;
  const relaxed = new WeakSet<DatabaseSync>();
  DatabaseSync.prototype.exec = function (this: DatabaseSync, sql: string): void {
    if (/synchronous = NORMAL/i.test(sql)) relaxed.add(this);
    if (/synchronous = FULL/i.test(sql)) relaxed.delete(this);
    if (sql !== 'COMMIT' || relaxed.has(this) || !isLedger(this)) {
      exec.call(this, sql);
      return;
    }
    const from = performance.now();
    exec.call(this, sql);
    syncs.push({ kind: 'ledger', from, to: performance.now() });
  };
  return {
    between: (from, to) => {
      const within = syncs.filter((one) => one.from >= from && one.to <= to);
      const commits = within.filter(({ kind }) => kind === 'ledger');
      return {
        files: within.length - commits.length,
        commits: commits.length,
        ms: covered(within),
        commitMs: covered(commits),
      };
    },
    forget: () => {
      syncs = [];
    },
  };
}

function isLedger(database: DatabaseSync): boolean {
  return database.location()?.endsWith('ledger.db') === true;
}

/** Length of the union. */
function covered(syncs: readonly Sync[]): number {
  let [sum, reached] = [0, Number.NEGATIVE_INFINITY];
  for (const { from, to } of [...syncs].sort((a, b) => a.from - b.from)) {
    sum += Math.max(0, to - Math.max(from, reached));
    reached = Math.max(reached, to);
  }
  return sum;
}

/** Milliseconds of commits of one small row each, synced as the ledger's are, to a database of its own. */
export function emptyCommits(folder: string, count: number): number[] {
  const path = join(folder, 'empty.db');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA wal_autocheckpoint = 0');
  database.exec('CREATE TABLE one (id INTEGER PRIMARY KEY, value INTEGER)');
  const insert = database.prepare('INSERT OR REPLACE INTO one VALUES (1, ?)');
  const samples: number[] = [];
  for (let at = 0; at < count; at++) {
    const from = performance.now();
    insert.run(at);
    samples.push(performance.now() - from);
  }
  database.close();
  for (const suffix of ['', '-wal', '-shm']) rmSync(path + suffix, { force: true });
  return samples;
}
