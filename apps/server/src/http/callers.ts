import type { Credentials, Verified } from '@grove/access';
import { GroveError, isGroveError } from '@grove/core';
import type { OpenedVault, Principal } from '@grove/service';
import { trailViewRules } from '@grove/trails';
import type { ViewRules } from '@grove/vault';
import { compileRules, rulesOrNone } from '../rule-sources.ts';
import type { Caller } from './caller.ts';

/** Turns tokens into callers; a caller is kept while its token is good. */
export class Callers {
  readonly #credentials: Credentials;
  readonly #vaults: ReadonlyMap<string, OpenedVault>;
  /** By credential. Each is told of its end, so that there are never more than live credentials. */
  readonly #known = new Map<string, Caller>();
  readonly #stop: () => void;

  constructor(credentials: Credentials, vaults: readonly OpenedVault[]) {
    this.#credentials = credentials;
    this.#vaults = new Map(vaults.map((vault) => [vault.slug, vault]));
    this.#stop = credentials.onEnded((credential) => this.#endOf(credential));
  }

  /**
   * The caller behind an `Authorization` header. The token is looked up each time: a caller that was good a moment ago
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

  #verify(token: string): Verified | null {
    try {
      return this.#credentials.verify(token);
    } catch (error) {
      if (isGroveError(error) && error.status === 503) throw error;
      // What is wrong with the file is for its owner, not for whoever asks without a key that could be checked.
      throw new GroveError('keys_unavailable', {}, { cause: error });
    }
  }

  #callerOf(verified: Verified): Caller {
    const { credential, scopes, trail, client, askedToWrite } = verified;
    const opened = this.#vaults.get(verified.vault);
    if (opened === undefined) throw new GroveError('vault_unserved', { vault: verified.vault });
    const rules = rulesOf(verified);
    // The process policy holds besides: the vault was opened with it.
    const scope = opened.scope(principalOf(verified), rules, { scopes, trail: trail !== null });
    const isUnlimited = rules === undefined;
    return {
      credential,
      principal: scope.principal,
      scopes,
      isUnlimited,
      trail,
      client,
      askedToWrite,
      opened,
      scope,
    };
  }
}

function rulesOf({ trail, readPaths, writePaths, denyPaths }: Verified): ViewRules | undefined {
  if (trail !== null) return trailViewRules(trail.rules);
  return rulesOrNone(compileRules({ readPaths, writePaths, denyPaths, readOnly: false }));
}

function principalOf({ kind, id, name, trail }: Verified): Principal {
  return { kind, id, name, ...(trail === null ? {} : { trail: trail.id }) };
}
