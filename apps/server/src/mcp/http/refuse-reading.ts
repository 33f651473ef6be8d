import { isGroveError } from '@grove/core';
import { toErrorPayload } from '@grove/service';
import { isJSONRPCRequest, type JSONRPCRequest } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { rpcErrorText } from '../json-rpc.ts';

/** What reads notes and is no call of a tool, whose own answer tells of a limit. */
const READING = new Set(['resources/list', 'resources/read', 'prompts/get', 'completion/complete']);

/**
 * Counts what a body reads besides tools.
 *
 * @returns the answer where that goes beyond a limit, a JSON-RPC error for each request; null where it may go on
 */
export async function refuseReading(request: FastifyRequest, body: unknown): Promise<Response | null> {
  const messages = (Array.isArray(body) ? body : [body]).filter((message) => isJSONRPCRequest(message));
  try {
    for (const { method } of messages) if (READING.has(method)) await request.admit('read');
    return null;
  } catch (error) {
    if (!isGroveError(error, 'rate_limited')) throw error;
    const { message, ...data } = toErrorPayload(error);
    const texts = messages.map(({ id }: JSONRPCRequest) =>
      rpcErrorText(id, -32_000, `${message} ${data.next}`, data),
    );
    const text = Array.isArray(body) ? `[${texts.join(',')}]` : texts.join('');
    return new Response(text, { status: 200, headers: { 'content-type': 'application/json' } });
  }
}
