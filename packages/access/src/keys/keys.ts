import type { KeyScope } from '../wishes/scopes.ts';

/** One key as it may be shown: never its secret. Times are milliseconds since the epoch. */
export interface KeyFacts {
  /** Stable, rotation included: `k_` and 12 characters of base64url. */
  readonly id: string;
  /** Unique among the live keys of its vault. */
  readonly name: string;
  /** The slug of the vault that the key opens. */
  readonly vault: string;
  /** The id of the trail that the key is a token of, which limits it; null for a key of the owner's. */
  readonly trail: string | null;
  /** As granted, in the order of `KEY_SCOPES`; what they imply is for `grants` to say. */
  readonly scopes: readonly KeyScope[];
  /** Path rules as they were given; an empty list sets no limit of its kind. */
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly denyPaths: readonly string[];
  readonly createdAt: number;
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
  readonly revokedAt: number | null;
  readonly state: 'live' | 'expired' | 'revoked';
  /** The last four characters of the token, to tell keys apart. */
  readonly ending: string;
}

/** Which keys are meant. */
export interface KeyFilter {
  readonly vault?: string;
  /** The tokens of this trail; of none, which is the default; or all keys, tokens of trails too. */
  readonly trail?: string | null | 'any';
}

/** A key to be made. The path rules must have been parsed by the caller: they are kept as they are. */
export interface KeyWish {
  readonly name: string;
  readonly vault: string;
  /** Default: `read`. */
  readonly scopes?: readonly KeyScope[];
  /** Milliseconds since the epoch; null, the default, for a key that does not expire. */
  readonly expiresAt?: number | null;
  readonly readPaths?: readonly string[];
  readonly writePaths?: readonly string[];
  readonly denyPaths?: readonly string[];
}

/** A key just made or rotated. The token is nowhere kept: this is the one time that it can be shown. */
export interface NewKey {
  readonly key: KeyFacts;
  /** `grove_` and 32 random bytes in base64url. */
  readonly token: string;
}

/**
 * The keys of all vaults of one data folder. Each call sees what other processes have committed, and is on disk
 * when it returns.
 *
 * Beside its own errors every method throws `control_locked`, `control_damaged`, `control_newer` or
 * `data_unwritable` when control.db cannot serve, and `stopping` after it was closed. An answer is never guessed.
 */
export interface Keys {
  /**
   * Makes a key.
   *
   * @throws GroveError `key_exists` when a live key of the vault has the name; `bad_input`
   * @example const { token } = keys.create({ name: 'Laptop', vault: 'notes', scopes: ['read', 'append'] });
   */
  create(wish: KeyWish): NewKey;
  /** The keys that are meant, newest first; revoked and expired ones too. */
  list(filter?: KeyFilter): readonly KeyFacts[];
  /**
   * The key with this id, or else this name: the live one before the newest that is not. The token of a trail has its
   * name within the trail, so that it is found by its id unless the filter names the trail.
   *
   * @throws GroveError `key_unknown`; `bad_input` when live keys of several vaults have the name
   */
  find(reference: string, filter?: KeyFilter): KeyFacts;
  /**
   * Ends a key for good. Again: the same answer.
   *
   * @throws GroveError `key_unknown`
   */
  revoke(id: string): KeyFacts;
  /**
   * Gives a key another token; the one before ends. Id, name, scopes, path rules and expiry stay.
   *
   * @throws GroveError `key_unknown`; `key_ended` for a revoked key; `key_expired`
   */
  rotate(id: string): NewKey;
  /** Ends a key and leaves no row of it; nothing happens when there is none. */
  remove(id: string): void;
}
