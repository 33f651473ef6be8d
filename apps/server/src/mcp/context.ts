import type { AnyOperation, Scope } from '@grove/service';
import type { FindingCall } from '../audit/call-recorder.ts';
import type { Log } from '../log.ts';
import type { ViewChanges } from './resources/view-changes.ts';

/** Whoever watches the calls of a session. */
export interface CallWatch {
  /**
   * Lets a call of a tool in, before it waits for anything.
   *
   * @param input as the operation parsed it
   * @param http the request that it came with; undefined for a session of this machine
   * @throws GroveError `rate_limited`
   */
  admit(operation: AnyOperation, input: unknown, http: Request | undefined): Promise<void>;
  /** Hears how a call has ended. */
  ended(call: EndedMcpCall): void;
}

/** A call that has ended: of a tool, or of what reads resources. */
export interface EndedMcpCall {
  /** The name of the tool, or the method of the protocol. */
  readonly tool: string;
  /** `ok`, or the code of the error. */
  readonly outcome: string;
  readonly ms: number;
  /** What found notes, where that was something. */
  readonly search: FindingCall | null;
}

/** What one MCP session stands on. */
export interface McpContext {
  readonly scope: Scope;
  /** What changes in the scope's View. */
  readonly changes: ViewChanges;
  /** Version of Grove, for `serverInfo`. */
  readonly version: string;
  /** Waits for the first index, though not for long: then calls answer with what there is, and say so. */
  indexed(): Promise<void>;
  /** Hears that other tools are listed from now on, until what is returned is called. */
  onTools(listener: () => void): () => void;
  readonly log: Log;
  /** Null where nobody watches them. */
  readonly calls: CallWatch | null;
}
