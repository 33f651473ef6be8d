import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { readText } from '../writing/read-text.ts';
import { addWriteOptions, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

interface AppendOptions extends WriteOptions {
  readonly file?: string;
  readonly section?: string;
  readonly createSection?: boolean;
  readonly timestamp?: boolean;
  readonly repeat?: boolean;
}

/** `grove append PATH [TEXT…]` */
export function appendVerb(command: Command, run: Run): void {
  addingVerb('append', command, run);
}

/** `grove prepend PATH [TEXT…]` */
export function prependVerb(command: Command, run: Run): void {
  addingVerb('prepend', command, run);
}

function addingVerb(action: 'append' | 'prepend', command: Command, run: Run): void {
  const where = action === 'append' ? 'to the end of a note' : 'to the start of a note, below its properties';
  addWriteOptions(command)
    .description(`Add ${where}, which is created where it is not there`)
    .argument('<path>', 'such as Projects/Grove.md, or today')
    .argument('[text...]', 'what to add; from stdin or --file when left out')
    .option('--file <file>', 'take the text from this file')
    .option('--section <heading>', 'add to this section')
    .option('--create-section', 'make the section where it is not there')
    .option('--timestamp', 'write "- HH:MM text"')
    .option('--repeat', 'add though the same words are there already')
    .action(async (path: string, words: string[], options: AppendOptions) => {
      const { file, section, createSection, timestamp, repeat, ...others } = options;
      if (words.length > 0 && file !== undefined)
        command.error("error: give either the text or '--file'", { exitCode: 2 });
      const content = words.length > 0 ? words.join(' ') : await readText(run, file);
      const fields = { action, path, section, create_section: createSection, timestamp, repeat };
      await answer(run, others, writeNote, given({ ...fields, content, ...writeFields(others) }));
    });
}
