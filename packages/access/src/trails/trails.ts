import type { TrailRules } from '@grove/trails';
import type { NewKey } from '../keys/keys.ts';

/** One trail: a part of a vault that is shared. Times are milliseconds since the epoch. */
export interface TrailFacts {
  /** `t_` and 12 characters of base64url. */
  readonly id: string;
  /** Unique among the trails of its vault. */
  readonly name: string;
  /** The slug of its vault. */
  readonly vault: string;
  readonly rules: TrailRules;
  /** Calls a minute that read; 0 for no limit. */
  readonly reads: number;
  /** Calls a minute that write; 0 for none: the trail is then only read. */
  readonly writes: number;
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly disabledAt: number | null;
  /** The last use of any of its tokens or grants. */
  readonly lastUsedAt: number | null;
  /** An expired trail stays that when it is disabled too. */
  readonly state: 'live' | 'disabled' | 'expired';
}

/** A trail to be made. The rules were parsed by `parseTrailRules`. */
export interface TrailWish {
  readonly name: string;
  readonly vault: string;
  readonly rules: TrailRules;
  /** Default: 60. */
  readonly reads?: number;
  /** Default: 0. */
  readonly writes?: number;
  /** Milliseconds since the epoch; null, the default, for a trail that does not expire. */
  readonly expiresAt?: number | null;
}

/** What of a trail shall be otherwise; what is left out stays. */
export type TrailChange = { readonly [Part in keyof Omit<TrailWish, 'vault'>]?: TrailWish[Part] | undefined };

/** A trail just made. Both secrets are nowhere kept: this is the one time that they can be shown. */
export interface NewTrail {
  readonly trail: TrailFacts;
  /** A token as keys have it: `grove_` and 32 random bytes in base64url. */
  readonly token: string;
  /** The secret of the invite link: `invite_` and 32 random bytes in base64url. */
  readonly invite: string;
}

/**
 * The trails of all vaults of one data folder. Each call sees what other processes have committed, and is on disk
 * when it returns; a change ends at once what was opened with the trail before. Throws beside its own errors as
 * `Keys` does.
 */
export interface Trails {
  /**
   * Makes a trail, with a first token and an invite.
   *
   * @throws GroveError `trail_exists` when a trail of the vault has the name; `bad_input`
   * @example trails.create({ name: 'Book club', vault: 'notes', rules: parseTrailRules({ allowTags: ['books'] }) })
   */
  create(wish: TrailWish): NewTrail;
  /** All trails, or those of one vault, newest first. */
  list(filter?: { readonly vault?: string }): readonly TrailFacts[];
  /** The trail with this id; null for none. */
  byId(id: string): TrailFacts | null;
  /**
   * The trail with this id, or else this name.
   *
   * @throws GroveError `trail_unknown`; `bad_input` when trails of several vaults have the name
   */
  find(reference: string, filter?: { readonly vault?: string }): TrailFacts;
  /**
   * Changes a trail.
   *
   * @throws GroveError `trail_unknown`; `trail_exists`; `bad_input`
   */
  update(id: string, change: TrailChange): TrailFacts;
  /**
   * Lets nobody in by the trail until it is enabled. Again: the same answer.
   *
   * @throws GroveError `trail_unknown`
   */
  disable(id: string): TrailFacts;
  /**
   * Lets in again who had a token or a grant. Again: the same answer.
   *
   * @throws GroveError `trail_unknown`
   */
  enable(id: string): TrailFacts;
  /** Ends a trail with its tokens, its invite and its grants, and leaves no row of it; nothing happens when there is none. */
  remove(id: string): void;
  /**
   * Makes one more token of the trail. Those there are stay.
   *
   * @param name default: `token`, with a number where that is taken
   * @throws GroveError `trail_unknown`; `key_exists`; `bad_input`
   */
  newToken(id: string, name?: string): NewKey;
  /**
   * Makes another secret for the invite link; the one before ends. Who came by it stays.
   *
   * @throws GroveError `trail_unknown`
   */
  newInvite(id: string): string;
  /** The live trail that an invite is for, else null; any text may be asked. */
  byInvite(secret: string): TrailFacts | null;
}
