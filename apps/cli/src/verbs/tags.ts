import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { addWriteOptions, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { collectList, given } from './option-values.ts';

interface TagsOptions extends WriteOptions {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  readonly location?: string;
}

/** `grove tags PATH --add TAG --remove TAG` */
export function tagsVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Add and remove tags of a note; grove list --of tags lists those of all notes')
    .argument('<path>', 'such as Projects/Grove.md')
    .option('--add <tag>', 'add this tag, or several with commas; may repeat', collectList, [])
    .option('--remove <tag>', 'remove this tag, or several with commas; may repeat', collectList, [])
    .option('--location <where>', 'frontmatter (the default), inline or both')
    .action(async (path: string, { add, remove, location, ...others }: TagsOptions) => {
      if (add.length + remove.length === 0)
        command.error("error: give '--add' or '--remove'", { exitCode: 2 });
      const fields = { action: 'tags', path, add, remove, location };
      await answer(run, others, writeNote, given({ ...fields, ...writeFields(others) }));
    });
}
