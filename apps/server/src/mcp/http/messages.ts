import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/server';

/** Ids of the requests in a body, which is one message or a batch of them. */
export function requestIds(body: unknown): readonly RequestId[] {
  return messagesOf(body).flatMap((message) => (isJSONRPCRequest(message) ? [message.id] : []));
}

/** Ids of the requests that a body asks to cancel. */
export function cancelledIds(body: unknown): readonly RequestId[] {
  return messagesOf(body).flatMap((message) => cancelledId(message) ?? []);
}

/**
 * A body without the cancellations of some requests.
 *
 * @returns undefined when nothing else was in it
 * @example withoutCancellations(body, (id) => id === 7)
 */
export function withoutCancellations(body: unknown, isKept: (id: RequestId) => boolean): unknown {
  const stays = (message: unknown): boolean => {
    const id = cancelledId(message);
    return id === null || !isKept(id);
  };
  if (!Array.isArray(body)) return stays(body) ? body : undefined;
  const left = body.filter(stays);
  return left.length === 0 && body.length > 0 ? undefined : left;
}

function cancelledId(message: unknown): RequestId | null {
  if (typeof message !== 'object' || message === null) return null;
  const { method, params } = message as { method?: unknown; params?: { requestId?: unknown } | null };
  const id = method === 'notifications/cancelled' ? params?.requestId : undefined;
  return typeof id === 'string' || typeof id === 'number' ? id : null;
}

function messagesOf(body: unknown): readonly unknown[] {
  return Array.isArray(body) ? body : [body];
}
