import { type TrailFacts, type Trails, trailRecord } from '@grove/access';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { withControl } from '../vaults/with-control.ts';

/** `grove trails disable|enable|delete` */
export function switchTrails(
  commands: Readonly<Record<'disable' | 'enable' | 'delete', Command>>,
  run: Run,
): void {
  changes(
    commands.disable,
    run,
    (trails, { id }) => trails.disable(id),
    (name) => `Disabled the trail "${name}": nobody is let in by it until it is enabled.`,
  );
  changes(
    commands.enable,
    run,
    (trails, { id }) => trails.enable(id),
    (name, state) =>
      state === 'expired'
        ? `Enabled the trail "${name}", but it has expired: give it another end with grove trails update --expires.`
        : `Enabled the trail "${name}".`,
  );
  changes(
    commands.delete,
    run,
    (trails, trail) => {
      trails.remove(trail.id);
      return trail;
    },
    (name) => `Deleted the trail "${name}" with its tokens, its invite link and its grants.`,
  );
}

function changes(
  command: Command,
  run: Run,
  change: (trails: Trails, trail: TrailFacts) => TrailFacts,
  sentence: (name: string, state: TrailFacts['state']) => string,
): void {
  command.argument('<trail>', 'its name or id').action(async (reference: string) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const trail = withControl(run, options, ({ trails }) =>
      change(trails, trails.find(reference, { vault })),
    );
    if (options.json === true) printJson(run, { trail: trailRecord(trail) });
    else run.stdout.write(withoutControls(`${sentence(trail.name, trail.state)}\n`));
  });
}
