import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { addWriteOptions, ofNow, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

/** `grove move PATH TO` */
export function moveVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Move a note to another path or folder; links to it are mended')
    .argument('<path>', 'such as Inbox/Idea.md')
    .argument('<to>', 'such as Projects/Idea.md, or a folder with / at its end')
    .action(async (path: string, to: string, options: WriteOptions) => {
      const fields = { action: 'move', path, to };
      await answer(run, options, writeNote, given({ ...fields, ...ofNow(writeFields(options)) }));
    });
}
