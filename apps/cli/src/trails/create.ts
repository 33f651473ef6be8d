import { trailRecord } from '@grove/access';
import { systemClock } from '@grove/core';
import { parseTrailRules } from '@grove/trails';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { inOwnWords, ownCommand } from '../terminal/own-command.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { withControl } from '../vaults/with-control.ts';
import { inviteLink, linkNotes } from './invite-link.ts';
import { previewOfRun } from './preview-of-run.ts';
import { counted, describeTrail, previewText, writingRemarks } from './trail-text.ts';
import { limitsOf, ruleTexts, type TrailWords, trailOptions } from './trail-words.ts';

/** `grove trails create` */
export function createTrail(command: Command, run: Run): void {
  command.argument('<name>', 'whom or what the trail is for, such as "Book club"');
  trailOptions(command, { reads: ' (default: 60)', writes: ' (default: 0)' });
  command
    .option('--dry-run', 'only tell what it would show')
    .action(async (name: string, words: TrailWords & { readonly dryRun?: boolean }) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const texts = ruleTexts(words);
      const limits = limitsOf(words);
      // What is wrong whatever the vault holds is said before it is opened.
      const rules = parseTrailRules(texts);
      const vault = await slugOfRun(run, options);
      const preview = await previewOfRun(run, options, texts);
      if (words.dryRun === true) {
        if (options.json === true) printJson(run, preview);
        else run.stdout.write(withoutControls(`${previewText(name, preview, 'would show')}\n`));
        return;
      }
      const made = withControl(run, options, ({ trails }) =>
        trails.create({ name, vault, rules, ...limits }),
      );
      const link = await inviteLink(run, options, made.invite);
      const { visible, hidden, remarks, warnings } = preview;
      if (options.json === true) {
        const { trail, token } = made;
        const shows = { visible, hidden, remarks, warnings: warnings.length };
        printJson(run, { trail: trailRecord(trail), token, invite_url: link.url, ...shows });
        return;
      }
      const own = ownCommand(run);
      const naming =
        warnings.length === 0
          ? []
          : [`${counted(warnings.length, 'place')} in them name notes that it does not show.`];
      const lines = [
        `Made the trail "${made.trail.name}" of ${vault}: ${describeTrail(made.trail, systemClock.now())}.`,
        `It shows ${counted(visible, 'note')} of ${visible + hidden}.`,
        ...remarks,
        ...writingRemarks(made.trail),
        ...naming,
        `See them: grove trails preview ${made.trail.id}`,
        ...linkNotes(link),
        'Its token, and its invite link, which are shown this once:',
      ];
      run.stderr.write(withoutControls(`${lines.map((line) => inOwnWords(line, own)).join('\n')}\n`));
      run.stdout.write(`${made.token}\n${link.url}\n`);
    });
}
