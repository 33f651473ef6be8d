import { revert } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

interface RevertOptions extends CommonOptions {
  readonly key: string;
  readonly since: string;
  readonly dryRun?: true;
}

/** `grove revert --key KEY --since TIME` */
export function revertVerb(command: Command, run: Run): void {
  command
    .description('Undo what one key wrote, and nothing else, in one commit')
    .requiredOption('--key <key>', 'its name or id, as the history names it')
    .requiredOption('--since <time>', 'undo what was written since a date, 2h, 7d')
    .option('--dry-run', 'only tell what would be undone')
    .action(async ({ key, since, dryRun, ...common }: RevertOptions) => {
      await answer(run, common, revert, given({ key, since, dry_run: dryRun }));
    });
}
