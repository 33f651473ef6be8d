import type { Keys } from '@grove/access';
import type { CommonOptions, Run } from '../run.ts';
import { withControl } from '../vaults/with-control.ts';

/** Does something with the keys of this run's data folder; a server that runs beside sees it at once. */
export function withKeys<Result>(run: Run, options: CommonOptions, work: (keys: Keys) => Result): Result {
  return withControl(run, options, ({ keys }) => work(keys));
}
