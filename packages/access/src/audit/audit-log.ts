import { type Clock, isGroveError } from '@grove/core';
import type { ControlStore } from '../control-file/store.ts';
import type { Audit, AuditDay, AuditEntry, AuditFilter, AuditPage, AuditRow, AuditSum } from './audit.ts';
import { AuditTable } from './audit-table.ts';

/** From the first entry to its writing. */
const DELAY_MS = 500;
const MOST_PENDING = 10_000;
const MOST_LISTED = 1_000;
/** How many rows one change takes away. */
const PRUNED_AT_ONCE = 2_000;
/** The longest text of an entry: names of clients come from elsewhere. */
const LONGEST_TEXT = 200;

/** The audit of one open control.db. */
export class AuditLog implements Audit {
  readonly #store: ControlStore;
  readonly #table: AuditTable;
  readonly #clock: Clock;
  #pending: AuditEntry[] = [];
  #lost = 0;
  #timer: NodeJS.Timeout | null = null;
  #closed = false;

  constructor(parts: { readonly store: ControlStore; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
    this.#table = new AuditTable(parts.store);
  }

  record(entry: AuditEntry): void {
    // An answer that was on its way when the process stopped: there is nowhere to write it down.
    if (this.#closed) return;
    if (this.#pending.length >= MOST_PENDING) this.#lost += 1;
    else this.#pending.push(bounded(entry));
    this.#schedule();
  }

  list({ before, limit = 100, ...filter }: AuditPage = {}): readonly AuditRow[] {
    this.flush();
    const most = Math.min(Math.max(Math.trunc(limit), 1), MOST_LISTED);
    return this.#store.read(() => this.#table.list(filter, before, most));
  }

  sum(filter: AuditFilter = {}): { readonly total: AuditSum; readonly days: readonly AuditDay[] } {
    this.flush();
    return this.#store.read(() => ({ total: this.#table.sum(filter), days: this.#table.days(filter) }));
  }

  prune(olderThanMs: number): number {
    let gone = 0;
    this.#store.append(() => {
      gone = this.#table.prune(this.#clock.now() - olderThanMs, PRUNED_AT_ONCE);
    });
    return gone;
  }

  flush(): void {
    this.#clearTimer();
    if (this.#pending.length === 0) return;
    try {
      this.#store.append(() => {
        for (const entry of this.#pending) this.#table.insert(entry);
        if (this.#lost > 0) this.#table.insert(this.#lossOf(this.#lost));
      });
      this.#pending = [];
      this.#lost = 0;
    } catch (error) {
      if (!isGroveError(error)) throw error;
      this.#schedule();
    }
  }

  close(): void {
    this.flush();
    this.#clearTimer();
    this.#closed = true;
  }

  #lossOf(count: number): AuditEntry {
    return {
      at: this.#clock.now(),
      principal: { kind: 'owner', id: 'owner', name: 'owner' },
      trail: null,
      client: null,
      vault: '',
      tool: 'audit',
      via: 'owner',
      ms: 0,
      found: count,
      withheld: null,
      outcome: 'entries_lost',
      address: null,
      requestId: null,
    };
  }

  #schedule(): void {
    this.#timer ??= setTimeout(() => this.flush(), DELAY_MS).unref();
  }

  #clearTimer(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

function bounded(entry: AuditEntry): AuditEntry {
  const { principal } = entry;
  return {
    ...entry,
    at: whole(entry.at) ?? 0,
    principal: { kind: short(principal.kind), id: short(principal.id), name: short(principal.name) },
    trail: shortOrNull(entry.trail),
    client: shortOrNull(entry.client),
    vault: short(entry.vault),
    tool: short(entry.tool),
    ms: Number.isFinite(entry.ms) ? entry.ms : 0,
    found: whole(entry.found),
    withheld: whole(entry.withheld),
    outcome: short(entry.outcome),
    address: shortOrNull(entry.address),
    requestId: shortOrNull(entry.requestId),
  };
}

function whole(number: number | null): number | null {
  return Number.isSafeInteger(number) ? number : null;
}

function short(text: string): string {
  return text.slice(0, LONGEST_TEXT).toWellFormed();
}

function shortOrNull(text: string | null): string | null {
  return text === null ? null : short(text);
}
