import { errorCode } from '@grove/core';
import { unavailable } from '../unavailable.ts';
import type { Endpoint } from './endpoint.ts';
import { troubleOfStatus } from './refusals.ts';

/** One request. */
export interface JsonRequest {
  readonly body: object;
  /** The model, for what is said about failures. */
  readonly model: string;
  readonly limitMs: number;
  /** Most bytes of an answer that are read. */
  readonly maxBytes: number;
  readonly signal: AbortSignal;
}

const REFUSAL_BYTES = 1 << 16;

/**
 * Posts JSON to the endpoint and to no other: redirects are not followed.
 *
 * @returns the answer's JSON, whatever it is
 * @throws the reason of `signal` when that is aborted; else `embedder_unavailable`, which holds nothing of what was sent
 * @example await postJson(endpoint, { body, model, limitMs: 30_000, maxBytes: 1 << 20, signal });
 */
export async function postJson(endpoint: Endpoint, request: JsonRequest): Promise<unknown> {
  const limit = AbortSignal.timeout(request.limitMs);
  try {
    const response = await fetch(endpoint.url, {
      method: 'POST',
      headers: endpoint.headers,
      body: JSON.stringify(request.body),
      redirect: 'manual',
      signal: AbortSignal.any([request.signal, limit]),
    });
    if (response.status !== 200) throw await refusal(endpoint, request.model, response);
    return parse(endpoint, await readText(endpoint, response, request.maxBytes));
  } catch (error) {
    request.signal.throwIfAborted();
    if (limit.aborted)
      throw unavailable({
        reason: `${endpoint.host} did not answer within ${request.limitMs / 1000} seconds`,
      });
    if (errorCode(error) === 'embedder_unavailable') throw error;
    throw unreachable(endpoint, error);
  }
}

async function refusal(endpoint: Endpoint, model: string, response: Response) {
  const { status, headers } = response;
  const body = await readBytes(response, REFUSAL_BYTES).catch(() => null);
  return unavailable(
    troubleOfStatus(endpoint.host, model, {
      status,
      headers,
      body: new TextDecoder().decode(body ?? undefined),
    }),
  );
}

async function readText(endpoint: Endpoint, response: Response, maxBytes: number): Promise<string> {
  const bytes = await readBytes(response, maxBytes);
  if (bytes === null)
    throw unavailable({ reason: `the answer of ${endpoint.host} is larger than vectors can be` });
  return new TextDecoder().decode(bytes);
}

/** The body; null, and the connection ended, when it is larger. */
async function readBytes(response: Response, maxBytes: number): Promise<Uint8Array | null> {
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body ?? []) {
    size += part.length;
    if (size > maxBytes) return null;
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function parse(endpoint: Endpoint, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unavailable({ reason: `the answer of ${endpoint.host} is cut off or no JSON` });
  }
}

const NETWORK: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nothing listens at',
  ENOTFOUND: 'there is no address of',
  EAI_AGAIN: 'there is no address for now of',
  ECONNRESET: 'the connection was ended by',
  UND_ERR_SOCKET: 'the connection was ended by',
};

function unreachable({ host }: Endpoint, error: unknown) {
  const code =
    errorCode(error instanceof Error ? error.cause : undefined) ?? errorCode(error) ?? 'unknown error';
  return unavailable({
    reason: `${NETWORK[code] ?? 'there is no connection to'} ${host} (${code})`,
    remedy: 'Check that the embedder runs and that its address is right; it is tried again.',
  });
}
