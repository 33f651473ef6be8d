import type { OpenedVault, Scope } from '@grove/service';
import type { ViewRules } from '@grove/vault';
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
}

/** What a session of a stdio client stands on, limited by the rules of the process that the client started. */
export function sessionContext(process: SessionProcess, rules: ViewRules): McpContext {
  const scope = process.opened.scope({ kind: 'stdio', id: 'stdio', name: 'stdio' }, rulesOrNone(rules), {
    scopes: ['write'],
  });
  return callerContext(process, scope);
}

/** What the calls of one caller stand on: its scope, and patience with an index that is still being built. */
export function callerContext(
  process: SessionProcess,
  scope: Scope,
  changes: ViewChanges = new ViewChanges(scope),
  calls: CallWatch | null = null,
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
