import { AsyncLocalStorage } from 'node:async_hooks';

const current = new AsyncLocalStorage<string>();

/**
 * Does work as part of a request: whatever is logged or written down on its way has the request's id, behind every
 * `await` too.
 *
 * @example inRequest(randomId(), () => answer(message))
 */
export function inRequest<Result>(id: string, work: () => Result): Result {
  return current.run(id, work);
}

/** The id of the request that this is part of; null for work that belongs to none. */
export function currentRequestId(): string | null {
  return current.getStore() ?? null;
}
