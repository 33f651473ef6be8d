import { isGroveError } from '@grove/core';
import type { LexicalIndex } from '../engine/port.ts';
import type { IndexKeeper } from './index-keeper.ts';
import { readPayload } from './payload.ts';

/**
 * Asks an index that is in step with its vault: it holds every change of the catalog up to the sequence `upTo`. Null where
 * there is none, or none yet.
 */
export async function queryInStep<T>(
  keeper: IndexKeeper,
  ask: (index: LexicalIndex, upTo: number) => Promise<T>,
): Promise<T | null> {
  const isReady = (): boolean => keeper.health().state === 'ready';
  if (!isReady()) return null;
  try {
    return await keeper.query(async (index) => {
      const payload = readPayload(index.payload);
      // It may have been found damaged just now.
      return payload === null || !isReady() ? null : await ask(index, payload.sequence);
    });
  } catch (error) {
    if (isGroveError(error, 'index_unavailable')) return null;
    throw error;
  }
}
