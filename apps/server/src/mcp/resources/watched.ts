import { toErrorPayload } from '@grove/service';
import { ProtocolErrorCode, ResourceNotFoundError } from '@modelcontextprotocol/server';
import type { FindingCall } from '../../audit/call-recorder.ts';
import type { McpContext } from '../context.ts';

/**
 * A handler whose calls are written down.
 *
 * @param method what it answers, by the protocol's name
 * @param searchOf what found notes, of the arguments and the answer; the answer is null where there was none
 * @example watched(context, 'resources/list', (cursor) => page(cursor), () => null)
 */
export function watched<Arguments extends unknown[], Result>(
  { calls }: McpContext,
  method: string,
  handle: (...given: Arguments) => Promise<Result>,
  searchOf: (given: Arguments, answer: Result | null) => FindingCall | null = () => null,
): (...given: Arguments) => Promise<Result> {
  if (calls === null) return handle;
  return async (...given) => {
    const begin = performance.now();
    let answer: Result | null = null;
    let outcome = 'ok';
    try {
      answer = await handle(...given);
      return answer;
    } catch (error) {
      outcome = outcomeOf(error);
      throw error;
    } finally {
      const ms = performance.now() - begin;
      calls.ended({
        tool: method,
        outcome,
        ms,
        search: searchOf(given, answer),
      });
    }
  };
}

function outcomeOf(error: unknown): string {
  if (error instanceof ResourceNotFoundError) return 'note_not_found';
  const isProtocol = error instanceof Error && Object.hasOwn(error, 'code') && !('hint' in error);
  if (isProtocol && (error as { readonly code?: unknown }).code === ProtocolErrorCode.InvalidParams)
    return 'bad_input';
  return toErrorPayload(error).code;
}
