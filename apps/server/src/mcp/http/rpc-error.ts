import type { RequestId } from '@modelcontextprotocol/server';
import { rpcErrorText } from '../json-rpc.ts';

/**
 * A JSON-RPC error as an HTTP answer.
 *
 * @param id that of the request; null where it could not be read
 * @example rpcError(404, null, -32_001, 'Session not found')
 */
export function rpcError(
  status: number,
  id: RequestId | null,
  code: number,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): Response {
  return new Response(rpcErrorText(id, code, message, data), {
    status,
    headers: { 'content-type': 'application/json' },
  });
}
