import {
  grantRecord,
  keyRecord,
  parseSince,
  trailRecord,
  type UsageRecord,
  usageRecord,
} from '@grove/access';
import { systemClock } from '@grove/core';
import type { Command } from 'commander';
import { keyTable } from '../keys/key-table.ts';
import { relativeTime } from '../keys/relative-time.ts';
import type { CommonOptions, Run } from '../run.ts';
import { inOwnWords, ownCommand } from '../terminal/own-command.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { withControl } from '../vaults/with-control.ts';
import { grantTable } from '../verbs/grants.ts';
import { previewOfRun } from './preview-of-run.ts';
import { counted, describeTrail, previewText, trailTable } from './trail-text.ts';

/** `grove trails list|show|usage|preview` */
export function lookAtTrails(
  commands: Readonly<Record<'list' | 'show' | 'usage' | 'preview', Command>>,
  run: Run,
): void {
  listTrails(commands.list, run);
  showTrail(commands.show, run);
  trailUsage(commands.usage, run);
  previewTrail(commands.preview, run);
}

function listTrails(command: Command, run: Run): void {
  command.action(async () => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const trails = withControl(run, options, (control) => control.trails.list({ vault }));
    if (options.json === true) printJson(run, { vault, trails: trails.map(trailRecord) });
    else if (trails.length === 0)
      run.stdout.write(
        `${vault} has no trail. Share a part of it: ${ownCommand(run)} trails create NAME --allow-tags TAG\n`,
      );
    else run.stdout.write(withoutControls(`${trailTable(trails, systemClock.now())}\n`));
  });
}

function showTrail(command: Command, run: Run): void {
  command.argument('<trail>', 'its name or id').action(async (reference: string) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const { trail, tokens, grants } = withControl(run, options, (control) => {
      const found = control.trails.find(reference, { vault });
      return {
        trail: found,
        tokens: control.keys.list({ trail: found.id }),
        grants: control.grants.list({ vault }).filter((grant) => grant.trail === found.id),
      };
    });
    if (options.json === true) {
      printJson(run, {
        trail: trailRecord(trail),
        tokens: tokens.map(keyRecord),
        grants: grants.map(grantRecord),
      });
      return;
    }
    const now = systemClock.now();
    const parts = [
      `${trail.name}: ${describeTrail(trail, now)}`,
      tokens.length === 0 ? 'It has no token.' : keyTable(tokens, now),
      grants.length === 0
        ? 'No OAuth client was let in by it.'
        : grantTable(grants, new Map([[trail.id, trail.name]]), now),
    ];
    run.stdout.write(withoutControls(`${parts.join('\n\n')}\n`));
  });
}

function trailUsage(command: Command, run: Run): void {
  command
    .argument('<trail>', 'its name or id')
    .option('--since <when>', 'from then on: 7d, 12h, a day or an ISO time (default: all that is kept)')
    .action(async (reference: string, words: { readonly since?: string }) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const vault = await slugOfRun(run, options);
      const since = words.since === undefined ? undefined : parseSince(words.since, systemClock);
      const { trail, usage } = withControl(run, options, ({ trails, audit }) => {
        const found = trails.find(reference, { vault });
        return { trail: found, usage: usageRecord(audit.sum({ trail: found.id, since })) };
      });
      if (options.json === true) printJson(run, { trail: trailRecord(trail), ...usage });
      else run.stdout.write(withoutControls(`${usageText(trail.name, usage)}\n`));
    });
}

function previewTrail(command: Command, run: Run): void {
  command
    .argument('<trail>', 'its name or id')
    .argument('[note]', 'a note, by any of its names: why it is in or out')
    .action(async (reference: string, note: string | undefined) => {
      const options = command.optsWithGlobals<CommonOptions>();
      const vault = await slugOfRun(run, options);
      const trail = withControl(run, options, ({ trails }) => trails.find(reference, { vault }));
      const preview = await previewOfRun(run, options, trail.rules, note ?? null);
      if (options.json === true) {
        printJson(run, { trail: trailRecord(trail), ...preview });
        return;
      }
      const text = inOwnWords(previewText(trail.name, preview), ownCommand(run));
      run.stdout.write(withoutControls(`${text}\n`));
    });
}

function usageText(name: string, usage: UsageRecord): string {
  if (usage.calls === 0) return `The trail "${name}" was not used.`;
  const last =
    usage.last_at === null ? '' : `, last ${relativeTime(Date.parse(usage.last_at), systemClock.now())}`;
  const days = usage.days.map(({ day, calls, notes, refused }) => [
    day,
    String(calls),
    String(notes),
    String(refused),
  ]);
  return [
    `The trail "${name}": ${counted(usage.calls, 'call')}, ${counted(usage.notes, 'note')} in answers, ${usage.refused} refused${last}.`,
    '',
    plainTable(['day (UTC)', 'calls', 'notes', 'refused'], days),
  ].join('\n');
}
