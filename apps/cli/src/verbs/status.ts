import { vaultStatus } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

/** `grove status` */
export function statusVerb(command: Command, run: Run): void {
  command
    .description('Health of the vault and its index')
    .option('--path <path>', 'what became of one file')
    .action(async ({ path, ...common }: CommonOptions & { readonly path?: string }) => {
      await answer(run, common, vaultStatus, given({ mode: 'health', path }));
    });
}
