import { type Clock, GroveError } from '@grove/core';
import type { ControlStore } from '../control-file/store.ts';
import type { LastUses } from '../credentials/last-uses.ts';
import { hashOfSecret, newSecret } from '../credentials/secret.ts';
import type { GrantTable } from '../grants/grant-table.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { stateOf } from '../keys/key-row.ts';
import type { KeyTable } from '../keys/key-table.ts';
import type { NewKey } from '../keys/keys.ts';
import { newId } from '../wishes/ids.ts';
import { requireFuture } from '../wishes/moment.ts';
import { normalizeName, parseName, shownName } from '../wishes/name.ts';
import { stateOfTrail, type TrailRow } from './trail-row.ts';
import type { TrailTable } from './trail-table.ts';
import type { NewTrail, TrailChange, TrailFacts, Trails, TrailWish } from './trails.ts';

/** What the trails of one open control.db stand on. */
export interface TrailBookParts {
  readonly store: ControlStore;
  readonly trails: TrailTable;
  readonly keys: KeyTable;
  readonly ring: KeyRing;
  readonly grants: GrantTable;
  readonly uses: LastUses;
  readonly clock: Clock;
}

/** The trails of one open control.db. */
export class TrailBook implements Trails {
  readonly #parts: TrailBookParts;

  constructor(parts: TrailBookParts) {
    this.#parts = parts;
  }

  create(wish: TrailWish): NewTrail {
    const now = this.#parts.clock.now();
    const invite = newSecret('invite');
    const row: TrailRow = {
      id: newId('trail'),
      name: parseName('trail', wish.name),
      vault: wish.vault,
      rules: wish.rules,
      reads: requireCount('reads', wish.reads ?? 60),
      writes: requireCount('writes', wish.writes ?? 0),
      createdAt: now,
      expiresAt: requireFuture(wish.expiresAt ?? null, now),
      disabledAt: null,
      lastUsedAt: null,
      inviteHash: invite.hash,
      generation: 1,
    };
    const { token } = this.#parts.store.change(() => {
      this.#requireFree(row);
      this.#parts.trails.insert(row);
      return this.#addToken(row, 'token');
    });
    return { trail: this.#facts(row), token, invite: invite.secret };
  }

  list({ vault }: { readonly vault?: string } = {}): readonly TrailFacts[] {
    return this.#parts.store.read(() =>
      this.#parts.trails
        .rows()
        .all.filter((row) => vault === undefined || row.vault === vault)
        .map((row) => this.#facts(row)),
    );
  }

  byId(id: string): TrailFacts | null {
    const row = this.#parts.store.read(() => this.#parts.trails.rows().byId.get(id));
    return row === undefined ? null : this.#facts(row);
  }

  find(reference: string, filter: { readonly vault?: string } = {}): TrailFacts {
    const trails = this.list(filter);
    const name = normalizeName(reference);
    const byId = trails.find(({ id }) => id === name);
    if (byId !== undefined) return byId;
    const [found, ...others] = trails.filter((trail) => trail.name === name);
    if (found === undefined) throw unknownTrail(reference);
    if (others.length > 0)
      throw new GroveError('bad_input', {
        reason: `"${name}" names trails of several vaults (${[found, ...others].map(({ vault }) => vault).join(', ')}); name the vault, or use the id`,
      });
    return found;
  }

  update(id: string, change: TrailChange): TrailFacts {
    const now = this.#parts.clock.now();
    return this.#changeRow(id, (row) => {
      const name = change.name === undefined ? row.name : parseName('trail', change.name);
      const changed: TrailRow = {
        ...row,
        name,
        rules: change.rules ?? row.rules,
        reads: requireCount('reads', change.reads ?? row.reads),
        writes: requireCount('writes', change.writes ?? row.writes),
        expiresAt: change.expiresAt === undefined ? row.expiresAt : requireFuture(change.expiresAt, now),
      };
      this.#requireFree(changed);
      return changed;
    });
  }

  disable(id: string): TrailFacts {
    const now = this.#parts.clock.now();
    return this.#changeRow(id, (row) => ({ ...row, disabledAt: row.disabledAt ?? now }));
  }

  enable(id: string): TrailFacts {
    return this.#changeRow(id, (row) => ({ ...row, disabledAt: null }));
  }

  remove(id: string): void {
    const { store, trails, keys, grants } = this.#parts;
    store.change(() => {
      grants.removeOfTrail(id);
      keys.removeOfTrail(id);
      trails.remove(id);
    });
  }

  newToken(id: string, name?: string): NewKey {
    const wanted = name === undefined ? null : parseName('key', name);
    return this.#parts.store.change(() => {
      const row = this.#require(id);
      return this.#addToken(row, wanted ?? this.#freeTokenName(id));
    });
  }

  newInvite(id: string): string {
    const { secret, hash } = newSecret('invite');
    this.#parts.store.change(() => {
      this.#require(id);
      this.#parts.trails.replaceInvite(id, hash);
    });
    return secret;
  }

  byInvite(secret: string): TrailFacts | null {
    const hash = hashOfSecret('invite', secret);
    if (hash === null) return null;
    return this.#parts.store.read(() => {
      const row = this.#parts.trails.rows().all.find(({ inviteHash }) => inviteHash === hash);
      if (row === undefined || stateOfTrail(row, this.#parts.clock.now()) !== 'live') return null;
      return this.#facts(row);
    });
  }

  #changeRow(id: string, change: (row: TrailRow) => TrailRow): TrailFacts {
    const row = this.#parts.store.change(() => {
      const before = this.#require(id);
      const after = change(before);
      if (isSame(before, after)) return before;
      const changed = { ...after, generation: before.generation + 1 };
      this.#parts.trails.update(changed);
      return changed;
    });
    return this.#facts(row);
  }

  #require(id: string): TrailRow {
    const row = this.#parts.trails.rows().byId.get(id);
    if (row === undefined) throw unknownTrail(id);
    return row;
  }

  #requireFree({ id, vault, name }: TrailRow): void {
    const { all } = this.#parts.trails.rows();
    if (all.some((other) => other.id !== id && other.vault === vault && other.name === name))
      throw new GroveError('trail_exists', { trail: name });
  }

  #addToken({ id, vault }: TrailRow, name: string): NewKey {
    return this.#parts.ring.add({ name, vault, trail: id, scopes: [] });
  }

  #freeTokenName(id: string): string {
    const now = this.#parts.clock.now();
    const taken = new Set(
      this.#parts.keys
        .rows()
        .all.filter((row) => row.trail === id && stateOf(row, now) === 'live')
        .map(({ name }) => name),
    );
    let name = 'token';
    for (let number = 2; taken.has(name); number += 1) name = `token ${number}`;
    return name;
  }

  #facts(row: TrailRow): TrailFacts {
    return trailFacts(row, this.#parts.uses.latest(row.id, row.lastUsedAt), this.#parts.clock.now());
  }
}

/** A row as it may be shown. */
export function trailFacts(row: TrailRow, lastUsedAt: number | null, now: number): TrailFacts {
  const { inviteHash: _hash, generation: _generation, ...shown } = row;
  return { ...shown, lastUsedAt, state: stateOfTrail(row, now) };
}

function isSame(one: TrailRow, other: TrailRow): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function requireCount(name: string, count: number): number {
  if (!Number.isSafeInteger(count) || count < 0 || count > 1_000_000)
    throw new GroveError('bad_input', {
      name,
      reason: `"${name}" is a whole number of calls a minute, from 0 to 1000000`,
    });
  return count;
}

function unknownTrail(reference: string): GroveError {
  return new GroveError('trail_unknown', { trail: shownName(reference) });
}
