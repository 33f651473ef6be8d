import { type GrantFacts, grantRecord } from '@grove/access';
import { systemClock } from '@grove/core';
import type { Command } from 'commander';
import { momentText } from '../keys/key-table.ts';
import { relativeTime } from '../keys/relative-time.ts';
import type { CommonOptions, Run } from '../run.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { printJson, visible, withoutControls } from '../terminal/print.ts';
import { slugOfRun } from '../vaults/slug-of-run.ts';
import { withControl } from '../vaults/with-control.ts';
import { subcommand } from './subcommand.ts';

const HEAD = ['id', 'client', 'goes back to', 'trail', 'scopes', 'made', 'last use', 'state'];

/** `grove grants list|revoke` */
export function grantsVerb(command: Command, run: Run): void {
  command.description('List and revoke what OAuth clients, such as Claude or ChatGPT, were let in to');
  listGrants(subcommand(command, 'list', 'list the grants, ended ones too'), run);
  revokeGrant(subcommand(command, 'revoke', 'end a grant: its client is let in no more'), run);
}

function listGrants(command: Command, run: Run): void {
  command.action(async () => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const { grants, names } = withControl(run, options, (control) => ({
      grants: control.grants.list({ vault }),
      names: new Map(control.trails.list({ vault }).map(({ id, name }) => [id, name])),
    }));
    if (options.json === true) printJson(run, { vault, grants: grants.map(grantRecord) });
    else if (grants.length === 0) run.stdout.write(`No OAuth client was let in to ${vault}.\n`);
    else run.stdout.write(withoutControls(`${grantTable(grants, names, systemClock.now())}\n`));
  });
}

function revokeGrant(command: Command, run: Run): void {
  command.argument('<grant>', 'its id').action(async (id: string) => {
    const options = command.optsWithGlobals<CommonOptions>();
    const vault = await slugOfRun(run, options);
    const grant = withControl(run, options, ({ grants }) => grants.revoke(grants.find(id, { vault }).id));
    if (options.json === true) printJson(run, { grant: grantRecord(grant) });
    else
      run.stdout.write(
        withoutControls(`Revoked the grant of ${visible(grant.clientName)} to ${grant.vault}.\n`),
      );
  });
}

/** Grants as a table, one a line. */
export function grantTable(
  grants: readonly GrantFacts[],
  trails: ReadonlyMap<string, string>,
  now: number,
): string {
  return plainTable(
    HEAD,
    grants.map((grant) => [
      grant.id,
      visible(grant.clientName),
      visible(grant.redirectHost),
      grant.trail === null ? '' : (trails.get(grant.trail) ?? grant.trail),
      grant.scopes.join(','),
      relativeTime(grant.createdAt, now),
      momentText(grant.lastUsedAt, now),
      grant.state,
    ]),
  );
}
