import { once } from 'node:events';
import type { Occupancy } from '@grove/server';
import type { VaultState } from '@grove/vault';
import type { Command } from 'commander';
import { clientConfigs, type StdioCommand } from '../clients/client-configs.ts';
import { describeFailure } from '../failure.ts';
import type { CommonOptions, Run } from '../run.ts';
import { askVaults } from '../serving/ask-vaults.ts';
import { openToServe } from '../serving/open-to-serve.ts';
import { sampleVault } from '../serving/sample.ts';
import { connectText, type Summary, summarise, summaryLine } from '../serving/summary.ts';
import { printJson } from '../terminal/print.ts';
import { progressView } from '../terminal/progress.ts';
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
      const view = options.json === true ? null : progressView(run.stderr);
      try {
        const vaults = await vaultsToStart(run, options);
        for (const vault of vaults) {
          const startedAt = performance.now();
          const named = vaults.length > 1 ? vault.slug : undefined;
          const occupancy = await openToServe(run, options, vault, (progress) => view?.show(progress, named));
          served.push({ vault, startedAt, occupancy });
        }
        const states = await Promise.all(served.map((one) => stateOf(run, one)));
        // Nothing else is written while bars are drawn.
        view?.stop();
        announce(run, options, served, states);
        await serve(run, options, served);
      } finally {
        view?.stop();
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

/** What came of opening a vault: its counts, and what is wrong with its index, if anything. */
interface VaultOutcome {
  readonly summary: Summary;
  readonly problem: string | null;
}

const UNREADABLE = 'The vault folder is not there or cannot be read: what was known of it is served.';

/** Waits for the index; one that cannot be built is told of and does not end the server: reading goes on. */
async function stateOf(run: Run, { occupancy: { opened }, startedAt }: Served): Promise<VaultOutcome> {
  const problem = await Promise.race([opened.ready, stopped(run)]).then(
    () => null,
    (error: unknown) => describeFailure(error).message,
  );
  const away = opened.vault.health().state === 'degraded' ? UNREADABLE : null;
  return { summary: summarise(opened, startedAt), problem: problem ?? away };
}

function announce(
  run: Run,
  options: CommonOptions,
  served: readonly Served[],
  outcomes: readonly VaultOutcome[],
): void {
  if (run.stop.aborted) return;
  for (const { summary, problem } of outcomes)
    if (problem !== null) run.stderr.write(`${summary.slug}: ${problem} Run grove doctor.\n`);
  const commands = served.map(({ vault }) => stdioCommand(run, options, vault, served.length > 1));
  if (options.json === true) {
    const told = outcomes.map(({ summary }, at) => ({
      ...summary,
      command: run.command,
      args: commands[at]?.args ?? [],
    }));
    printJson(run, { ready: true, pid: process.pid, vaults: told });
    return;
  }
  const lines = outcomes.map(({ summary }) => summaryLine(summary)).join('\n');
  run.stdout.write(`${lines}\n\n${connectText(clientConfigs(commands))}\n`);
}

/** How a client starts Grove for this vault: with the same data folder and the same limits. */
function stdioCommand(run: Run, options: CommonOptions, vault: VaultState, several: boolean): StdioCommand {
  const dataDir = dataDirOf(run, options);
  const args = ['stdio', '--vault', vault.root];
  if (dataDir !== run.settings.defaultDataDir) args.push('--data', dataDir);
  return {
    name: several ? `grove-${vault.slug}` : 'grove',
    command: run.command,
    args,
    env: run.settings.limits,
  };
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
