import type { Scope } from '@grove/service';
import type { Log } from '../log.ts';
import type { ViewChanges } from './resources/view-changes.ts';

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
  /** Hears of each call of a tool: its name, and `ok` or the code of the error. */
  onCall?(tool: string, outcome: string): void;
}
