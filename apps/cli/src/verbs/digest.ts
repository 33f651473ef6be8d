import { vaultStatus } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { given, wholeNumber } from './option-values.ts';

/** `grove digest` */
export function digestVerb(command: Command, run: Run): void {
  command
    .description('How far the notes have come, and what needs a look today')
    .option('--limit <n>', 'most notes of a stage', wholeNumber)
    .action(async ({ limit, ...common }: CommonOptions & { readonly limit?: number }) => {
      await answer(run, common, vaultStatus, given({ mode: 'digest', limit }));
    });
}
