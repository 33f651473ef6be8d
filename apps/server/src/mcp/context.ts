import type { Scope } from '@grove/service';
import type { Log } from '../log.ts';

/** What one MCP session stands on. */
export interface McpContext {
  readonly scope: Scope;
  /** Version of Grove, for `serverInfo`. */
  readonly version: string;
  /** Resolves true when every note is indexed, false when that takes longer than `patienceMs`. */
  indexed(patienceMs: number): Promise<boolean>;
  readonly log: Log;
}
