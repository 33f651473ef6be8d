import type { GitLocation } from '../repository/location.ts';

/** How far a fetch, push or clone has come. `phase` is a word for people, such as `receiving`. */
export interface RemoteProgress {
  readonly phase: string;
  readonly done: number;
  /** In the unit of `done`; null while nobody knows. */
  readonly total: number | null;
}

/** How each call to a remote is made. */
export interface RemoteCall {
  /** An `https://` address, or `http://` of this machine itself. */
  readonly url: string;
  /** A personal access token, or `name:password` for a server that asks for a certain name; null for none. */
  readonly token: string | null;
  /** Ends the call at once; what was begun is removed. */
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((progress: RemoteProgress) => void) | undefined;
  /** Milliseconds without a byte after which the server counts as gone. */
  readonly idleLimitMs?: number | undefined;
  /** Milliseconds after which a call ends, whatever it does. */
  readonly longestMs?: number | undefined;
}

/** One branch of one remote of a repository. */
export interface RemoteOptions extends RemoteCall {
  readonly location: GitLocation;
  /** The remote's name in the repository's configuration, such as `origin`. */
  readonly name: string;
  /** The branch there, such as `main`. */
  readonly branch: string;
}

/** What is to be cloned, and where to. */
export interface CloneOptions extends RemoteCall {
  /** The vault's new folder: empty, or not there yet. */
  readonly dir: string;
  /** Null: the branch that the remote's HEAD names. */
  readonly branch?: string | null | undefined;
  /** Only so many commits of the branch; null for all. */
  readonly depth?: number | null | undefined;
}
