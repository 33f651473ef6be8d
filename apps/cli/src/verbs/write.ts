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
  readonly type?: string;
}

/** `grove write PATH` */
export function writeVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Write a whole note from stdin or a file; a note that is there needs --if-hash')
    .argument('<path>', 'such as Projects/Grove.md')
    .option('--file <file>', 'take the text from this file instead of stdin')
    .option('--create-only', 'only where there is no note yet')
    .option('--type <type>', 'make a note of this type; from its template when no text is given')
    .option('--overwrite', 'write though much of the note would go')
    .action(async (path: string, options: WholeOptions) => {
      const { file, createOnly, overwrite, type, ...others } = options;
      const text =
        type !== undefined && file === undefined && run.stdin.isTTY ? '' : await readText(run, file);
      const content = type !== undefined && text === '' ? undefined : text;
      // The properties of a note that is there must not give way to this one.
      const made =
        type === undefined ? { create_only: createOnly } : { create_only: true, frontmatter: { type } };
      const fields = { action: 'write', path, ...made, overwrite };
      await answer(run, others, writeNote, given({ ...fields, content, ...writeFields(others) }));
    });
}
