import { UNITS_PER_CALL } from './handed-text.ts';

/**
 * Shares items out over calls to the compiled side: at most `most` in each, and together no longer than one call
 * may carry. An item that is longer has a call of its own.
 */
export function* inCalls<T>(items: readonly T[], most: number, unitsOf: (item: T) => number): Generator<T[]> {
  let batch: T[] = [];
  let units = 0;
  for (const item of items) {
    const size = unitsOf(item);
    if (batch.length > 0 && (batch.length === most || units + size > UNITS_PER_CALL)) {
      yield batch;
      batch = [];
      units = 0;
    }
    batch.push(item);
    units += size;
  }
  if (batch.length > 0) yield batch;
}
