import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { inTransaction, type VaultPath } from '@grove/core';
import type { EngineOutcome, FollowUp } from '../engine/contract.ts';
import type { PullRecord, PullRow, PullState } from '../pulling/pull-record.ts';
import { ledgerFault } from './faults.ts';
import { Journal } from './journal.ts';
import type { JournalRecord } from './journal-row.ts';
import { PullLog } from './pull-log.ts';

/** How long an idempotency key is remembered, in milliseconds. */
const ANSWER_AGE_MS = 24 * 60 * 60 * 1000;
/** How long the blob of a hash is remembered, in milliseconds. */
const BASE_AGE_MS = 90 * 24 * 60 * 60 * 1000;
/** Frames of the write-ahead log, of 4 KB each, above which it is taken into the database. */
const CHECKPOINT_FRAMES = 1_000;

/** What the ledger knows of a note. */
export interface NoteEntry {
  readonly sourceHash: string;
  /** Hash of the bytes that it had on disk when Grove last wrote it; another one voids the entry. */
  readonly diskHash: string;
  readonly blob: string;
  readonly commit: string;
}

/** Bytes that a note once had. */
export interface Base {
  readonly contentHash: string;
  readonly blob: string;
}

/** What is remembered of an outcome. */
export type KeptOutcome = Omit<EngineOutcome, 'replayed' | 'followUp'>;

/** A remembered answer to an idempotency key. */
export interface StoredAnswer {
  readonly bodyHash: string;
  readonly outcome: KeptOutcome;
}

/** What a finished write leaves in the ledger. */
export interface LedgerEntry {
  readonly at: number;
  readonly notes: readonly { readonly path: VaultPath; readonly note: NoteEntry | null }[];
  readonly bases: readonly { readonly path: VaultPath; readonly hash: string; readonly base: Base }[];
  readonly answer: {
    readonly principal: string;
    readonly key: string;
    readonly bodyHash: string;
    readonly outcome: KeptOutcome;
  } | null;
}

/**
 * The durable record of one vault's writes (`ledger.db`). A method that changes something returns when that is
 * synced. Every method throws `ledger_unavailable` for what SQLite refuses.
 */
export class Ledger {
  readonly #database: DatabaseSync;
  readonly #journal: Journal;
  readonly #pulls: PullLog;
  readonly #note: StatementSync;
  readonly #base: StatementSync;
  readonly #answer: StatementSync;
  readonly #followUps: StatementSync;
  readonly #writes: Record<
    'note' | 'noteGone' | 'base' | 'answer' | 'oldAnswers' | 'oldBases' | 'followUp' | 'followedUp',
    StatementSync
  >;

