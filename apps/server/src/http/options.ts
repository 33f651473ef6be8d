import type { Control } from '@grove/access';
import type { Clock } from '@grove/core';
import type { OpenedVault } from '@grove/service';
import type { CallRecorder } from '../audit/call-recorder.ts';
import type { Log } from '../log.ts';
import type { McpServerFactory } from '../mcp/factory.ts';
import type { FetchDocument } from '../oauth/clients/metadata-documents.ts';
import type { UpstreamSetting } from '../oauth/upstream/providers.ts';
import type { CallLimits } from './call-limit-settings.ts';

/** Everything that the HTTP server stands on. Nothing is read from the environment. */
export interface AppOptions {
  /** Keys. */
  readonly control: Control;
  /** The vaults that this process owns and serves; a key picks one by its slug. */
  readonly vaults: readonly OpenedVault[];
  /** Version of Grove. */
  readonly version: string;
  readonly log: Log;
  readonly clock: Clock;
  /** Where others reach this server, without a trailing slash; null when it is for this machine alone. */
  readonly publicUrl: string | null;
  readonly names: ServerNames;
  readonly limits: HttpLimits;
  readonly callLimits: CallLimits;
  /** Proxies whose word on where a request came from counts, as {@link parseProxy} reads them; none unless told. */
  readonly trustedProxies?: readonly string[];
  /** What git servers sign their webhooks with; absent or null: webhooks are refused. */
  readonly webhookSecret?: string | null;
  /** What records calls that come past HTTP, from other processes of this machine; they are counted as well. */
  readonly localCalls?: readonly CallRecorder[];
  /** Makes the MCP servers; the product's own unless a test hands in another. */
  readonly createMcp?: McpServerFactory;
  /** Where else the owner may sign in; nowhere when absent. */
  readonly upstreams?: readonly UpstreamSetting[];
  /** Fetches what OAuth clients say of themselves; the network unless a test hands in another. */
  readonly fetchDocument?: FetchDocument;
}

/** What the server answers to. */
export interface ServerNames {
  /** The address that is listened on, as it was named: an IP address or a host name. */
  readonly host: string;
  /**
   * Further host names, without a port, such as `nas.local`, or `*.tailnet.ts.net` with a star for one first label
   * (GROVE_ALLOWED_HOSTS).
   */
  readonly allowedHosts: readonly string[];
  /**
   * Origins of web pages besides those of the server's own names, each in full, such as `https://app.example` or
   * `app://obsidian.md` (GROVE_ALLOWED_ORIGINS).
   */
  readonly allowedOrigins: readonly string[];
}

/** Caps. Sizes in bytes, times in milliseconds. */
export interface HttpLimits {
  readonly maxBodyBytes: number;
  readonly maxHeaderBytes: number;
  readonly maxConnections: number;
  /** MCP sessions of all keys; one that was idle longest makes room. */
  readonly maxSessions: number;
  /** MCP sessions of one key or grant, or of all of one trail. */
  readonly maxSessionsPerKey: number;
  /** Open event streams of one key or grant, or of all of one trail. */
  readonly maxStreamsPerKey: number;
  /** Of one address in a minute: clients that register themselves. */
  readonly maxRegistrations: number;
  /** Of one address in a minute: forms that are sent for signing in by a trail, and for agreeing. */
  readonly maxSignIns: number;
  /** Of one address in a minute: authorizations that begin, and requests for tokens. */
  readonly maxAuthorizations: number;
  readonly sessionIdleMs: number;
  /** How long a request may take to arrive. */
  readonly requestTimeoutMs: number;
  /** How long requests that run are given at shutdown. */
  readonly drainMs: number;
}

/** The limits where nothing else is set. */
export const DEFAULT_LIMITS: HttpLimits = {
  maxBodyBytes: 4 * 1024 * 1024,
  maxHeaderBytes: 16 * 1024,
  maxConnections: 512,
  maxSessions: 256,
  maxSessionsPerKey: 64,
  maxStreamsPerKey: 64,
  maxRegistrations: 10,
  maxSignIns: 30,
  maxAuthorizations: 120,
  sessionIdleMs: 30 * 60_000,
  requestTimeoutMs: 30_000,
  drainMs: 10_000,
};
