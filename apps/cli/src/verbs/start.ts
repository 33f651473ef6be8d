import { once } from 'node:events';
import { type Control, openControl } from '@grove/access';
import { GroveError, systemClock } from '@grove/core';
import {
  DEFAULT_LIMITS,
  type HttpAddress,
  mcpAddress,
  type Occupancy,
  ownUrl,
  parseServerNames,
} from '@grove/server';
import type { HttpServing } from '@grove/server/http';
import { locateState, type VaultState } from '@grove/vault';
import type { Command } from 'commander';
import { processEmbedding } from '../embedding/process-embedding.ts';
import type { CommonOptions, Run } from '../run.ts';
import { announce } from '../serving/announce.ts';
import { askVaults } from '../serving/ask-vaults.ts';
import { chooseFound } from '../serving/choose-found.ts';
import { requireLiveKeys } from '../serving/first-keys.ts';
import { endForeignGrants } from '../serving/foreign-grants.ts';
import { openToServe } from '../serving/open-to-serve.ts';
import { takePassphraseFile } from '../serving/owner-access.ts';
import { readUpstreams } from '../serving/read-upstreams.ts';
import { requireSafeSignIn } from '../serving/readable-server.ts';
import { requirePort } from '../serving/require-port.ts';
import { sampleVault } from '../serving/sample.ts';
import { outcomeOf, type Served } from '../serving/served.ts';
import { askForWrites, type WriteAnswers } from '../serving/write-question.ts';
import { addSettingFlags, unlessPrinted } from '../settings/flags.ts';
import { readSync } from '../settings/read-sync.ts';
import type { ServerSettings } from '../settings/settings.ts';
import type { SyncSettings } from '../settings/sync-settings.ts';
import { syncWish } from '../syncing/sync-wish.ts';
import { type ProgressView, progressView } from '../terminal/progress.ts';
import { PROMPT_GREETING } from '../terminal/prompt.ts';
import { servingLog } from '../terminal/run-log.ts';
import { chooseVault } from '../vaults/choose-vault.ts';
import { dataDirOf } from '../vaults/vault-of-run.ts';

interface StartOptions extends CommonOptions {
  readonly writes?: boolean;
  readonly gitInit?: boolean;
  readonly yes?: boolean;
  readonly printConfig?: boolean;
}

/** How long a request that changes keys may hold up all others while another process changes keys. */
const CHANGE_PATIENCE_MS = 500;

/** `grove start` */
export function startVerb(command: Command, run: Run): void {
  addSettingFlags(command, 'start')
    .option('--writes', 'let clients change notes, from now on (grove vault writes off takes it back)')
    .option(
      '--git-init',
      'put .git into the folder, with the history that Grove kept for it (docs/history.md)',
    )
    .option('--yes', 'with --git-init: also into a folder that Syncthing, Dropbox or the like keep')
    .description('Open a vault, or several, index them, serve them over MCP and REST and show how to connect')
    .action(
      unlessPrinted(run, async (options: StartOptions) => {
        // What can be refused is refused before any long work.
        if (options.yes === true && options.gitInit !== true)
          throw new GroveError('bad_input', { reason: '"--yes" says something only beside "--git-init"' });
        const asked = run.settings.server;
        requireSafeSignIn(run.settings, asked);
        const { anyAddress: beyond } = parseServerNames(asked, asked.publicUrl);
        // What OAuth tokens are good for holds the port.
        const server = { ...asked, port: await requirePort(run, options, asked) };
        const control = openControl({
          dataDir: dataDirOf(run, options),
          clock: systemClock,
          changePatienceMs: CHANGE_PATIENCE_MS,
          retentionDays: run.settings.auditDays,
          resource: mcpAddress(ownUrl(server)),
        });
        try {
          endForeignGrants(run, control, server);
          await takePassphraseFile(run, control);
          const vaults = await vaultsToStart(run, options);
          if (beyond) requireLiveKeys(control.keys, vaults);
          const writes = await askForWrites(run, options, vaults);
          await serveVaults(run, options, { server, beyond, control, vaults, writes });
        } finally {
          control.close();
        }
      }),
    );
}

interface Start {
  readonly server: ServerSettings;
  /** True when other machines reach it. */
  readonly beyond: boolean;
  readonly control: Control;
  readonly vaults: readonly VaultState[];
  readonly writes: WriteAnswers;
}