  constructor(database: DatabaseSync) {
    this.#database = database;
    this.#journal = new Journal(database);
    this.#pulls = new PullLog(database);
    this.#note = database.prepare('SELECT * FROM notes WHERE path = ?');
    this.#base = database.prepare('SELECT content_hash, blob FROM bases WHERE path = ? AND hash = ?');
    this.#answer = database.prepare('SELECT * FROM answers WHERE principal = ? AND key = ?');
    this.#followUps = database.prepare('SELECT id, task FROM follow_ups ORDER BY id');
    this.#writes = {
      note: database.prepare('INSERT OR REPLACE INTO notes VALUES (?, ?, ?, ?, ?)'),
      noteGone: database.prepare('DELETE FROM notes WHERE path = ?'),
      base: database.prepare('INSERT OR REPLACE INTO bases VALUES (?, ?, ?, ?, ?)'),
      answer: database.prepare('INSERT OR REPLACE INTO answers VALUES (?, ?, ?, ?, ?)'),
      oldAnswers: database.prepare('DELETE FROM answers WHERE at < ?'),
      oldBases: database.prepare('DELETE FROM bases WHERE at < ?'),
      followUp: database.prepare('INSERT OR REPLACE INTO follow_ups VALUES (?, ?)'),
      followedUp: database.prepare('DELETE FROM follow_ups WHERE id = ?'),
    };
  }

  note(path: VaultPath): NoteEntry | null {
    const row = guarded(() => this.#note.get(path));
    if (row === undefined) return null;
    return {
      sourceHash: String(row.source_hash),
      diskHash: String(row.disk_hash),
      blob: String(row.blob),
      commit: String(row.commit_id),
    };
  }

  base(path: VaultPath, hash: string): Base | null {
    const row = guarded(() => this.#base.get(path, hash));
    return row === undefined ? null : { contentHash: String(row.content_hash), blob: String(row.blob) };
  }

  /** The answer that this principal's key was given, unless it is too old. */
  answer(principal: string, key: string, now: number): StoredAnswer | null {
    const row = guarded(() => this.#answer.get(principal, key));
    if (row === undefined || Number(row.at) < now - ANSWER_AGE_MS) return null;
    return { bodyHash: String(row.body_hash), outcome: JSON.parse(String(row.outcome)) };
  }

  journalRows() {
    return guarded(() => this.#journal.rows());
  }

  get journalSize(): number {
    return guarded(() => this.#journal.size);
  }

  /** From here on the write is not forgotten. */
  begin(record: JournalRecord): number {
    return this.#transaction(() => this.#journal.insert(record));
  }

  /** After a rebuild on another tip. */
  amend(id: number, record: JournalRecord): void {
    this.#transaction(() => this.#journal.update(id, record));
  }

  /** The write is done: ledger, answer and journal say so together. */
  acknowledge(id: number, record: JournalRecord, entry: LedgerEntry): void {
    this.#transaction(() => {
      this.#enter(entry);
      this.#journal.acknowledge(id, record);
      if (record.followUp != null) this.#writes.followUp.run(id, JSON.stringify(record.followUp));
    });
  }

  /** Work that writes left for after them, oldest first. */
  followUps(): readonly FollowUp[] {
    const rows = guarded(() => this.#followUps.all());
    return rows.map(({ id, task }) => ({ id: Number(id), task: JSON.parse(String(task)) as unknown }));
  }

  /** The work is done. Lost in a power cut, it is done once more. */
  followedUp(id: number): void {
    guarded(() => this.#lazily(() => this.#writes.followedUp.run(id)));
  }

  /** What has no journal row: an answer that changed nothing, entries found again in git. */
  enter(entry: LedgerEntry): void {
    this.#transaction(() => this.#enter(entry));
  }

  /** The rows' files, objects and refs are synced, or were taken back: forgets them. */
  finish(ids: readonly number[], now: number): void {
    guarded(() => {
      // Nothing is lost when this does not reach the disk: the rows are finished once more then.
      this.#lazily(() => {
        this.#journal.delete(ids);
        this.#writes.oldAnswers.run(now - ANSWER_AGE_MS);
        this.#writes.oldBases.run(now - BASE_AGE_MS);
      });
      this.#checkpoint();
    });
  }

  /** The pull that is on its way, or null. */
  pull(): PullRow | null {
    return guarded(() => this.#pulls.row());
  }

  /** From here on the pull is not forgotten. */
  beginPull(record: PullRecord): void {
    this.#transaction(() => this.#pulls.insert(record, 'placing'));
  }

  movePull(state: PullState): void {
    this.#transaction(() => this.#pulls.setState(state));
  }

  /** The pull is done, or taken back, and all of it synced. What is known of the notes that it touched is void. */
  finishPull(touched: readonly VaultPath[]): void {
    this.#transaction(() => {
      for (const path of touched) this.#writes.noteGone.run(path);
      this.#pulls.delete();
    });
    guarded(() => this.#checkpoint());
  }

  close(): void {
    if (this.#database.isOpen) this.#database.close();
  }

  #enter(entry: LedgerEntry): void {
    const { note, noteGone, base, answer } = this.#writes;
    for (const { path, note: known } of entry.notes) {
      if (known === null) noteGone.run(path);
      else note.run(path, known.sourceHash, known.diskHash, known.blob, known.commit);
    }
    for (const { path, hash, base: found } of entry.bases)
      base.run(path, hash, found.contentHash, found.blob, entry.at);
    if (entry.answer === null) return;
    const { principal, key, bodyHash, outcome } = entry.answer;
    answer.run(principal, key, bodyHash, entry.at, JSON.stringify(outcome));
  }

  #transaction<Result>(work: () => Result): Result {
    return guarded(() => inTransaction(this.#database, work));
  }

  /** One transaction that nobody waits for until it is synced. */
  #lazily(work: () => void): void {
    this.#database.exec('PRAGMA synchronous = NORMAL');
    try {
      inTransaction(this.#database, work);
    } finally {
      this.#database.exec('PRAGMA synchronous = FULL');
    }
  }

  /** Beside the writes, so that none of them has to wait for a checkpoint of SQLite's own. */
  #checkpoint(): void {
    const state = this.#database.prepare('PRAGMA wal_checkpoint(NOOP)').get();
    if (Number(state?.log) > CHECKPOINT_FRAMES) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
}

function guarded<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw ledgerFault(error);
  }
}
