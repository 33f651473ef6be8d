import { type Keys, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import type { CommonOptions, Run } from '../run.ts';
import { dataDirOf } from '../vaults/vault-of-run.ts';

/** Does something with the keys of this run's data folder; a server that runs beside sees it at once. */
export function withKeys<Result>(run: Run, options: CommonOptions, work: (keys: Keys) => Result): Result {
  const control = openControl({ dataDir: dataDirOf(run, options), clock: systemClock });
  try {
    return work(control.keys);
  } finally {
    control.close();
  }
}
