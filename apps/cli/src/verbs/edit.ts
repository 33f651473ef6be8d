import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { addWriteOptions, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

interface EditOptions extends WriteOptions {
  readonly find: string;
  readonly replace: string;
  readonly section?: string;
  readonly scope?: string;
  readonly all?: boolean;
  readonly regex?: boolean;
}

/** `grove edit PATH --find TEXT --replace TEXT` */
export function editVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Replace words in a note; they must be there once, unless --all')
    .argument('<path>', 'such as Projects/Grove.md')
    .requiredOption('--find <text>', 'the words as they stand in the note')
    .requiredOption('--replace <text>', 'what to put there')
    .option('--section <heading>', 'only in this section')
    .option('--scope <part>', 'body (the default), frontmatter or note')
    .option('--all', 'wherever they are')
    .option('--regex', 'take --find as a regular expression')
    .action(async (path: string, options: EditOptions) => {
      const { find, replace, section, scope, all = false, regex = false, ...others } = options;
      const fields = { action: 'edit', path, section, edits: [given({ find, replace, scope, all, regex })] };
      await answer(run, others, writeNote, given({ ...fields, ...writeFields(others) }));
    });
}
