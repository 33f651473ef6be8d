/** What the provider keeps of one thing, as JSON would have it. */
export type OAuthPayload = Readonly<Record<string, unknown>>;

/**
 * What an adapter of `oidc-provider` stands on, for every model. Ids are kept as SHA-256, and payloads without their
 * `jti`: it is the token, and put back where it was asked for. Calls are on disk when they return, and throw the errors
 * of control.db.
 */
export interface OAuthRecords {
  /**
   * Keeps a payload in place of what was there.
   *
   * @param expiresInSeconds undefined for what does not expire
   */
  upsert(model: string, id: string, payload: OAuthPayload, expiresInSeconds: number | undefined): void;
  /** The payload, with `jti` and, once it was consumed, `consumed` in seconds since the epoch; undefined when there is none or its time is over. */
  find(model: string, id: string): OAuthPayload | undefined;
  /** The newest payload with this `uid`, without its `jti`, which is not known. */
  findByUid(model: string, uid: string): OAuthPayload | undefined;
  /** Marks as consumed. True for the one call that did it: a code or a token is used up once, whoever asks at the same time. */
  consume(model: string, id: string): boolean;
  /** Takes away; for a `Grant` what was agreed to with it ends too. */
  destroy(model: string, id: string): void;
  /** Takes away every token of a grant. */
  revokeByGrantId(grantId: string): void;
  /** Takes away what expired. A few at a time, so that nothing waits for long; the number that went. */
  prune(): number;
}
