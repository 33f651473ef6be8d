import type { Keys, VerifiedKey } from '@grove/access';
import { GroveError } from '@grove/core';
import type { OpenedVault } from '@grove/service';
import { compileRules, rulesOrNone } from '../local/greeting.ts';
import type { Caller } from './caller.ts';

/** Turns tokens into callers; a caller is kept while its token is good. */
export class Callers {
  readonly #keys: Keys;
  readonly #vaults: ReadonlyMap<string, OpenedVault>;
  readonly #known = new Map<string, Caller>();
  readonly #stop: () => void;

  constructor(keys: Keys, vaults: readonly OpenedVault[]) {
    this.#keys = keys;
    this.#vaults = new Map(vaults.map((vault) => [vault.slug, vault]));
    this.#stop = keys.onEnded((credential) => this.#known.delete(credential));
  }

  /**
   * The caller behind an `Authorization` header.
   *
   * @throws GroveError `key_missing`, `key_invalid`, `vault_unserved`, and what reading keys throws
   */
  ofHeader(authorization: string | undefined): Caller {
    if (authorization === undefined) throw new GroveError('key_missing');
    const token = /^Bearer +([^\s]+) *$/i.exec(authorization)?.[1];
    const verified = token === undefined ? null : this.#keys.verify(token);
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

  #callerOf({ key, credential }: VerifiedKey): Caller {
    const opened = this.#vaults.get(key.vault);
    if (opened === undefined) throw new GroveError('vault_unserved', { vault: key.vault });
    const { readPaths, writePaths, denyPaths } = key;
    const rules = rulesOrNone(
      compileRules({
        readPaths: [...readPaths],
        writePaths: [...writePaths],
        denyPaths: [...denyPaths],
        readOnly: false,
      }),
    );
    const scope = opened.scope({ kind: 'key', id: key.id, name: key.name }, rules);
    return { credential, key, opened, scope };
  }
}
