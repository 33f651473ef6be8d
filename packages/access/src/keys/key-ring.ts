import { type Clock, GroveError } from '@grove/core';
import type { ControlStore } from '../control-file/store.ts';
import type { LastUses } from '../credentials/last-uses.ts';
import { newSecret } from '../credentials/secret.ts';
import { scopesOfTrail } from '../trails/trail-row.ts';
import type { TrailTable } from '../trails/trail-table.ts';
import { newId } from '../wishes/ids.ts';
import { requireFuture } from '../wishes/moment.ts';
import { normalizeName, parseName, shownName } from '../wishes/name.ts';
import { type KeyScope, parseScopes } from '../wishes/scopes.ts';
import { type KeyRow, stateOf } from './key-row.ts';
import type { KeyRows, KeyTable } from './key-table.ts';
import type { KeyFacts, KeyFilter, Keys, KeyWish, NewKey } from './keys.ts';

/** What the keys of one open control.db stand on. */
export interface KeyRingParts {
  readonly store: ControlStore;
  readonly keys: KeyTable;
  readonly trails: TrailTable;
  readonly uses: LastUses;
  readonly clock: Clock;
}

/** The keys of one open control.db. */
export class KeyRing implements Keys {
  readonly #parts: KeyRingParts;

  constructor(parts: KeyRingParts) {
    this.#parts = parts;
  }

  create(wish: KeyWish): NewKey {
    const row = {
      name: parseName('key', wish.name),
      vault: wish.vault,
      trail: null,
      scopes: parseScopes(wish.scopes ?? ['read']),
      readPaths: [...(wish.readPaths ?? [])],
      writePaths: [...(wish.writePaths ?? [])],
      denyPaths: [...(wish.denyPaths ?? [])],
      expiresAt: requireFuture(wish.expiresAt ?? null, this.#parts.clock.now()),
    };
    return this.#change(() => this.add(row));
  }

  /**
   * Makes a key or the token of a trail, inside a change of the store.
   *
   * @throws GroveError `key_exists` when a live one beside it has the name
   */
  add(wish: Omit<KeyWish, 'scopes'> & Pick<KeyRow, 'trail' | 'scopes'>): NewKey {
    const now = this.#parts.clock.now();
    const { secret, hash } = newSecret('token');
    const row: KeyRow = {
      id: newId('key'),
      name: wish.name,
      vault: wish.vault,
      trail: wish.trail,
      scopes: wish.scopes,
      readPaths: wish.readPaths ?? [],
      writePaths: wish.writePaths ?? [],
      denyPaths: wish.denyPaths ?? [],
      createdAt: now,
      expiresAt: wish.expiresAt ?? null,
      lastUsedAt: null,
      revokedAt: null,
      ending: secret.slice(-4),
      tokenHash: hash,
      generation: 1,
    };
    const taken = this.#parts.keys
      .rows()
      .all.some(
        (other) =>
          other.vault === row.vault &&
          other.trail === row.trail &&
          other.name === row.name &&
          stateOf(other, now) === 'live',
      );
    if (taken) throw new GroveError('key_exists', { key: row.name });
    this.#parts.keys.insert(row);
    return { key: this.#facts(row), token: secret };
  }

  list(filter: KeyFilter = {}): readonly KeyFacts[] {
    return this.#read(() => this.#rowsOf(filter).map((row) => this.#facts(row)));
  }

  find(reference: string, filter: KeyFilter = {}): KeyFacts {
    const { trail = null } = filter;
    const keys = this.list({ trail: 'any', ...filter });
    const name = normalizeName(reference);
    const byId = keys.find(({ id }) => id === name);
    if (byId !== undefined) return byId;
    const named = keys.filter((key) => key.name === name && (trail === 'any' || key.trail === trail));
    const live = named.filter(({ state }) => state === 'live');
    const vaults = new Set((live.length > 0 ? live : named).map(({ vault }) => vault));
    if (vaults.size > 1) throw severalVaults(name, [...vaults]);
    const found = live[0] ?? named[0];
    if (found === undefined) throw unknownKey(reference);
    return found;
  }

  revoke(id: string): KeyFacts {
    const now = this.#parts.clock.now();
    return this.#change((rows) => {
      const found = requireKey(rows, id);
      if (found.revokedAt !== null) return this.#facts(found);
      this.#parts.keys.revoke(id, now);
      return this.#facts({ ...found, revokedAt: now });
    });
  }

  rotate(id: string): NewKey {
    const { secret, hash } = newSecret('token');
    return this.#change((rows) => {
      const found = requireKey(rows, id);
      const state = stateOf(found, this.#parts.clock.now());
      if (state === 'revoked') throw new GroveError('key_ended', { key: found.name });
      if (state === 'expired') throw new GroveError('key_expired', { key: found.name });
      const replaced = {
        ...found,
        tokenHash: hash,
        ending: secret.slice(-4),
        generation: found.generation + 1,
      };
      this.#parts.keys.replaceToken(replaced);
      return { key: this.#facts(replaced), token: secret };
    });
  }

  remove(id: string): void {
    this.#change(() => this.#parts.keys.remove(id));
  }

  #read<Result>(work: () => Result): Result {
    return this.#parts.store.read(work);
  }

  #change<Result>(work: (rows: KeyRows) => Result): Result {
    const { store, keys } = this.#parts;
    return store.change(() => work(keys.rows()));
  }

  #rowsOf({ vault, trail = null }: KeyFilter): readonly KeyRow[] {
    return this.#parts.keys
      .rows()
      .all.filter(
        (row) => (vault === undefined || row.vault === vault) && (trail === 'any' || row.trail === trail),
      );
  }

  #facts(row: KeyRow): KeyFacts {
    const { tokenHash: _hash, generation: _generation, ...shown } = row;
    return {
      ...shown,
      scopes: this.#scopesOf(row),
      lastUsedAt: this.#parts.uses.latest(row.id, row.lastUsedAt),
      state: stateOf(row, this.#parts.clock.now()),
    };
  }

  #scopesOf({ scopes, trail }: KeyRow): readonly KeyScope[] {
    if (trail === null) return scopes;
    const row = this.#parts.trails.rows().byId.get(trail);
    return row === undefined ? [] : scopesOfTrail(row);
  }
}

function requireKey(rows: KeyRows, id: string): KeyRow {
  const row = rows.byId.get(id);
  if (row === undefined) throw unknownKey(id);
  return row;
}

function unknownKey(reference: string): GroveError {
  return new GroveError('key_unknown', { key: shownName(reference) });
}

function severalVaults(name: string, vaults: readonly string[]): GroveError {
  const reason = `"${name}" names keys of several vaults (${vaults.join(', ')}); name the vault, or use the id`;
  return new GroveError('bad_input', { reason });
}
