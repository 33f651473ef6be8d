import { type BigIntStats, statSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { GroveError } from '@grove/core';
import { damaged } from './faults.ts';
import { checkTables, refuseForeign, refuseNewer } from './migrations.ts';

/** How long a read waits for a lock. In WAL mode readers wait for next to nothing, and a server must not stand still. */
export const READ_PATIENCE_MS = 100;

/** An open control.db, and whether the file at its path is still that one. */
export class ControlFile {
  readonly database: DatabaseSync;
  /** How long a change waits for a lock, in milliseconds. */
  readonly changePatienceMs: number;
  readonly #path: string;
  readonly #identity: string | null;
  #lookedAt: string | null;

  constructor(database: DatabaseSync, path: string, changePatienceMs: number) {
    this.database = database;
    this.changePatienceMs = changePatienceMs;
    this.#path = path;
    const stat = this.#stat();
    this.#identity = identityOf(stat);
    this.#lookedAt = changesOf(stat);
  }

  /**
   * Throws `control_damaged` when the file was deleted, replaced or overwritten since it was opened: what this
   * connection would answer is then no longer what the owner decides. `stopping` when it was closed.
   */
  requireSound(): void {
    if (!this.database.isOpen) throw new GroveError('stopping');
    const stat = this.#stat();
    if (stat === null) throw damaged('it was deleted while Grove ran');
    if (identityOf(stat) !== this.#identity)
      throw damaged('it was replaced while Grove ran; start Grove again to use the new one');
    const changes = changesOf(stat);
    if (changes === this.#lookedAt) return;
    this.#lookAgain();
    this.#lookedAt = changes;
  }

  close(): void {
    if (this.database.isOpen) this.database.close();
  }

  /** A checkpoint writes the file now and then; whoever else did so is found by a fresh look at its pages. */
  #lookAgain(): void {
    // Never by a descriptor of our own: closing it would drop the locks of the open database
    // (https://www.sqlite.org/howtocorrupt.html, 2.2).
    const probe = new DatabaseSync(this.#path, { readOnly: true, timeout: READ_PATIENCE_MS });
    try {
      refuseForeign(probe);
      refuseNewer(probe);
      checkTables(probe);
    } finally {
      probe.close();
    }
  }

  #stat(): BigIntStats | null {
    return statSync(this.#path, { bigint: true, throwIfNoEntry: false }) ?? null;
  }
}

function identityOf(stat: BigIntStats | null): string | null {
  return stat === null ? null : `${stat.dev}:${stat.ino}`;
}

function changesOf(stat: BigIntStats | null): string | null {
  return stat === null ? null : `${stat.size}:${stat.mtimeNs}`;
}
