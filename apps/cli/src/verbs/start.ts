import { once } from 'node:events';
import type { Occupancy } from '@grove/server';
import type { VaultState } from '@grove/vault';
import type { Command } from 'commander';
import { clientConfigs } from '../clients/client-configs.ts';
import { describeFailure } from '../failure.ts';
import type { CommonOptions, Run } from '../run.ts';
import { askVaults } from '../serving/ask-vaults.ts';
import { openToServe } from '../serving/open-to-serve.ts';
import { sampleVault } from '../serving/sample.ts';
import { connectText, type Summary, summarise, summaryLine } from '../serving/summary.ts';
import { printJson } from '../terminal/print.ts';
import { PROMPT_HELP } from '../terminal/prompt.ts';
import { chooseVault } from '../vaults/choose-vault.ts';
import { dataDirOf } from '../vaults/vault-of-run.ts';

/** A vault that this process serves. */
interface Served {
  readonly vault: VaultState;
  readonly occupancy: Occupancy;
  readonly startedAt: number;
}

/** `grove start` */
export function startVerb(command: Command, run: Run): void {
  command
    .description('Open a vault, or several, index them, serve them to clients and show how to connect')
    .action(async (options: CommonOptions) => {
      const served: Served[] = [];
      try {
        for (const vault of await vaultsToStart(run, options)) {
          const startedAt = performance.now();
          served.push({ vault, startedAt, occupancy: await openToServe(run, options, vault) });
        }
        await announce(run, options, served);
        await serve(run, options, served);
      } finally {
        await Promise.all(served.map(({ occupancy }) => occupancy.leave()));
      }
    });
}

/** The named vaults, else the only one known, else the sample. */
async function vaultsToStart(run: Run, options: CommonOptions): Promise<readonly VaultState[]> {
  const dataDir = dataDirOf(run, options);
  const names = options.vault.length > 0 ? options.vault : [run.settings.vault];
  const vaults = new Map<string, VaultState>();
  for (const named of names) {
    const chosen = await chooseVault({ named, dataDir, from: run.from });
    if (chosen !== null) vaults.set(chosen.slug, chosen);
  }
  if (vaults.size > 0) return [...vaults.values()];
  if (options.json !== true) run.stderr.write('No vault named: opening a small sample vault.\n');
  return [await sampleVault(dataDir)];
}

async function announce(run: Run, options: CommonOptions, served: readonly Served[]): Promise<void> {
  const dataDir = dataDirOf(run, options);
  const several = served.length > 1;
  const told: (Summary & { readonly command: string; readonly args: readonly string[] })[] = [];
  for (const { vault, occupancy, startedAt } of served) {
    const problem = await readyOrProblem(run, occupancy);
    if (run.stop.aborted) return;
    const summary = summarise(occupancy.opened, startedAt);
    const args = ['stdio', '--vault', vault.root];
    if (dataDir !== run.settings.defaultDataDir) args.push('--data', dataDir);
    told.push({ ...summary, command: run.command, args });
    if (problem !== null) run.stderr.write(`${vault.slug}: ${problem} Run grove doctor.\n`);
    if (options.json === true) continue;
    const configs = clientConfigs({
      name: several ? `grove-${vault.slug}` : 'grove',
      command: run.command,
      args,
      env: run.settings.limits,
    });
    run.stdout.write(`${summaryLine(summary)}\n\n${connectText(configs)}\n`);
  }
  if (options.json === true) printJson(run, { ready: true, pid: process.pid, vaults: told });
}

/** Waits for the index; an index that cannot be built is told of and does not end the server: reading goes on. */
async function readyOrProblem(run: Run, { opened }: Occupancy): Promise<string | null> {
  try {
    await Promise.race([opened.ready, stopped(run)]);
    return null;
  } catch (error) {
    return describeFailure(error).message;
  }
}

async function serve(run: Run, options: CommonOptions, served: readonly Served[]): Promise<void> {
  if (run.stop.aborted) return;
  if (!run.stdin.isTTY || options.json === true) {
    // The listening sockets keep the process; stdin is not read.
    if (options.json !== true) run.stdout.write('Serving. Stop with Ctrl-C.\n');
    await stopped(run);
    return;
  }
  run.stdout.write(`${PROMPT_HELP}\n\n`);
  await askVaults(
    run,
    served.map(({ occupancy }) => occupancy.opened),
  );
}

async function stopped(run: Run): Promise<void> {
  if (!run.stop.aborted) await once(run.stop, 'abort');
}
