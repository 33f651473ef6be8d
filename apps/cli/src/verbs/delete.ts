import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { addWriteOptions, ofNow, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

/** `grove delete PATH` */
export function deleteVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Move a note to the trash; grove restore brings it back')
    .argument('<path>', 'such as Inbox/Idea.md')
    .action(async (path: string, options: WriteOptions) => {
      const fields = { action: 'delete', path };
      await answer(run, options, writeNote, given({ ...fields, ...ofNow(writeFields(options)) }));
    });
}
