import { GroveError } from '@grove/core';
import { defineOperation } from '../operation/define.ts';
import { multiGetOutput, multiGetParameters } from './contract.ts';
import { presentMultiGet } from './present.ts';
import { runMultiGet } from './run.ts';

/** Several notes in one call, whole ones until the budget is used. */
export const multiGet = defineOperation({
  name: 'multi_get',
  title: 'Read several notes',
  description:
    'Read up to 50 notes at once, whole ones until the budget is used; the rest is named with sizes.',
  parameters: multiGetParameters,
  output: multiGetOutput,
  check: ({ paths }) => {
    if (paths.length === 0)
      throw new GroveError('bad_input', { name: 'paths', reason: '"paths" is missing' });
  },
  run: runMultiGet,
  present: presentMultiGet,
});
