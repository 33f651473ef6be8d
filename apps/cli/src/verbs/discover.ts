import { discover } from '@grove/service';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { answer } from './answer.ts';
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
      await answer(run, common, discover, given({ path: note, all, undo, dry_run: dryRun }));
    });
}
