import { switchOwnersWrites, type WritesState } from '@grove/server';
import { Argument, type Command } from 'commander';
import { throughOwner } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { verbLog } from '../terminal/run-log.ts';
import { vaultFind } from '../vaults/finding/find-verb.ts';
import { occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';
import { subcommand } from './subcommand.ts';
import { vaultFolder } from './vault-folder.ts';

/** `grove vault writes on|off`, `grove vault find`, `grove vault folder DIR` */
export function vaultVerb(command: Command, run: Run): void {
  command.description('Find vaults, and say what clients may do with one');
  vaultFind(subcommand(command, 'find', 'list the folders of notes on this machine'), run);
  vaultFolder(
    subcommand(command, 'folder', 'say where the folder of a known vault is now, or write its notes anew'),
    run,
  );
  subcommand(
    command,
    'writes',
    'Say whether clients may change notes, or switch that on or off: at once, for every client',
  )
    .addArgument(
      new Argument('[state]', 'on or off; tells how it stands when left out').choices(['on', 'off']),
    )
    .action(async (state: string | undefined, _options: unknown, own: Command) => {
      const options = own.optsWithGlobals<CommonOptions>();
      const vault = await vaultOf(run, options);
      const { on, problem } = await switchWrites(
        run,
        options,
        vault,
        state === undefined ? null : state === 'on',
      );
      if (options.json === true) printJson(run, { slug: vault.slug, writes: on, problem });
      else run.stdout.write(withoutControls(`${sentence(vault.slug, on, problem)}\n`));
    });
}

async function switchWrites(
  run: Run,
  options: CommonOptions,
  vault: Awaited<ReturnType<typeof vaultOf>>,
  on: boolean | null,
): Promise<WritesState> {
  return await throughOwner(
    occupancyOptions(run, options, vault, 'cli', verbLog(run)),
    async ({ writes }) => {
      if (on !== null) await writes.switch(on);
      return { on: writes.on, problem: writes.problem };
    },
    (address) => switchOwnersWrites(address, on),
  );
}

function sentence(slug: string, on: boolean, problem: string | null): string {
  if (!on) return `Clients may only read ${slug}.`;
  return problem === null
    ? `Clients may change notes in ${slug}; each change is a commit.`
    : `Clients may change notes in ${slug}, but it cannot be written: ${problem}`;
}
