import type { Keys, VerifiedKey } from '@grove/access';
import { GroveError, isGroveError } from '@grove/core';
import type { OpenedVault } from '@grove/service';
import { compileRules, rulesOrNone } from '../rule-sources.ts';
import type { Caller } from './caller.ts';

/** Turns tokens into callers; a caller is kept while its token is good. */
export class Callers {
  readonly #keys: Keys;
  readonly #vaults: ReadonlyMap<string, OpenedVault>;
  /** By credential. Each is told of its end, so that there are never more than live keys. */
  readonly #known = new Map<string, Caller>();
  readonly #stop: () => void;

  constructor(keys: Keys, vaults: readonly OpenedVault[]) {
    this.#keys = keys;
    this.#vaults = new Map(vaults.map((vault) => [vault.slug, vault]));
    this.#stop = keys.onEnded((credential) => this.#endOf(credential));
  }

  /**
   * The caller behind an `Authorization` header. The key is looked up each time: a caller that was good a moment ago
   * is no proof.
   *
   * @throws GroveError `key_missing` without a bearer token; `key_invalid`; `vault_unserved`; `keys_unavailable` and
   * `control_locked` when keys cannot be read
   */
  ofHeader(authorization: string | undefined): Caller {
    const [, credentials] = /^Bearer(?:\s+(.*))?$/i.exec(authorization ?? '') ?? [];
    if (credentials === undefined || credentials === '') throw new GroveError('key_missing');
    const verified = this.#verify(credentials.trimEnd());
    if (verified === null) throw new GroveError('key_invalid');
    const known = this.#known.get(verified.credential);
    if (known !== undefined) return known;
    const caller = this.#callerOf(verified);
    this.#known.set(verified.credential, caller);
    return caller;
  }

  close(): void {
    this.#stop();
    this.#known.clear();
  }

  #endOf(credential: string): void {
    const caller = this.#known.get(credential);
    this.#known.delete(credential);
    caller?.opened.writes.confirmations.endOf(caller.scope.principal);
  }

  #verify(token: string): VerifiedKey | null {
    try {
      return this.#keys.verify(token);
    } catch (error) {
      if (isGroveError(error) && error.status === 503) throw error;
      // What is wrong with the file is for its owner, not for whoever asks without a key that could be checked.
      throw new GroveError('keys_unavailable', {}, { cause: error });
    }
  }

  #callerOf({ key, credential }: VerifiedKey): Caller {
    const opened = this.#vaults.get(key.vault);
    if (opened === undefined) throw new GroveError('vault_unserved', { vault: key.vault });
    const { readPaths, writePaths, denyPaths, scopes } = key;
    const rules = rulesOrNone(compileRules({ readPaths, writePaths, denyPaths, readOnly: false }));
    const principal = { kind: 'key' as const, id: key.id, name: key.name };
    // The process policy holds besides: the vault was opened with it.
    const scope = opened.scope(principal, rules, { scopes });
    return { credential, principal, scopes, isUnlimited: rules === undefined, opened, scope };
  }
}
