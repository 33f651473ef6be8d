/** A client that the owner made by hand, with a secret. */
export interface OAuthClientFacts {
  /** `c_` and 12 characters of base64url: its `client_id`. */
  readonly id: string;
  readonly name: string;
  readonly redirectUris: readonly string[];
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
}

/** A client just made. The secret is nowhere kept: this is the one time that it can be shown. */
export interface NewOAuthClient {
  readonly client: OAuthClientFacts;
  /** `client_` and 32 random bytes in base64url. */
  readonly secret: string;
}

/**
 * Static, confidential OAuth clients. Calls see and keep as those of `Keys` do, and throw the errors of control.db.
 */
export interface OAuthClients {
  /**
   * Makes a client.
   *
   * @throws GroveError `bad_input` for a name that is none, no redirect address, or one that cannot be used
   */
  create(wish: { readonly name: string; readonly redirectUris: readonly string[] }): NewOAuthClient;
  /** Newest first. */
  list(): readonly OAuthClientFacts[];
  /** Takes a client away, with the grants that it was given; nothing happens when there is none. */
  remove(id: string): void;
  find(id: string): OAuthClientFacts | null;
  /** True for the secret of that client. */
  verifySecret(id: string, secret: string): boolean;
}
