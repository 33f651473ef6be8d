import { statSync } from 'node:fs';
import { type Control, openControl } from '@grove/access';
import { isGroveError, systemClock } from '@grove/core';
import type { AuditBook, Log } from '@grove/server';

/**
 * The audit of a process that is no server: in the same control.db, opened with the first call, since most sessions pass
 * their calls on to whoever owns the vault. Where it cannot be opened, calls are served and not written down, as the log
 * says; nor are they in the data folder of another user, whose server could no longer open what was made in it.
 */
export class OwnAudit implements AuditBook {
  readonly #dataDir: string;
  readonly #log: Log;
  /** Undefined until it is asked for; null where there is none. */
  #control: Control | null | undefined;

  constructor(dataDir: string, log: Log) {
    this.#dataDir = dataDir;
    this.#log = log;
  }

  record(entry: Parameters<AuditBook['record']>[0]): void {
    if (this.#control === undefined) this.#control = this.#open();
    this.#control?.audit.record(entry);
  }

  flush(): void {
    this.#control?.audit.flush();
  }

  close(): void {
    this.#control?.close();
    this.#control = null;
  }

  #open(): Control | null {
    const user = process.getuid?.();
    const folder = statSync(this.#dataDir, { throwIfNoEntry: false });
    if (user !== undefined && folder !== undefined && folder.uid !== user) {
      this.#log.warn('calls are not written down: the data folder is of another user');
      return null;
    }
    try {
      return openControl({ dataDir: this.#dataDir, clock: systemClock });
    } catch (error) {
      if (!isGroveError(error)) throw error;
      this.#log.warn({ err: error }, 'calls are not written down');
      return null;
    }
  }
}
