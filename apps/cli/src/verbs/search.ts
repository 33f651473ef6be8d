import { query } from '@grove/service';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
import { collect, given, wholeNumber } from './option-values.ts';

interface SearchOptions extends CommonOptions {
  readonly limit?: number;
  readonly folder: readonly string[];
  readonly tag: readonly string[];
  readonly type: readonly string[];
  readonly after?: string;
  readonly before?: string;
  readonly where?: string;
  readonly text?: boolean;
  readonly regex?: boolean;
  readonly passages?: boolean;
  readonly explain?: boolean;
  readonly cursor?: string;
}

/** `grove search WORDS…` */
export function searchVerb(command: Command, run: Run): void {
  command
    .description('Search the notes')
    .argument('<words...>', 'words, "phrases", -not, prefix*, title: tag: path: heading:')
    .option('--limit <n>', 'most hits', wholeNumber)
    .option('--folder <folder>', 'only below this folder; may repeat', collect, [])
    .option('--tag <tag>', 'only with this tag, or without it as -tag; may repeat', collect, [])
    .option('--type <type>', 'only of this type; may repeat', collect, [])
    .option('--after <date>', 'modified after a date, 7d, yesterday')
    .option('--before <date>', 'modified before a date')
    .option('--where <json>', 'by fields: \'{"status": "active"}\', or JSONLogic')
    .option('--text', 'take the words literally: lines that hold them')
    .option('--regex', 'take the words as a regular expression')
    .option('--passages', 'answer with passages instead of hits')
    .option('--explain', 'show scores and which search found a hit')
    .option('--cursor <cursor>', 'the next page of an earlier answer')
    .action(async (words: string[], options: SearchOptions) => {
      const text = words.join(' ');
      if (options.text === true && options.regex === true)
        throw new InvalidArgumentError('--text and --regex exclude each other');
      const literal = options.text === true ? 'text' : options.regex === true ? 'regex' : null;
      await answer(
        run,
        options,
        query,
        given({
          query: literal === null ? text : undefined,
          searches: literal === null ? undefined : [{ type: literal, query: text }],
          limit: options.limit,
          folders: options.folder,
          tags: options.tag,
          types: options.type,
          after: options.after,
          before: options.before,
          where: options.where,
          return: options.passages === true ? 'passages' : undefined,
          explain: options.explain,
          cursor: options.cursor,
        }),
      );
    });
}
