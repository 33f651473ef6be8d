import {
  INVALID_REQUEST,
  type JSONRPCMessage,
  PARSE_ERROR,
  parseJSONRPCMessage,
  type RequestId,
} from '@modelcontextprotocol/server';

/** One line from a client: a message, or the answer that the protocol prescribes for what is none. */
type ParsedLine =
  | { readonly kind: 'message'; readonly message: JSONRPCMessage }
  | { readonly kind: 'malformed'; readonly answer: string }
  | { readonly kind: 'empty' };

/**
 * Parses one line of the stdio transport. What is no JSON is answered with -32700, JSON that is no JSON-RPC
 * message with -32600 (JSON-RPC 2.0 section 5.1: `id` is null where it cannot be read); batches left the protocol
 * with revision 2025-06-18 and count as malformed.
 *
 * @example parseLine('{"jsonrpc":"2.0","id":1,"method":"ping"}') // { kind: 'message', message: … }
 */
export function parseLine(line: string): ParsedLine {
  if (line.trim() === '') return { kind: 'empty' };
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return malformed(PARSE_ERROR, 'Parse error: the line is not JSON', null);
  }
  try {
    return { kind: 'message', message: parseJSONRPCMessage(value) };
  } catch {
    return malformed(INVALID_REQUEST, 'Invalid Request: the line is not a JSON-RPC 2.0 message', idOf(value));
  }
}

function malformed(code: number, message: string, id: RequestId | null): ParsedLine {
  return { kind: 'malformed', answer: rpcErrorText(id, code, message) };
}

/**
 * An error response (JSON-RPC 2.0, section 5.1) as text on one line.
 *
 * @param id that of the request; null where it could not be read
 * @param data what else the error says
 */
export function rpcErrorText(
  id: RequestId | null,
  code: number,
  message: string,
  data?: Readonly<Record<string, unknown>>,
): string {
  return JSON.stringify({
    jsonrpc: '2.0',
    id,
    error: { code, message, ...(data === undefined ? {} : { data }) },
  });
}

/** The answer to a line that goes past the limit; what follows it cannot be told apart. */
export const LINE_TOO_LONG = rpcErrorText(null, INVALID_REQUEST, 'Invalid Request: the line is too long');

function idOf(value: unknown): RequestId | null {
  if (typeof value !== 'object' || value === null || !('id' in value)) return null;
  return typeof value.id === 'string' || typeof value.id === 'number' ? value.id : null;
}
