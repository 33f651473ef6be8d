import { currentRequestId } from './current-request.ts';
import type { Log } from './log.ts';

/**
 * Logs what is Grove's own fault, and gives the id of the request under which it stands there, for the caller to name.
 *
 * @example toErrorPayload(error, reportFault(log, 'a call failed', { tool }))
 */
export function reportFault(
  log: Pick<Log, 'error'>,
  what: string,
  facts: Readonly<Record<string, string>> = {},
): (cause: unknown) => string | null {
  return (cause) => {
    log.error({ err: cause, ...facts }, what);
    return currentRequestId();
  };
}
