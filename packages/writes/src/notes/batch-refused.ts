import { GroveError } from '@grove/core';
import type { NoteWriteCaller } from './contract.ts';
import { asCallerSees } from './refusals.ts';

/** One error for all operations that are wrong, so that they can be mended at once. */
export function batchRefused(
  count: number,
  refused: readonly { readonly op: number; readonly error: GroveError }[],
  caller: NoteWriteCaller,
): GroveError {
  return new GroveError('batch_refused', {
    refused: refused.length,
    count,
    operations: refused.map(({ op, error }) => {
      const { code, message, hint, data } = asCallerSees(error, caller) as GroveError;
      const { path, breaches } = data;
      return {
        op,
        code,
        message,
        next: hint,
        ...(path === undefined ? {} : { path }),
        ...(breaches === undefined ? {} : { breaches }),
      };
    }),
  });
}
