/** Where the owner can sign in besides. */
export type UpstreamProvider = 'github' | 'google';

/** An account elsewhere that is the owner's. */
export interface UpstreamAccount {
  readonly provider: UpstreamProvider;
  /** GitHub's numeric id, or Google's `sub`; never an address. */
  readonly subject: string;
  /** Milliseconds since the epoch. */
  readonly boundAt: number;
}

/**
 * What proves the owner at the sign-in page. Calls see and keep as those of `Keys` do, and throw the errors of
 * control.db. Who limits attempts is the page.
 */
export interface OwnerSecret {
  /** True once there is a passphrase. */
  isSet(): boolean;
  /**
   * Makes this the passphrase; the one before ends, as does a set-up token.
   *
   * @throws GroveError `bad_input` for one shorter than 12 characters or longer than 1,024
   */
  set(passphrase: string): Promise<void>;
  /** True for the passphrase. Takes as long when there is none. */
  verify(passphrase: string): Promise<boolean>;
  /** Counts the passphrases there were: a session that was opened under an earlier one is over. */
  generation(): number;
  /** A secret for the link by which the passphrase is first set, good for 24 hours; the one before ends. */
  setupToken(): string;
  /** True while the secret is good. */
  isSetupToken(secret: string): boolean;
  /** True for the secret that is good now, which ends with this. */
  useSetupToken(secret: string): boolean;
  /**
   * Lets an account sign in as the owner. Again: nothing happens.
   *
   * @throws GroveError `bad_input` for a subject that is none
   */
  bindUpstream(provider: UpstreamProvider, subject: string): void;
  unbindUpstream(provider: UpstreamProvider, subject: string): void;
  upstreams(): readonly UpstreamAccount[];
}
