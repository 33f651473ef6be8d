import { vaultStatus } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { given, wholeNumber } from './option-values.ts';

interface GraphOptions extends CommonOptions {
  readonly to?: string;
  readonly depth?: number;
  readonly limit?: number;
}

/** `grove graph [NOTE]` */
export function graphVerb(command: Command, run: Run): void {
  command
    .description('How the notes hang together, or what is near one of them')
    .argument('[note]', 'what is near this note')
    .option('--to <note>', 'a shortest way to this note, links followed either way')
    .option('--depth <n>', 'links around the note; 1 unless told', wholeNumber)
    .option('--limit <n>', 'most entries of a list', wholeNumber)
    .action(async (path: string | undefined, options: GraphOptions) => {
      const { to, depth, limit } = options;
      await answer(run, options, vaultStatus, given({ mode: 'graph', path, to, depth, limit }));
    });
}
