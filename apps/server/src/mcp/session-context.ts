import { setTimeout as sleep } from 'node:timers/promises';
import type { OpenedVault, Scope } from '@grove/service';
import type { ViewRules } from '@grove/vault';
import { rulesOrNone } from '../local/greeting.ts';
import type { Log } from '../log.ts';
import type { McpContext } from './context.ts';
import { ViewChanges } from './resources/view-changes.ts';

/** The process that serves a session. */
export interface SessionProcess {
  readonly opened: OpenedVault;
  readonly version: string;
  readonly log: Log;
  /** Hears of each call of a tool: its name, and `ok` or the code of the error. */
  readonly onCall?: McpContext['onCall'];
}

/** How long a call waits for the first index. */
const PATIENCE_MS = 10_000;
/** How long calls wait after a restart, from its beginning: what was known then answers, each hit judged again. */
const RESTART_PATIENCE_MS = 250;
/** How long a call waits, after that, for times from git: a long history is read behind the answers. */
const HISTORY_PATIENCE_MS = 500;

/** What a session of a stdio client stands on, limited by the rules of the process that the client started. */
export function sessionContext(process: SessionProcess, rules: ViewRules): McpContext {
  const scope = process.opened.scope({ kind: 'stdio', id: 'stdio', name: 'stdio' }, rulesOrNone(rules));
  return callerContext(process, scope);
}

/** What the calls of one caller stand on: its scope, and patience with an index that is still being built. */
export function callerContext(
  process: SessionProcess,
  scope: Scope,
  changes: ViewChanges = new ViewChanges(scope),
): McpContext {
  const { opened, version, log, onCall } = process;
  let indexed = false;
  const ready = opened.ready.then(async () => {
    await Promise.race([opened.historyRead, pause(HISTORY_PATIENCE_MS)]);
    indexed = true;
  });
  // Whoever opened the vault hears of a failure; a session answers with what there is.
  ready.catch(() => {});
  const restarted = opened.vault.sequence > 0 ? pause(RESTART_PATIENCE_MS) : null;
  return {
    scope,
    changes,
    version,
    log,
    ...(onCall === undefined ? {} : { onCall }),
    indexed: async () => {
      if (indexed) return;
      await Promise.race([ready.catch(() => {}), restarted ?? pause(PATIENCE_MS)]);
    },
  };
}

function pause(ms: number): Promise<void> {
  return sleep(ms, undefined, { ref: false });
}
