import { listNotes } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { collect, given, wholeNumber } from './option-values.ts';

interface ListOptions extends CommonOptions {
  readonly of?: string;
  readonly folder: readonly string[];
  readonly tag: readonly string[];
  readonly type: readonly string[];
  readonly after?: string;
  readonly before?: string;
  readonly where?: string;
  readonly match?: string;
  readonly state: readonly string[];
  readonly sort?: string;
  readonly limit?: number;
  readonly cursor?: string;
}

/** `grove list [GLOB]` */
export function listVerb(command: Command, run: Run): void {
  command
    .description('List notes, folders, tags, types or tasks')
    .argument('[glob]', 'only paths that fit, such as "Projects/**"')
    .option('--of <what>', 'notes, folders, tags, types or tasks')
    .option('--folder <folder>', 'only below this folder; may repeat', collect, [])
    .option('--tag <tag>', 'only with this tag, or without it as -tag; may repeat', collect, [])
    .option('--type <type>', 'only of this type; may repeat', collect, [])
    .option('--after <date>', 'modified after a date, 7d, yesterday')
    .option('--before <date>', 'modified before a date')
    .option('--where <json>', 'by fields: \'{"status": "active"}\', or JSONLogic')
    .option('--match <regex>', 'only names that fit; of tasks only texts')
    .option(
      '--state <state>',
      'tasks that are open, in_progress, done, cancelled, or all; may repeat',
      collect,
      [],
    )
    .option('--sort <order>', 'modified, created, title, path or size, of tasks also due; -path reverses')
    .option('--limit <n>', 'most entries', wholeNumber)
    .option('--cursor <cursor>', 'the next page of an earlier answer')
    .action(async (glob: string | undefined, options: ListOptions) => {
      const { of, folder, tag, type, after, before, where, match, state, sort, limit, cursor } = options;
      await answer(
        run,
        options,
        listNotes,
        given({
          glob,
          of,
          folders: folder,
          tags: tag,
          types: type,
          after,
          before,
          where,
          match,
          states: state,
          sort,
          limit,
          cursor,
        }),
      );
    });
}
