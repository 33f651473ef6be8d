import { vaultStatus } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { given, wholeNumber } from './option-values.ts';

/** `grove diagnostics [PATH]` */
export function diagnosticsVerb(command: Command, run: Run): void {
  command
    .description('What is wrong with the notes, each with the call of write_note that mends it')
    .argument('[path]', 'only this note or folder')
    .option('--limit <n>', 'most findings of a kind', wholeNumber)
    .action(
      async (path: string | undefined, { limit, ...common }: CommonOptions & { readonly limit?: number }) => {
        await answer(run, common, vaultStatus, given({ mode: 'diagnostics', path, limit }));
      },
    );
}