async function serveVaults(run: Run, options: StartOptions, start: Start): Promise<void> {
  const { server, beyond, control, vaults, writes } = start;
  const served: Served[] = [];
  const embedding = processEmbedding(run.settings.embedder, dataDirOf(run, options), 'always');
  const sync = await readSync(run);
  const view = options.json === true ? null : progressView(run.stderr);
  let http: HttpServing | null = null;
  let closed = false;
  const address = (): HttpAddress | null => {
    if (http === null || closed) return null;
    const proxies = { named: run.settings.trustedProxies.length > 0, unnamed: http.unnamedProxy() };
    return { url: http.url, publicUrl: server.publicUrl, proxies };
  };
  try {
    for (const vault of vaults) {
      const startedAt = performance.now();
      const named = vaults.length > 1 ? vault.slug : undefined;
      const occupancy = await openToServe(run, options, vault, {
        publicUrl: server.publicUrl,
        http: address,
        audit: control.audit,
        embedding,
        show: (progress) => view?.show(progress, named),
        sync: syncWish(sync, { byItself: true }),
        gitInside: options.gitInit === true ? { evenIfSynced: options.yes === true } : null,
      });
      served.push({ vault, startedAt, occupancy });
      const decided = writes.get(vault.slug);
      if (decided !== undefined) await occupancy.opened.writes.switch(decided);
    }
    if (run.stop.aborted) return;
    http = await listen(run, start, served, sync);
    view?.say(`Listening on ${http.url}`);
    const outcomes = await Promise.all(served.map((one) => outcomeOf(one, stopped(run))));
    // Nothing else is written while bars are drawn.
    view?.stop();
    if (run.stop.aborted) return;
    announce(run, options, { server, beyond, control, served, outcomes, http });
    await untilEnd(run, options, served);
  } finally {
    await end(view, served, http, () => {
      closed = true;
    }).finally(() => embedding.close());
  }
}

/** HTTP first, so that no request meets a vault that is closing. */
async function end(
  view: ProgressView | null,
  served: readonly Served[],
  http: HttpServing | null,
  unlisted: () => void,
): Promise<void> {
  view?.stop();
  unlisted();
  try {
    await http?.close();
  } finally {
    await Promise.all(served.map(({ occupancy }) => occupancy.leave()));
  }
}

async function listen(
  run: Run,
  { server, control }: Start,
  served: readonly { readonly occupancy: Occupancy }[],
  { webhookSecret }: SyncSettings,
): Promise<HttpServing> {
  const { host, port, publicUrl, allowedHosts, allowedOrigins } = server;
  // Short commands do not load it.
  const { serveHttp } = await import('@grove/server/http');
  return await serveHttp(
    {
      control,
      vaults: served.map(({ occupancy }) => occupancy.opened),
      localCalls: served.flatMap(({ occupancy }) => occupancy.recorder ?? []),
      version: run.version,
      log: servingLog(run),
      clock: systemClock,
      publicUrl,
      names: { host, allowedHosts, allowedOrigins },
      limits: DEFAULT_LIMITS,
      callLimits: run.settings.callLimits,
      trustedProxies: run.settings.trustedProxies,
      webhookSecret,
      upstreams: await readUpstreams(run, run.settings.upstreams),
    },
    { host, port },
  );
}

/** The named vaults, else the only one known, else one that is found here and chosen, else the sample. */
async function vaultsToStart(run: Run, options: CommonOptions): Promise<readonly VaultState[]> {
  const dataDir = dataDirOf(run, options);
  const { vaults: set } = run.settings;
  const names = set.length > 0 ? set : [null];
  const vaults = new Map<string, VaultState>();
  for (const named of names) {
    const chosen = await chooseVault({ named, dataDir, from: run.from });
    if (chosen !== null) vaults.set(chosen.slug, chosen);
  }
  if (vaults.size > 0) return [...vaults.values()];
  const found = await chooseFound(run, options);
  if (found !== null) return [await locateState(dataDir, found)];
  if (options.json !== true)
    run.stderr.write('No vault named: opening a small sample vault. Your own notes: --vault DIR\n');
  return [await sampleVault(dataDir)];
}

async function untilEnd(run: Run, options: CommonOptions, served: readonly Served[]): Promise<void> {
  if (!run.stdin.isTTY || options.json === true) {
    // The listening sockets keep the process; stdin is not read.
    if (options.json !== true) run.stdout.write('Serving. Stop with Ctrl-C.\n');
    await stopped(run);
    return;
  }
  run.stdout.write(`${PROMPT_GREETING}\n\n`);
  await askVaults(
    run,
    served.map(({ occupancy }) => occupancy.opened),
  );
}

async function stopped(run: Run): Promise<void> {
  if (!run.stop.aborted) await once(run.stop, 'abort');
}
