import type { ErrorData } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';
import type { RemoteProgress } from '../remote-options.ts';

/** What every call takes. The token goes this way alone: neither arguments nor environment hold it. */
interface Call {
  readonly url: string;
  readonly token: string | null;
  readonly idleLimitMs: number;
}

/** What a call does in a repository. `incoming` is a folder that belongs to it, see `newIncomingFolder`. */
export interface BranchCall extends Call {
  readonly location: GitLocation;
  readonly name: string;
  readonly branch: string;
  readonly incoming: string;
}

export interface FetchCall extends BranchCall {
  readonly kind: 'fetch';
}

export interface PushCall extends BranchCall {
  readonly kind: 'push';
  readonly commit: string;
  readonly seen: string | null | undefined;
}

export interface CloneCall extends Call {
  readonly kind: 'clone';
  /** An empty folder, in which everything is made. */
  readonly dir: string;
  readonly branch: string | null;
  readonly depth: number | null;
}

/** To the process: the one call that it makes. */
export type RemoteJob = FetchCall | PushCall | CloneCall;

/** From the process: how far it is; at the end what came of it. */
export type FromRemoteProcess =
  | { readonly kind: 'progress'; readonly progress: RemoteProgress }
  | { readonly kind: 'done'; readonly result: unknown }
  | {
      readonly kind: 'refused';
      readonly code: string;
      readonly data: ErrorData;
      readonly cause: string | null;
    }
  | { readonly kind: 'failed'; readonly stack: string };
