import { get } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { collect, given, wholeNumber } from './option-values.ts';

interface GetOptions extends CommonOptions {
  readonly section?: string;
  readonly format?: string;
  readonly include: readonly string[];
  readonly offset?: number;
  readonly revision?: string;
}

/** `grove get NOTE` */
export function getVerb(command: Command, run: Run): void {
  command
    .description('Read a note by path, title, alias, date or link (Note#Heading)')
    .argument('<note>', 'such as Projects/Grove.md, "Start here", today, Note#Heading')
    .option('--section <heading>', 'only this section')
    .option('--format <format>', 'full, raw or map')
    .option('--include <what>', 'links, backlinks, mentions or history; may repeat', collect, [])
    .option('--offset <n>', 'go on from here in a long note', wholeNumber)
    .option('--revision <revision>', 'as it was: a commit id, previous, a date, 7d')
    .action(async (note: string, { section, format, include, offset, revision, ...common }: GetOptions) => {
      await answer(run, common, get, given({ path: note, section, format, include, offset, revision }));
    });
}
