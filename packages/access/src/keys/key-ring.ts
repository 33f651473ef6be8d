import { type Clock, GroveError } from '@grove/core';
import type { ControlFile } from '../control-file/control-file.ts';
import { normalizeKeyName, parseKeyName } from '../wishes/key-name.ts';
import { parseScopes } from '../wishes/scopes.ts';
import { EndedCredentials } from './ended-credentials.ts';
import { credentialOf, type KeyRow, stateOf } from './key-row.ts';
import { type KeyRows, KeyTable } from './key-table.ts';
import type { KeyFacts, Keys, KeyWish, NewKey, VerifiedKey } from './keys.ts';
import { LastUses } from './last-uses.ts';
import { hashOfToken, newKeyId, newToken } from './token.ts';

/** The keys of one open control.db. */
export class KeyRing implements Keys {
  readonly #clock: Clock;
  readonly #table: KeyTable;
  readonly #ended: EndedCredentials;
  readonly #uses: LastUses;

  constructor(file: ControlFile, clock: Clock) {
    this.#clock = clock;
    this.#table = new KeyTable(file);
    this.#ended = new EndedCredentials((credential) => this.isLive(credential));
    this.#uses = new LastUses((uses) => this.#table.writeUses(uses));
  }

  create(wish: KeyWish): NewKey {
    const now = this.#clock.now();
    const { tokenHash, ending, token } = freshToken();
    const row: KeyRow = {
      id: newKeyId(),
      name: parseKeyName(wish.name),
      vault: wish.vault,
      scopes: parseScopes(wish.scopes ?? ['read']),
      readPaths: [...(wish.readPaths ?? [])],
      writePaths: [...(wish.writePaths ?? [])],
      denyPaths: [...(wish.denyPaths ?? [])],
      createdAt: now,
      expiresAt: requireFuture(wish.expiresAt ?? null, now),
      lastUsedAt: null,
      revokedAt: null,
      ending,
      tokenHash,
      generation: 1,
    };
    this.#table.change((rows) => {
      const taken = rows.all.some(
        (other) => other.vault === row.vault && other.name === row.name && stateOf(other, now) === 'live',
      );
      if (taken) throw new GroveError('key_exists', { key: row.name });
      this.#table.insert(row);
    });
    return { key: this.#facts(row), token };
  }

  list(filter: { readonly vault?: string } = {}): readonly KeyFacts[] {
    return this.#rowsOf(filter).map((row) => this.#facts(row));
  }

  find(reference: string, filter: { readonly vault?: string } = {}): KeyFacts {
    const rows = this.#rowsOf(filter);
    const name = normalizeKeyName(reference);
    const byId = rows.find((row) => row.id === name);
    if (byId !== undefined) return this.#facts(byId);
    const named = rows.filter((row) => row.name === name).map((row) => this.#facts(row));
    const live = named.filter(({ state }) => state === 'live');
    const vaults = new Set((live.length > 0 ? live : named).map(({ vault }) => vault));
    if (vaults.size > 1) throw severalVaults(name, [...vaults]);
    const found = live[0] ?? named[0];
    if (found === undefined) throw unknownKey(reference);
    return found;
  }

  revoke(id: string): KeyFacts {
    const now = this.#clock.now();
    const row = this.#table.change((rows) => {
      const found = requireKey(rows, id);
      if (found.revokedAt !== null) return found;
      this.#table.revoke(id, now);
      return { ...found, revokedAt: now };
    });
    this.#ended.end(credentialOf(row));
    return this.#facts(row);
  }

  rotate(id: string): NewKey {
    const { token, tokenHash, ending } = freshToken();
    const { before, after } = this.#table.change((rows) => {
      const found = requireKey(rows, id);
      const state = stateOf(found, this.#clock.now());
      if (state === 'revoked') throw new GroveError('key_ended', { key: found.name });
      if (state === 'expired') throw new GroveError('key_expired', { key: found.name });
      const replaced = { ...found, tokenHash, ending, generation: found.generation + 1 };
      this.#table.replaceToken(replaced);
      return { before: found, after: replaced };
    });
    this.#ended.end(credentialOf(before));
    return { key: this.#facts(after), token };
  }

  remove(id: string): void {
    const row = this.#table.change((rows) => {
      this.#table.remove(id);
      return rows.byId.get(id);
    });
    if (row !== undefined) this.#ended.end(credentialOf(row));
  }

  verify(token: string): VerifiedKey | null {
    const hash = hashOfToken(token);
    if (hash === null) return null;
    const row = this.#table.rows().byHash.get(hash);
    const now = this.#clock.now();
    if (row === undefined || stateOf(row, now) !== 'live') return null;
    this.#uses.note(row.id, now);
    const credential = credentialOf(row);
    this.#ended.verified(credential);
    return { key: this.#facts(row), credential };
  }

  isLive(credential: string): boolean {
    const row = this.#table.rows().byCredential.get(credential);
    return row !== undefined && stateOf(row, this.#clock.now()) === 'live';
  }

  onEnded(listener: (credential: string) => void): () => void {
    return this.#ended.listen(listener);
  }

  /** Writes the last uses and lets the file go. Calling it again does nothing. */
  close(): void {
    this.#uses.close();
    this.#ended.close();
    this.#table.close();
  }

  #rowsOf({ vault }: { readonly vault?: string }): readonly KeyRow[] {
    const { all } = this.#table.rows();
    return vault === undefined ? all : all.filter((row) => row.vault === vault);
  }

  #facts(row: KeyRow): KeyFacts {
    const { tokenHash: _hash, generation: _generation, ...shown } = row;
    return {
      ...shown,
      lastUsedAt: this.#uses.latest(row.id, row.lastUsedAt),
      state: stateOf(row, this.#clock.now()),
    };
  }
}

function freshToken(): { token: string; tokenHash: string; ending: string } {
  const token = newToken();
  const tokenHash = hashOfToken(token);
  if (tokenHash === null) throw new GroveError('internal');
  return { token, tokenHash, ending: token.slice(-4) };
}

function requireFuture(expiresAt: number | null, now: number): number | null {
  if (expiresAt === null) return null;
  if (!Number.isSafeInteger(expiresAt))
    throw new GroveError('bad_input', { reason: 'the expiry is no whole number of milliseconds' });
  if (expiresAt <= now) throw new GroveError('bad_input', { reason: 'the expiry is not in the future' });
  return expiresAt;
}

function requireKey(rows: KeyRows, id: string): KeyRow {
  const row = rows.byId.get(id);
  if (row === undefined) throw unknownKey(id);
  return row;
}

function unknownKey(reference: string): GroveError {
  return new GroveError('key_unknown', { key: reference.slice(0, 80).toWellFormed() });
}

function severalVaults(name: string, vaults: readonly string[]): GroveError {
  const reason = `"${name}" names keys of several vaults (${vaults.join(', ')}); name the vault, or use the id`;
  return new GroveError('bad_input', { reason });
}
