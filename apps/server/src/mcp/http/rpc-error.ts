import type { RequestId } from '@modelcontextprotocol/server';

/** What else an error says. */
export interface RpcErrorExtra {
  /** The id of the request, where it could be read. */
  readonly id?: RequestId | null;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A JSON-RPC error (JSON-RPC 2.0, section 5.1) as its text. */
export function rpcErrorText(code: number, message: string, extra: RpcErrorExtra = {}): string {
  const { id = null, data } = extra;
  return JSON.stringify({ jsonrpc: '2.0', error: { code, message, ...(data && { data }) }, id });
}

/**
 * A JSON-RPC error as an HTTP answer.
 *
 * @example rpcError(404, -32_001, 'Session not found')
 */
export function rpcError(status: number, code: number, message: string, extra: RpcErrorExtra = {}): Response {
  return new Response(rpcErrorText(code, message, extra), {
    status,
    headers: { 'content-type': 'application/json', ...extra.headers },
  });
}
