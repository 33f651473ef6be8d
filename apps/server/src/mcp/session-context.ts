import type { OpenedVault, Scope } from '@grove/service';
import type { ViewRules } from '@grove/vault';
import type { CallRecorder } from '../audit/call-recorder.ts';
import { currentRequestId } from '../current-request.ts';
import { firstIndexOf } from '../first-index.ts';
import type { Log } from '../log.ts';
import { rulesOrNone } from '../rule-sources.ts';
import type { CallWatch, McpContext } from './context.ts';
import { ViewChanges } from './resources/view-changes.ts';

/** The process that serves a session. */
export interface SessionProcess {
  readonly opened: OpenedVault;
  readonly version: string;
  readonly log: Log;
  /** Writes calls down, where the process keeps an audit. */
  readonly recorder?: CallRecorder | undefined;
}

/** What a session of a stdio client stands on, limited by the rules of the process that the client started. */
export function sessionContext(process: SessionProcess, rules: ViewRules): McpContext {
  const scope = process.opened.scope({ kind: 'stdio', id: 'stdio', name: 'stdio' }, rulesOrNone(rules), {
    scopes: ['write'],
  });
  return callerContext(process, scope, new ViewChanges(scope), localWatch(process, scope));
}

/** Programs of this machine have no limits; what they call is written down. */
function localWatch({ opened, recorder }: SessionProcess, scope: Scope): CallWatch | null {
  if (recorder === undefined) return null;
  return {
    admit: async () => {},
    ended: (call) =>
      recorder.record({
        scope,
        vault: opened.slug,
        via: 'mcp',
        client: null,
        requestId: currentRequestId(),
        ...call,
      }),
  };
}

/** What the calls of one caller stand on: its scope, and patience with an index that is still being built. */
export function callerContext(
  process: SessionProcess,
  scope: Scope,
  changes: ViewChanges,
  calls: CallWatch | null,
): McpContext {
  const { opened, version, log } = process;
  return {
    scope,
    changes,
    version,
    log,
    calls,
    indexed: firstIndexOf(opened),
    onTools: (listener) =>
      scope.may.append || scope.may.write ? opened.writes.onSwitch(() => listener()) : () => {},
  };
}
