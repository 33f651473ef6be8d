import type { TrailFacts } from '../trails/trails.ts';
import type { KeyScope } from '../wishes/scopes.ts';

/** Who a bearer token is from, and what it may do. */
export interface Verified {
  /**
   * Names what was proven, not the token alone: it changes whenever what may be done with it changes (key rotated;
   * trail changed, disabled, expired; grant revoked). Tokens of one grant share it. No secret.
   */
  readonly credential: string;
  /** A key of the owner's, the token of a trail, or the access token of an OAuth client. */
  readonly kind: 'key' | 'trail' | 'grant';
  /** Id of the key or of the grant. */
  readonly id: string;
  /** Name of the key or of the trail, or the client and for whom it acts, such as `claude.ai (owner)`. */
  readonly name: string;
  /** The slug of the vault. */
  readonly vault: string;
  readonly scopes: readonly KeyScope[];
  /** Path rules of a key; empty for all others. */
  readonly readPaths: readonly string[];
  readonly writePaths: readonly string[];
  readonly denyPaths: readonly string[];
  /** The trail that limits it, for keys and grants that are bound to one. */
  readonly trail: TrailFacts | null;
  /** Name of the OAuth client; null without one. */
  readonly client: string | null;
  /** False for a grant that never asked for `vault:write`, which may be asked to come back for it. */
  readonly askedToWrite: boolean;
}

/**
 * The one door for every bearer token. Each call sees what other processes have committed, and throws the errors of
 * control.db as `Keys` does: an answer is never guessed.
 */
export interface Credentials {
  /** Who a token is from when it is good now, else null; any text may be asked. Notes the use. */
  verify(token: string): Verified | null;
  /** True while {@link verify} would still answer with this credential, for some token. */
  isLive(credential: string): boolean;
  /**
   * Hears each credential that was verified here and no longer would be: at once when it ended here, within half a
   * second when it expired or was ended by another process, or when control.db itself was lost or damaged. The
   * listener must not throw.
   *
   * @returns ends the listening
   */
  onEnded(listener: (credential: string) => void): () => void;
}
