import { type Control, openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import type { CommonOptions, Run } from '../run.ts';
import { dataDirOf } from './vault-of-run.ts';

/** Does something with control.db of this run's data folder; a server that runs beside sees it at once. */
export function withControl<Result>(
  run: Run,
  options: CommonOptions,
  work: (control: Control) => Result,
): Result {
  const control = openControl({ dataDir: dataDirOf(run, options), clock: systemClock });
  const close = (): void => control.close();
  let result: Result;
  try {
    result = work(control);
  } catch (error) {
    close();
    throw error;
  }
  if (result instanceof Promise) return result.finally(close) as Result;
  close();
  return result;
}
