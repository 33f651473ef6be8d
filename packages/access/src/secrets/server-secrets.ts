import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { type Clock, randomId } from '@grove/core';
import { CellReader } from '../control-file/cells.ts';
import type { ControlStore } from '../control-file/store.ts';

/** A set of private keys as JWK (RFC 7517). */
export interface KeySet {
  readonly keys: readonly Readonly<Record<string, unknown>>[];
}

/** What the server signs with, made when it is first asked for and kept. Throws the errors of control.db. */
export interface ServerSecrets {
  /** Keys that sign cookies, the one to sign with first. */
  cookieKeys(): readonly string[];
  /** The key that signs ID tokens: ES256. */
  jwks(): KeySet;
}

const INSERT = 'INSERT INTO server_secrets (name, value, created_at) VALUES (?, ?, ?)';
const SELECT = 'SELECT value FROM server_secrets WHERE name = ?';

const cell = new CellReader('secrets');

/** The secrets of one open control.db. */
export class SecretBook implements ServerSecrets {
  readonly #store: ControlStore;
  readonly #clock: Clock;

  constructor(parts: { readonly store: ControlStore; readonly clock: Clock }) {
    this.#store = parts.store;
    this.#clock = parts.clock;
  }

  cookieKeys(): readonly string[] {
    const keys = cell.textList(this.#kept('cookie_keys', () => [randomBytes(32).toString('base64url')]));
    if (keys.length === 0 || keys.some((key) => key.length < 43)) throw cell.unreadable();
    return keys;
  }

  jwks(): KeySet {
    const kept = this.#kept('jwks', () => ({ keys: [newSigningKey()] }));
    if (!isKeySet(kept)) throw cell.unreadable();
    return kept;
  }

  #kept(name: string, make: () => unknown): unknown {
    const value = this.#store.read(() => this.#read(name));
    if (value !== undefined) return value;
    return this.#store.change(() => {
      // Another process may have made it while this one waited.
      const other = this.#read(name);
      if (other !== undefined) return other;
      const made = make();
      this.#store.statements.run(INSERT, name, JSON.stringify(made), this.#clock.now());
      return made;
    });
  }

  #read(name: string): unknown {
    this.#store.refuseNewer();
    const cells = this.#store.statements.of(SELECT).get(name);
    return cells === undefined ? undefined : cell.json(cells.value);
  }
}

function newSigningKey(): Readonly<Record<string, unknown>> {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomId(), alg: 'ES256', use: 'sig' };
}

function isKeySet(value: unknown): value is KeySet {
  if (typeof value !== 'object' || value === null || !('keys' in value)) return false;
  const { keys } = value;
  return (
    Array.isArray(keys) &&
    keys.length > 0 &&
    keys.every((key) => typeof key === 'object' && key !== null && 'd' in key && key.kty === 'EC')
  );
}
