import { rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bodyQueries, markdownFiles, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { machineLine, p50p95, percentile, table, timed } from './figures.ts';
import { type LoadFigures, type LoadRequest, load } from './http-load.ts';
import { mcpQuery, restNote, restQuery } from './http-requests.ts';
import { type HttpServer, type ProbeFigures, startHttpServer } from './http-server.ts';
import { memoryOf } from './stdio-session.ts';

const CLIENTS = 50;
/** Requests of the 50 clients together, and of the two connections beside a reindex at most. */
const MANY = 2_500;

interface Kind {
  readonly name: string;
  /** What was asked for, at p50 of one connection. */
  readonly asked: string;
  readonly requests: readonly LoadRequest[];
}

async function etagsOf(server: HttpServer, paths: readonly string[]): Promise<readonly string[]> {
  const etags: string[] = [];
  for (const path of paths) {
    const { path: target, headers } = restNote(server.key, path);
    const answer = await fetch(`${server.url}${target}`, { headers: { ...headers } });
    await answer.arrayBuffer();
    etags.push(answer.headers.get('etag') ?? '"none"');
  }
  return etags;
}

async function kindsOf(server: HttpServer, pages: string): Promise<readonly Kind[]> {
  const texts = [...titleQueries().map(({ q }) => q), ...bodyQueries(pages, 200)];
  const files = markdownFiles(pages);
  const paths = Array.from({ length: 250 }, (_, at) => files[(at * 7919) % files.length]!);
  const etags = await etagsOf(server, paths);
  const { key } = server;
  return [
    {
      name: 'MCP 2025-11-25, query',
      asked: '<= 5',
      requests: texts.map((text) => mcpQuery('2025-11-25', key, text)),
    },
    {
      name: 'MCP 2026-07-28, query',
      asked: '<= 5',
      requests: texts.map((text) => mcpQuery('2026-07-28', key, text)),
    },
    { name: 'REST, GET /v1/query', asked: '<= 4', requests: texts.map((text) => restQuery(key, text)) },
    { name: 'REST, a note', asked: '-', requests: paths.map((path) => restNote(key, path)) },
    {
      name: 'REST, a note unchanged (304)',
      asked: '-',
      requests: paths.map((path, at) => restNote(key, path, etags[at])),
    },
  ];
}

function errorsOf({ errors, firstError }: LoadFigures): string {
  return firstError === null
    ? String(errors)
    : `${errors}: ${firstError.replaceAll('|', ' ').replaceAll('\n', ' ')}`;
}

async function oneAndMany(server: HttpServer, kind: Kind): Promise<(string | number)[]> {
  const { requests } = kind;
  const first = await load(server.url, requests, 1, requests.length);
  const warm = await load(server.url, requests, 1, 2 * requests.length);
  const many = await load(server.url, requests, CLIENTS, MANY);
  const [middle, high] = [percentile(many.samples, 0.5), percentile(many.samples, 0.95)];
  return [
    kind.name,
    `${p50p95(warm.samples)} (first pass ${p50p95(first.samples)})`,
    kind.asked,
    errorsOf({
      ...warm,
      errors: warm.errors + first.errors,
      firstError: first.firstError ?? warm.firstError,
    }),
    `${middle.toFixed(1)} / ${high.toFixed(1)} (${(high / middle).toFixed(2)}x)`,
    Math.round(many.samples.length / many.seconds),
    errorsOf(many),
    memoryOf(server.pid).rss,
    loadavg()[0]!.toFixed(1),
  ];
}

/** Two connections go on with MCP and REST queries while `grove reindex` runs. */
async function besideReindex(server: HttpServer, kinds: readonly Kind[]) {
  let running = true;
  const ask = async ({ requests }: Kind) => {
    const samples: number[] = [];
    let [errors, firstError]: [number, string | null] = [0, null];
    for (let round = 0; running && samples.length < MANY; round++) {
      const from = (round * 10) % (requests.length - 10);
      const part = await load(server.url, requests.slice(from, from + 10), 1, 10);
      samples.push(...part.samples);
      errors += part.errors;
      firstError ??= part.firstError;
    }
    return { samples, seconds: 0, errors, firstError };
  };
  // Metrics begin anew with each reading.
  await eventLoopMetrics(server);
  const { result, loop } = await server.watched(async () => {
    const asking = [kinds[1]!, kinds[2]!].map(ask);
    const reindex = await timed(() => server.grove('reindex'));
    running = false;
    return { seconds: reindex.ms / 1000, asked: await Promise.all(asking) };
  });
  return { ...result, loop, metrics: await eventLoopMetrics(server) };
}

/** What the server's own metrics say of its event loop; null when it has none. */
async function eventLoopMetrics(server: HttpServer): Promise<string | null> {
  const answer = await fetch(`${server.url}/metrics`, {
    headers: { authorization: `Bearer ${server.adminKey}` },
  });
  const text = await answer.text();
  if (answer.status !== 200) return null;
  return text
    .split('\n')
    .filter((line) => /event_?loop.*(p50|p99|quantile|max)/i.test(line) && !line.startsWith('#'))
    .join('\n');
}

function besideLine(name: string, figures: LoadFigures): string {
  const longest = Math.max(...figures.samples).toFixed(0);
  return `${name} ${p50p95(figures.samples)} ms (longest ${longest}, ${figures.samples.length} requests, errors ${errorsOf(figures)})`;
}

function loopRow(name: string, { histogram, drift, wait, long }: ProbeFigures): (string | number)[] {
  const list = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(' / ');
  return [
    name,
    list([histogram.p50, histogram.p99, histogram.max]),
    list([drift.p50, drift.p99, drift.max]),
    list([wait.p50, wait.p99]),
    long,
  ];
}

const { values } = parseArgs({
  options: { runs: { type: 'string', default: '1' }, help: { type: 'boolean' } },
});
if (values.help === true) {
  console.log(
    'node bench/http.ts [--runs 1]   a real `grove start` on 10,000 pages: MCP and REST by one and by 50 connections, and beside a reindex',
  );
} else {
  const scratch = scratchFolder('http');
  const pages = unpackPages(scratch);
  const server = await startHttpServer(pages, join(scratch, 'data'));
  try {
    console.log(`RSS before any request: ${memoryOf(server.pid).rss} MB`);
    const kinds = await kindsOf(server, pages);
    for (let run = 1; run <= Number(values.runs); run++) {
      const rows: (string | number)[][] = [];
      const { loop } = await server.watched(async () => {
        for (const kind of kinds) rows.push(await oneAndMany(server, kind));
      });
      const { rss, peak } = memoryOf(server.pid);
      const beside = await besideReindex(server, kinds);
      const after = memoryOf(server.pid);
      console.log(`\nRun ${run}: ${machineLine()}`);
      console.log(
        table(
          [
            'request',
            '1 connection p50 / p95 ms',
            'asked for p50',
            'errors',
            `${CLIENTS} connections p50 / p95 ms`,
            'a second',
            'errors',
            'RSS MB',
            'load',
          ],
          rows,
        ),
      );
      console.log(
        `\nReindex in ${beside.seconds.toFixed(1)} s; beside it ${besideLine('MCP', beside.asked[0]!)}, ${besideLine('REST', beside.asked[1]!)}`,
      );
      console.log(
        table(
          [
            'event loop of the server',
            'histogram p50 / p99 / max ms',
            'drift p50 / p99 / max ms',
            'wait p50 / p99 ms',
            'above 20 ms',
          ],
          [loopRow('requests', loop), loopRow('reindex beside requests', beside.loop)],
        ),
      );
      console.log(`Metrics: ${beside.metrics ?? 'none'}`);
      console.log(`RSS ${rss} MB (peak ${peak}), after the reindex ${after.rss} MB (peak ${after.peak})`);
    }
  } finally {
    await server.close();
    rmSync(scratch, { recursive: true });
  }
}
