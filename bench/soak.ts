/**
 * A server under mixed load for as long as is wanted: ten clients, half of them over MCP and half over REST, query, read and
 * write; files change outside; a colleague pushes to the remote that the server pulls from and pushes to. Tells how
 * memory and folders grow, what failed, and how answers compare with those to one client alone. All notes have their
 * vectors at the start, and the local model embeds queries and what is written.
 *
 * node bench/soak.ts [--minutes 30] [--clients 10] [--pause 500] [--notes 10000] [--no-sync] [--svg FILE]
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { bodyQueries, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { fillVectors } from './drawn-vectors.ts';
import { machineLine, p50p95, percentile, table } from './figures.ts';
import { type HttpServer, startHttpServer } from './http-server.ts';
import { Loads, type Sample } from './soak-clients.ts';
import { chartOf, slopeOf, svgOf, Watch } from './soak-memory.ts';
import { changeOutside, startRemote } from './soak-outside.ts';
import { makeWriteVault } from './write-vault.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '30' },
    clients: { type: 'string', default: '10' },
    pause: { type: 'string', default: '500' },
    notes: { type: 'string', default: '10000' },
    'no-sync': { type: 'boolean', default: false },
    svg: { type: 'string' },
  },
});
/** Texts that the model embeds before the start; the vectors of the others are drawn around theirs. */
const EMBEDDED = 500;
const lastsMs = Number(values.minutes) * 60_000;
const pauseMs = Number(values.pause);
/** One client alone, to compare with. */
const IDLE_MS = Math.min(60_000, lastsMs / 2);
/** What a server loads, compiles and fills in its first minutes is no growth. */
const WARM_UP_SHARE = 0.25;

/** Names of what was measured, with the figures of both times. */
function latencies(idle: readonly Sample[], busy: readonly Sample[]): (string | number)[][] {
  const kinds = [...new Set(busy.map(({ kind }) => kind))].sort();
  return kinds.map((kind) => {
    const [alone, together] = [idle, busy].map((samples) =>
      samples.filter((sample) => sample.kind === kind).map(({ ms }) => ms),
    ) as [number[], number[]];
    const factor = percentile(together, 0.95) / percentile(alone, 0.95);
    return [kind, alone.length, p50p95(alone), together.length, p50p95(together), `${factor.toFixed(2)}x`];
  });
}

/** How the server says that sync stands. */
async function syncState({ url, adminKey }: HttpServer): Promise<string> {
  const answer = await fetch(`${url}/v1/sync`, { headers: { authorization: `Bearer ${adminKey}` } });
  return (await answer.text()).trim();
}

const scratch = scratchFolder('soak');
const [root, data] = [join(scratch, 'vault'), join(scratch, 'data')];
mkdirSync(data);
const pages = unpackPages(scratch);
const vault = makeWriteVault(pages, root, Number(values.notes), false);
const remote = values['no-sync'] ? null : await startRemote(root, scratch);
const texts = [...titleQueries().map(({ q }) => q), ...bodyQueries(pages, 200)];
process.env.GROVE_EMBEDDER ??= 'local';
if (process.env.GROVE_EMBEDDER === 'local') await fillVectors(root, data, EMBEDDED);
const server = await startHttpServer(root, data);
const stop = new AbortController();
try {
  await server.grove('vault', 'writes', 'on');
  const made = await server.grove('keys', 'create', 'soak', '--scopes', 'write');
  const { token } = JSON.parse(made) as { readonly token: string };
  const load = { url: server.url, token, texts, paths: vault.paths };
  // One at a time, with shorter pauses: as many answers as there are to compare with.
  const idle = await new Loads({ ...load, pauseMs: pauseMs / 10 }).run(1, AbortSignal.timeout(IDLE_MS));
  const loads = new Loads({ ...load, pauseMs });

  const watch = new Watch(server.pid, { 'data folder': data, 'git dir': join(root, '.git') });
  const signal = AbortSignal.any([stop.signal, AbortSignal.timeout(lastsMs)]);
  const outside = [
    changeOutside(root, vault.paths, signal),
    ...(remote === null ? [] : [remote.colleague(signal)]),
  ];
  const [busy] = await Promise.all([
    loads.run(Number(values.clients), signal),
    watch.run(signal),
    ...outside,
  ]);
  // What still runs in the background is waited for.
  await sleep(5_000);
  watch.look();

  const steady = watch.looks.slice(Math.floor(watch.looks.length * WARM_UP_SHARE));
  const first = steady[0] ?? watch.looks[0]!;
  const last = watch.looks.at(-1)!;
  console.log(
    `${machineLine()}; ${values.minutes} minutes, ${values.clients} clients, a pause of ${pauseMs} ms each\n`,
  );
  console.log(
    table(
      ['call', 'alone', 'p50 / p95 ms', 'under load', 'p50 / p95 ms', 'p95 against alone'],
      latencies(idle.samples, busy.samples),
    ),
  );
  const errors = [...idle.errors, ...busy.errors];
  console.log(
    `\nErrors: ${errors.length}${errors.length === 0 ? '' : `, the first: ${errors.slice(0, 5).join('; ')}`}`,
  );
  console.log(`Outside: ${(await Promise.all(outside)).join('; ')}`);
  if (remote !== null) console.log(`Sync: ${await syncState(server)}`);
  const rates = busy.samples.length / (lastsMs / 1000);
  console.log(`Calls a second under load: ${rates.toFixed(1)}\n`);
  console.log(
    table(
      ['', 'at the start', 'after warm-up', 'at the end', 'most'],
      [
        ['RSS of the server, MB', watch.looks[0]!.rss, first.rss, last.rss, watch.most('rss')],
        [
          'RSS of its children, MB',
          watch.looks[0]!.children,
          first.children,
          last.children,
          watch.most('children'),
        ],
        ...watch.folderRows(first, last),
      ],
    ),
  );
  console.log(`\nRSS after warm-up: ${slopeOf(steady).toFixed(2)} MB a minute\n\n${chartOf(watch.looks)}`);
  if (values.svg !== undefined) writeFileSync(values.svg, svgOf(watch.looks));
  process.exitCode = errors.length === 0 ? 0 : 1;
} finally {
  stop.abort();
  await server.close();
  await remote?.close();
  rmSync(scratch, { recursive: true, force: true });
}
