import { type DiscoverAnswer, discover } from '@grove/service';
import type { Command } from 'commander';
import { callVault } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { printAnswer } from './answer.ts';
import { given } from './option-values.ts';

interface DiscoverOptions extends CommonOptions {
  readonly all?: true;
  readonly undo?: true;
  readonly dryRun?: true;
}

/** `grove discover NOTE`, `grove discover --all`, `grove discover --undo` */
export function discoverVerb(command: Command, run: Run): void {
  command
    .description(
      'Add links where notes name others, in commits of their own; or take back those that Grove added',
    )
    .argument('[note]', 'such as Projects/Grove.md')
    .option('--all', 'all notes')
    .option('--undo', 'take back the links that Grove added, in one note or in all')
    .option('--dry-run', 'only tell what would be linked, or taken back')
    .action(async (note: string | undefined, { all, undo, dryRun, ...common }: DiscoverOptions) => {
      if (note === undefined && all !== true && undo !== true)
        command.error("error: name a note, or give '--all' or '--undo'", { exitCode: 2 });
      if (note !== undefined && all === true)
        command.error("error: '--all' does not go with the name of a note", { exitCode: 2 });
      const wish = { path: note, all, undo, dry_run: dryRun };
      const answer = await allOf((from) => callVault(run, common, discover, given({ ...wish, from })));
      printAnswer(run, common, discover, answer);
    });
}

/** Many notes take several calls, whose answers come to one. */
export async function allOf(
  call: (from: string | undefined) => Promise<DiscoverAnswer>,
): Promise<DiscoverAnswer> {
  let sum = await call(undefined);
  while (sum.next !== undefined) {
    const { next, ...more } = await call(sum.next);
    const { next: _, ...before } = sum;
    sum = {
      ...before,
      notes: [...before.notes, ...more.notes],
      notes_total: before.notes_total + more.notes_total,
      links: before.links + more.links,
      commits: [...before.commits, ...more.commits],
      left: [...before.left, ...more.left],
      left_total: before.left_total + more.left_total,
      ...(next === undefined ? {} : { next }),
    };
  }
  return sum;
}
