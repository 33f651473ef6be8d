import type { AnyOperation } from '@grove/service';

/** Parameters that name several things to be done in one call. */
const LISTS = ['operations', 'searches', 'paths'] as const;

/**
 * How many operations a call asks for: those of a batch, the searches of a query, the paths that are read, and one for every
 * other. Known from the question alone: what the answer would hold, hidden notes included, must not show in a limit.
 *
 * @param input as the operation parsed it
 * @example operationsIn(multiGet.parse({ paths: ['a.md', 'b.md'] })) // 2
 */
export function operationsIn(input: ReturnType<AnyOperation['parse']>): number {
  const counts = LISTS.map((name) => (Array.isArray(input[name]) ? input[name].length : 0));
  return Math.max(1, ...counts);
}
