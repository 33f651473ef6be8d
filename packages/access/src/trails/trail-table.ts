import { Copy } from '../control-file/copy.ts';
import type { ControlStore } from '../control-file/store.ts';
import { readTrailRow, type TrailRow, writtenRules } from './trail-row.ts';

/** All trails at one moment. */
export interface TrailRows {
  /** Newest first. */
  readonly all: readonly TrailRow[];
  readonly byId: ReadonlyMap<string, TrailRow>;
}

const INSERT = `INSERT INTO trails (id, vault, name, rules, reads, writes, invite_hash, generation, created_at,
  expires_at, disabled_at, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`;
const UPDATE = `UPDATE trails SET name = ?, rules = ?, reads = ?, writes = ?, generation = ?, expires_at = ?,
  disabled_at = ? WHERE id = ?`;
const INVITE = 'UPDATE trails SET invite_hash = ? WHERE id = ?';
const USE = 'UPDATE trails SET last_used_at = max(coalesce(last_used_at, 0), ?) WHERE id = ?';
const REMOVE = 'DELETE FROM trails WHERE id = ?';

/** The rows of the trails. All of it inside a read or a change of the store. */
export class TrailTable {
  readonly #store: ControlStore;
  readonly #copy: Copy<TrailRows>;

  constructor(store: ControlStore) {
    this.#store = store;
    this.#copy = new Copy(store, () => this.#load());
  }

  /** All trails, as they are committed now. */
  rows(): TrailRows {
    return this.#copy.now();
  }

  insert(row: TrailRow): void {
    this.#store.statements.run(
      INSERT,
      row.id,
      row.vault,
      row.name,
      writtenRules(row.rules),
      row.reads,
      row.writes,
      row.inviteHash,
      row.generation,
      row.createdAt,
      row.expiresAt,
      row.disabledAt,
      row.lastUsedAt,
    );
  }

  update(row: TrailRow): void {
    const { name, rules, reads, writes, generation, expiresAt, disabledAt, id } = row;
    const values = [name, writtenRules(rules), reads, writes, generation, expiresAt, disabledAt];
    this.#store.statements.run(UPDATE, ...values, id);
  }

  replaceInvite(id: string, hash: string): void {
    this.#store.statements.run(INVITE, hash, id);
  }

  noteUse(id: string, time: number): void {
    this.#store.statements.run(USE, time, id);
  }

  remove(id: string): void {
    this.#store.statements.run(REMOVE, id);
  }

  #load(): TrailRows {
    const all = this.#store.statements
      .of('SELECT * FROM trails ORDER BY sequence DESC')
      .all()
      .map(readTrailRow);
    return { all, byId: new Map(all.map((row) => [row.id, row])) };
  }
}
