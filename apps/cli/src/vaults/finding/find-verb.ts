import { shellWord } from '@grove/server/shell';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../../run.ts';
import { ownCommand } from '../../terminal/own-command.ts';
import { printJson, visible } from '../../terminal/print.ts';
import { dataDirOf } from '../vault-of-run.ts';
import { type FoundVault, type FoundVaults, findVaults } from './find-vaults.ts';
import { vaultWords } from './vault-words.ts';

/** `grove vault find` */
export function vaultFind(command: Command, run: Run): void {
  command.action(async () => {
    const options = command.optsWithGlobals<CommonOptions>();
    const found = await findVaultsOfRun(run, options);
    if (options.json === true) {
      printJson(run, { vaults: found.vaults.map(asRecord), remarks: found.remarks });
      return;
    }
    for (const remark of found.remarks) run.stderr.write(`${visible(remark)}\n`);
    run.stdout.write(`${lines(run, found.vaults).join('\n')}\n`);
  });
}

/** The folders of notes on the machine of a run. */
export async function findVaultsOfRun(run: Run, options: CommonOptions): Promise<FoundVaults> {
  const { environment } = run;
  return await findVaults({ environment, platform: process.platform }, dataDirOf(run, options));
}

function asRecord({ foundIn, counted, ...vault }: FoundVault): object {
  return { ...vault, all_counted: counted, found_in: foundIn };
}

function lines(run: Run, vaults: readonly FoundVault[]): readonly string[] {
  const own = ownCommand(run);
  if (vaults.length === 0)
    return [
      'Neither Obsidian, Logseq nor OpenClaw names a folder of notes here.',
      `Any folder of Markdown notes will do: ${own} start --vault DIR`,
    ];
  // A command that shows what is in it in another way than it is could not be run.
  const plain = vaults.find(({ path }) => visible(path) === path);
  const folder = plain === undefined ? 'DIR' : shellWord(plain.path);
  return [...vaults.map(vaultWords), '', `Serve one: ${own} start --vault ${folder}`];
}
