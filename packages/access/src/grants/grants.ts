import type { KeyScope } from '../wishes/scopes.ts';

/** Whom a grant speaks for: the owner, or who holds a trail. */
export type GrantAccount = 'owner' | `trail:${string}`;

/** What a grant may allow. `write` implies `read`. */
export type GrantScope = Extract<KeyScope, 'read' | 'write'>;

/** What was agreed to when a client was let in. Times are milliseconds since the epoch. */
export interface GrantFacts {
  /** The id of the provider's own Grant. */
  readonly id: string;
  readonly account: GrantAccount;
  /** The slug of its vault. */
  readonly vault: string;
  /** The id of the trail that it is bound to. */
  readonly trail: string | null;
  readonly scopes: readonly GrantScope[];
  /** The client asked for `vault:write`, whatever it was given. */
  readonly askedToWrite: boolean;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectHost: string;
  /** The address of the server that it is for. */
  readonly resource: string;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  /** `expired` when the provider keeps its Grant no longer. */
  readonly state: 'live' | 'expired' | 'revoked';
}

/** What is agreed to. */
export interface GrantWish {
  readonly grantId: string;
  /** `owner` without a trail, or `trail:` and its id. */
  readonly account: GrantAccount;
  readonly vault: string;
  readonly trailId: string | null;
  readonly scopes: readonly GrantScope[];
  readonly askedToWrite: boolean;
  readonly clientId: string;
  readonly clientName: string;
  readonly redirectHost: string;
  readonly resource: string;
}

/**
 * The grants of OAuth clients, beside the provider's own records of them. Calls see and keep as those of `Keys` do,
 * and throw the errors of control.db. A grant that expired without ever being used is as if it had never been.
 */
export interface Grants {
  /**
   * Writes down what was agreed to; for the same id again: the new terms, and the old ones end.
   *
   * @throws GroveError `bad_input` when account and trail do not fit, or the trail is not of the vault
   */
  record(wish: GrantWish): GrantFacts;
  /** All grants, or those of one vault or client, newest first; ended ones too until they are pruned. */
  list(filter?: { readonly vault?: string; readonly client?: string }): readonly GrantFacts[];
  /** The grant with this id; null for none. */
  byId(id: string): GrantFacts | null;
  /**
   * The same, of one vault where that is named.
   *
   * @throws GroveError `grant_unknown`
   */
  find(id: string, filter?: { readonly vault?: string }): GrantFacts;
  /**
   * Ends a grant for good, with every token of it. Again: the same answer.
   *
   * @throws GroveError `grant_unknown`
   */
  revoke(id: string): GrantFacts;
  /** Revokes the grants for another address than the one that this control.db was opened with; gives them. */
  revokeForeign(): readonly GrantFacts[];
  /** Takes away grants that ended, once they are this old, and those that were never used at once; the number that went. */
  prune(olderThanMs: number): number;
}
