import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { readText } from '../writing/read-text.ts';
import { addWriteOptions, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

interface ReplaceOptions extends WriteOptions {
  readonly section?: string;
  readonly file?: string;
  readonly subsections?: boolean;
  readonly overwrite?: boolean;
}

/** `grove replace PATH --section HEADING [TEXT…]` */
export function replaceVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Put other text under a heading, which stays; needs --if-hash')
    .argument('<path>', 'such as Projects/Grove.md, or "Projects/Grove.md#Heading"')
    .argument('[text...]', 'the new text; from stdin or --file when left out')
    .option('--section <heading>', 'the heading, or ^block')
    .option('--file <file>', 'take the text from this file')
    .option('--subsections', 'drop the subsections that the text does not hold')
    .option('--no-subsections', 'only up to the first subsection')
    .option('--overwrite', 'replace though much of the section would go')
    .action(async (path: string, words: string[], options: ReplaceOptions) => {
      const { section, file, subsections, overwrite, ...others } = options;
      if (words.length > 0 && file !== undefined)
        command.error("error: give either the text or '--file'", { exitCode: 2 });
      const content = words.length > 0 ? words.join(' ') : await readText(run, file);
      const fields = { action: 'replace', path, section, content, subsections, overwrite };
      await answer(run, others, writeNote, given({ ...fields, ...writeFields(others) }));
    });
}
