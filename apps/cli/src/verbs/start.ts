import { once } from 'node:events';
import { compileRules, createLog, type Occupancy, rulesOrNone } from '@grove/server';
import {
  type AnyOperation,
  answerCall,
  get,
  listNotes,
  type OpenedVault,
  query,
  vaultStatus,
} from '@grove/service';
import type { VaultState } from '@grove/vault';
import type { Command } from 'commander';
import { OWNER } from '../calls/call-vault.ts';
import { clientConfigs } from '../clients/client-configs.ts';
import type { CommonOptions, Run } from '../run.ts';
import { sampleVault } from '../serving/sample.ts';
import { connectText, type Summary, summarise, summaryLine } from '../serving/summary.ts';
import { takeOver } from '../serving/take-over.ts';
import { printJson, printMarkdown } from '../terminal/print.ts';
import { progressView } from '../terminal/progress.ts';
import { PROMPT_HELP, runPrompt } from '../terminal/prompt.ts';
import { chooseVault } from '../vaults/choose-vault.ts';
import { dataDirOf, occupancyOptions } from '../vaults/vault-of-run.ts';

/** `grove start` */
export function startVerb(command: Command, run: Run): void {
  command
    .description('Open a vault, index it, serve it to clients and show how to connect them')
    .action(async (options: CommonOptions) => {
      const startedAt = performance.now();
      const vault = await vaultToStart(run, options);
      const occupancy = await open(run, options, vault);
      try {
        await occupancy.opened.ready;
        const summary = summarise(occupancy.opened, startedAt);
        announce(run, options, vault, summary);
        await serve(run, options, occupancy.opened);
      } finally {
        await occupancy.leave();
      }
    });
}

async function vaultToStart(run: Run, options: CommonOptions): Promise<VaultState> {
  const dataDir = dataDirOf(run, options);
  const named = options.vault ?? run.settings.vault;
  const chosen = await chooseVault({ named, dataDir, from: run.from });
  if (chosen !== null) return chosen;
  if (options.json !== true) run.stderr.write('No vault named: opening a small sample vault.\n');
  return await sampleVault(dataDir);
}

async function open(run: Run, options: CommonOptions, vault: VaultState): Promise<Occupancy> {
  const view = progressView(run.stderr);
  const base = occupancyOptions(run, options, vault, 'server', createLog(run.settings.logLevel));
  const occupancy = await takeOver(
    {
      ...base,
      // Whoever comes through the server is held by its limits, whatever their own are.
      policy: compileRules(run.settings.rules),
      onOpened: (opened) => {
        if (options.json === true) return;
        const stop = opened.onProgress((progress) => {
          if (progress.phase !== 'history') view.show(progress);
        });
        const end = (): void => {
          stop();
          view.stop();
        };
        opened.ready.then(end, end);
      },
    },
    run.stop,
  );
  return occupancy;
}

function announce(run: Run, options: CommonOptions, vault: VaultState, summary: Summary): void {
  const dataDir = dataDirOf(run, options);
  const args = ['stdio', '--vault', vault.root];
  if (dataDir !== run.settings.defaultDataDir) args.push('--data', dataDir);
  const configs = clientConfigs({ command: run.command, args, env: run.settings.limits });
  if (options.json === true) {
    printJson(run, { ready: true, ...summary, command: run.command, args });
    return;
  }
  run.stdout.write(`${summaryLine(summary)}\n\n${connectText(configs)}\n`);
}

async function serve(run: Run, options: CommonOptions, opened: OpenedVault): Promise<void> {
  if (run.stop.aborted) return;
  if (!run.stdin.isTTY || options.json === true) {
    // A listening socket and this wait keep the process; stdin is not read.
    if (options.json !== true) run.stdout.write('Serving. Stop with Ctrl-C.\n');
    await once(run.stop, 'abort');
    return;
  }
  run.stdout.write(`${PROMPT_HELP}\n\n`);
  const scope = opened.scope(OWNER, rulesOrNone(compileRules(run.settings.rules)));
  const ask = async (operation: AnyOperation, input: unknown): Promise<string> =>
    (await answerCall(operation, scope, input)).text;
  await runPrompt(
    {
      input: run.stdin,
      output: run.stdout,
      show: (markdown) => printMarkdown(run, markdown),
      stop: run.stop,
    },
    {
      search: (words) => ask(query, { query: words }),
      get: (path) => ask(get, { path }),
      list: () => ask(listNotes, { limit: 20 }),
      status: () => ask(vaultStatus, { mode: 'health' }),
    },
  );
}
