import type { JSONRPCMessage } from '@modelcontextprotocol/server';

/** What one MCP session talks to: the vault in this process, or the owner of the vault over a socket. */
export interface Upstream {
  /** Takes one message; false asks the caller to wait for `onDrain`. */
  send(message: JSONRPCMessage, line: string): boolean;
  close(): Promise<void>;
  /** Looks whether it is stuck: it is there, and says nothing to anyone. Absent where that cannot be. */
  isSilent?(): Promise<boolean>;
}

/** What an upstream reports. Nothing is called after `onClose`, nor after {@link Upstream.close}. */
export interface UpstreamEvents {
  onMessage(message: JSONRPCMessage, line: string): void;
  onDrain(): void;
  onClose(): void;
}

/** Finds something that answers, waiting while the owner changes. Throws when there is no hope left. */
export type ConnectUpstream = (events: UpstreamEvents) => Promise<Upstream>;
