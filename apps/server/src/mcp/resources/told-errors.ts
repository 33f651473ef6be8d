import { isGroveError } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';
import type { Log } from '../../log.ts';
import { reportFault } from '../../report-fault.ts';

/**
 * A handler whose failures say what the client may hear. The SDK answers with the message of whatever is thrown, and a
 * message of the system or of a library can hold folders of this machine.
 *
 * @example toldErrors(log, async (uri) => await readSomething(uri))
 */
export function toldErrors<Arguments extends unknown[], Result>(
  log: Log,
  handle: (...given: Arguments) => Promise<Result>,
): (...given: Arguments) => Promise<Result> {
  return async (...given) => {
    try {
      return await handle(...given);
    } catch (error) {
      // Ours to the letter: what the protocol prescribes.
      if (error instanceof ProtocolError) throw error;
      const { code, message, next, request_id } = toErrorPayload(
        error,
        reportFault(log, 'a resource could not be answered'),
      );
      const kind = isGroveError(error) && error.status < 500 ? 'InvalidParams' : 'InternalError';
      throw new ProtocolError(ProtocolErrorCode[kind], `${message} ${next}`, {
        code,
        ...(request_id === undefined ? {} : { request_id }),
      });
    }
  };
}
