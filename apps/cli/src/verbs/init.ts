import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { GroveError } from '@grove/core';
import { compileRules } from '@grove/server';
import { type Habits, noGitTimes, openVault, proposeVaultFile, readHabits, VAULT_FILE } from '@grove/vault';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { ownCommand } from '../terminal/own-command.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { hasVaultFile, writeVaultFile } from '../vaults/vault-file.ts';
import { vaultOf } from '../vaults/vault-of-run.ts';

interface InitOptions extends CommonOptions {
  readonly write?: boolean;
  readonly force?: boolean;
}

/** `grove init` */
export function initVerb(command: Command, run: Run): void {
  command
    .description(`Read the habits of the vault and propose rules for it: types, fields, folders, journal`)
    .option('--write', `write the proposal to ${VAULT_FILE}`)
    .option('--force', 'with --write: replace the file that is there; it is kept as vault.yaml.old')
    .action(async (options: InitOptions) => {
      const { slug, root } = await vaultOf(run, options);
      const wants = options.write === true;
      const exists = await hasVaultFile(root);
      if (wants && run.settings.rules.readOnly) throw new GroveError('read_only');
      // Told before the notes are read, which may take a while.
      if (wants && exists && options.force !== true) throw new GroveError('vault_file_exists');
      const habits = await habitsOf(run, root);
      const yaml = proposeVaultFile(habits);
      if (wants) await writeVaultFile(root, yaml, options.force === true);
      if (options.json === true)
        return printJson(run, { vault: slug, file: VAULT_FILE, exists, written: wants, habits, yaml });
      run.stdout.write(withoutControls(yaml));
      // Beside the proposal, so that it can be put into a file as it is.
      run.stderr.write(`${nextStep({ run, wants, exists })}\n`);
    });
}

/** Reads the folder on its own: a server that has the vault open is not asked and not held up. */
async function habitsOf(run: Run, root: string): Promise<Habits> {
  const stateDir = await mkdtemp(join(tmpdir(), 'grove-init-'));
  try {
    const vault = await openVault({
      root,
      stateDir,
      slug: 'init',
      gitDir: null,
      times: noGitTimes,
      poll: true,
      policy: compileRules(run.settings.rules),
      listenerGraceMs: 0,
    });
    try {
      await vault.ready;
      return readHabits(vault.ownerView());
    } finally {
      await vault.close();
    }
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

function nextStep({ run, wants, exists }: { run: Run; wants: boolean; exists: boolean }): string {
  const grove = ownCommand(run);
  if (wants)
    return `Written to ${VAULT_FILE}; it holds within seconds, also in a running server. "${grove} status" names slips in it.`;
  if (exists)
    return `${VAULT_FILE} is there already and was left alone; ${grove} init --write --force replaces it.`;
  return `Nothing was written; ${grove} init --write writes it to ${VAULT_FILE}.`;
}
