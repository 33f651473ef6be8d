import { vaultStatus } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { given, wholeNumber } from './option-values.ts';

interface HistoryOptions extends CommonOptions {
  readonly since?: string;
  readonly by?: string;
  readonly diff?: true;
  readonly limit?: number;
  readonly cursor?: string;
}

/** `grove history [PATH]` */
export function historyVerb(command: Command, run: Run): void {
  command
    .description('Commits that changed notes, newest first')
    .argument('[path]', 'only of this note, or of the notes in this folder')
    .option('--since <time>', 'only since a date, 7d, yesterday')
    .option('--by <who>', 'only by this key or author')
    .option('--diff', 'show what changed')
    .option('--limit <n>', 'most commits', wholeNumber)
    .option('--cursor <cursor>', 'the next page of an earlier answer')
    .action(async (path: string | undefined, options: HistoryOptions) => {
      const { since, by, diff, limit, cursor } = options;
      const input = { mode: 'history', path, since, by, diff, limit, cursor };
      await answer(run, options, vaultStatus, given(input));
    });
}
