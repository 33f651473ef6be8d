import { inTransaction, Statements } from '@grove/core';
import { type ControlFile, READ_PATIENCE_MS } from './control-file.ts';
import { guarded } from './faults.ts';
import { refuseNewer } from './migrations.ts';

/** Reads and changes of one open control.db, and the moments at which what was read is no longer so. */
export class ControlStore {
  readonly #file: ControlFile;
  readonly #statements: Statements;
  readonly #listeners = new Set<() => void>();
  /** Counts what this connection committed; {@link state} joins it with the commits of others. */
  #own = 0;

  constructor(file: ControlFile) {
    this.#file = file;
    this.#statements = new Statements(file.database);
  }

  /** Prepared once each. Inside {@link read} and {@link change}. */
  get statements(): Statements {
    return this.#statements;
  }

  /** Reads. Throws the errors of control.db, and `control_damaged` when the file is no longer that one. */
  read<Result>(work: () => Result): Result {
    return guarded(() => {
      this.#file.requireSound();
      return work();
    });
  }

  /**
   * One change, in a transaction that sees all that others committed before. It is on disk when this returns; an
   * error of `work` leaves everything as it was.
   */
  change<Result>(work: () => Result): Result {
    const result = this.read(() => {
      const { database, changePatienceMs } = this.#file;
      database.exec(`PRAGMA busy_timeout = ${changePatienceMs}`);
      try {
        return this.#transaction(work);
      } finally {
        database.exec(`PRAGMA busy_timeout = ${READ_PATIENCE_MS}`);
      }
    });
    for (const listener of this.#listeners) listener();
    return result;
  }

  /** A change that does not wait for the disk, nor long for others: a power loss may cost it. */
  note(work: () => void): void {
    this.#unsynced(() => this.#transaction(work));
  }

  /** The same for rows of which no copy is kept: all that was read before stays true. */
  append(work: () => void): void {
    this.#unsynced(() => inTransaction(this.#file.database, work));
  }

  #unsynced(work: () => void): void {
    this.read(() => {
      const { database } = this.#file;
      database.exec('PRAGMA synchronous = NORMAL');
      try {
        work();
      } finally {
        database.exec('PRAGMA synchronous = FULL');
      }
    });
  }

  /** Hears of each {@link change} made here, once it is on disk. */
  onChanged(listener: () => void): void {
    this.#listeners.add(listener);
  }

  /**
   * Names the state of the tables: it differs after each commit, whoever made it. Inside {@link read} and
   * {@link change}.
   */
  state(): string {
    // It moves when another connection commits (https://www.sqlite.org/pragma.html#pragma_data_version).
    return `${this.#statements.of('PRAGMA data_version').get()?.data_version}:${this.#own}`;
  }

  /** Throws `control_newer` when a newer Grove has changed the tables. Inside {@link read} and {@link change}. */
  refuseNewer(): void {
    refuseNewer(this.#file.database);
  }

  close(): void {
    this.#statements.clear();
    guarded(() => this.#file.close());
  }

  #transaction<Result>(work: () => Result): Result {
    try {
      return inTransaction(this.#file.database, work);
    } finally {
      this.#own += 1;
    }
  }
}
