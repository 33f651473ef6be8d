import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { readText } from '../writing/read-text.ts';
import { addWriteOptions, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

interface WholeOptions extends WriteOptions {
  readonly file?: string;
  readonly createOnly?: boolean;
  readonly overwrite?: boolean;
}

/** `grove write PATH` */
export function writeVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Write a whole note from stdin or a file; a note that is there needs --if-hash')
    .argument('<path>', 'such as Projects/Grove.md')
    .option('--file <file>', 'take the text from this file instead of stdin')
    .option('--create-only', 'only where there is no note yet')
    .option('--overwrite', 'write though much of the note would go')
    .action(async (path: string, options: WholeOptions) => {
      const { file, createOnly, overwrite, ...others } = options;
      const content = await readText(run, file);
      const fields = { action: 'write', path, create_only: createOnly, overwrite };
      await answer(run, others, writeNote, given({ ...fields, content, ...writeFields(others) }));
    });
}
