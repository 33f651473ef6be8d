import { trailRecord } from '@grove/access';
import { systemClock } from '@grove/core';
import { parseTrailRules } from '@grove/trails';
import type { Command } from 'commander';
import { commaList } from '../comma-list.ts';
import type { CommonOptions, Run } from '../run.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { withControl } from '../vaults/with-control.ts';
import { joinLists } from '../verbs/option-values.ts';
import { previewOfRun } from './preview-of-run.ts';
import { describeTrail, writingRemarks } from './trail-text.ts';
import {
  CLEARABLE,
  changesRules,
  limitsOf,
  ruleTexts,
  type TrailWords,
  trailOptions,
} from './trail-words.ts';

interface UpdateWords extends TrailWords {
  readonly name?: string;
  readonly clear?: string;
}

/** `grove trails update` */
export function updateTrail(command: Command, run: Run): void {
  command.argument('<trail>', 'its name or id').option('--name <name>', 'another name');
  trailOptions(command, { reads: '', writes: '' });
  command
    .option('--clear <lists>', `take away all rules of these lists: ${CLEARABLE.join(', ')}`, joinLists)
    .action(async (reference: string, words: UpdateWords) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const vault = await slugOfRun(run, options);
      const found = withControl(run, options, ({ trails }) => trails.find(reference, { vault }));
      const cleared = commaList(words.clear ?? '');
      const texts = ruleTexts(words, found.rules, cleared);
      const limits = limitsOf(words);
      const rules = parseTrailRules(texts);
      const isRuled = changesRules(words, cleared);
      if (isRuled) await previewOfRun(run, options, texts);
      const trail = withControl(run, options, ({ trails }) =>
        trails.update(found.id, { name: words.name, ...limits, ...(isRuled ? { rules } : {}) }),
      );
      if (options.json === true) printJson(run, { trail: trailRecord(trail) });
      else
        run.stdout.write(
          withoutControls(
            `${[`The trail "${trail.name}": ${describeTrail(trail, systemClock.now())}.`, ...writingRemarks(trail)].join('\n')}\n`,
          ),
        );
    });
}
