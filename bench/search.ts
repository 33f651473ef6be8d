// Hybrid search over 10,000 pages that are all embedded, through a real `grove stdio` with the local model.
import { execFileSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bodyQueries, markdownFiles, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { fillVectors } from './drawn-vectors.ts';
import { machineLine, p50p95, table } from './figures.ts';
import { memoryOf, type StdioSession, startSession } from './stdio-session.ts';

const HELP = `node bench/search.ts [--keep DIR] [--real]

  --keep DIR   folder of pages and vectors, made once and used again
  --real       every text is embedded, which takes from half an hour (VNNI) to two hours; left out, ${'SAMPLE'} texts are,
               and the vectors of the others are drawn around theirs: as many and as near to each other, but of no meaning`;
/** Texts that are embedded where not all are. */
const SAMPLE = 2_000;
/** Notes that are changed for the measurement beside embedding. */
const CHANGED = 400;
/** Views beside the owner's, by the settings of a process; the shares are those of these pages. */
const VIEWS: readonly (readonly [string, Record<string, string>])[] = [
  ['owner', {}],
  ['all but a folder', { GROVE_DENY_PATHS: 'desktop-src/DirectShow' }],
  ['a part', { GROVE_READ_PATHS: 'desktop-src/d*/**' }],
];

interface QueryAnswer {
  readonly remarks?: readonly string[];
  readonly hits?: readonly unknown[];
}

const { values } = parseArgs({
  options: { keep: { type: 'string' }, real: { type: 'boolean' }, help: { type: 'boolean' } },
});
if (values.help === true) {
  console.log(HELP.replace('SAMPLE', SAMPLE.toLocaleString('en')));
} else {
  process.env.GROVE_EMBEDDER = 'local';
  const folder = values.keep ?? scratchFolder('search');
  const pages = await prepare(folder, values.real === true);
  const queries = [...titleQueries().map(({ q }) => q), ...bodyQueries(pages, 200)];
  const rows: (string | number)[][] = [];
  for (const [name, settings] of VIEWS) rows.push([name, ...(await measure(folder, settings, queries))]);
  console.log(machineLine());
  console.log(
    table(
      [
        'View',
        'first hybrid answer after a start',
        'hybrid p50 / p95 ms',
        'by words',
        'RSS MB, main + model',
        'vectors',
      ],
      rows,
    ),
  );
  console.log(
    `\nBy words while ${CHANGED} changed notes are embedded: ${await besideEmbedding(folder, pages, queries)}`,
  );
  if (values.keep === undefined) rmSync(folder, { recursive: true });
}

/** The pages with vectors for all of them, in a folder of their own. */
async function prepare(folder: string, real: boolean): Promise<string> {
  const pages = join(folder, 'pages');
  const done = join(folder, real ? 'embedded' : 'filled');
  if (existsSync(done)) return pages;
  mkdirSync(folder, { recursive: true });
  // Made by a run that was stopped: what is in it may be a part.
  rmSync(pages, { recursive: true, force: true });
  unpackPages(folder);
  await fillVectors(pages, join(folder, 'data'), real ? Number.POSITIVE_INFINITY : SAMPLE);
  writeFileSync(done, '');
  return pages;
}

/** Waits until search by meaning leaves no gap, so that every query is asked both ways. */
async function untilWhole(session: StdioSession): Promise<void> {
  for (;;) {
    const { remarks = [] } = (await session.call('query', { query: 'certificate' })) as QueryAnswer;
    const health = await session.call('vault_status', { mode: 'health' });
    const { pending, problem } = health.embedding as { pending: number; problem?: string };
    if (problem !== undefined) throw new Error(problem);
    if (remarks.length === 0 && pending === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function ask(
  session: StdioSession,
  queries: readonly string[],
  input: (query: string) => Record<string, unknown>,
): Promise<number[]> {
  const samples: number[] = [];
  // More of them than vectors of queries are kept: each is embedded each time.
  for (const query of queries) {
    const from = performance.now();
    await session.call('query', input(query));
    samples.push(performance.now() - from);
  }
  return samples;
}

/** Resident set of the model's own process, in MB. */
function modelMemory(parent: number): number {
  const children = execFileSync('ps', ['-o', 'pid=', '--ppid', String(parent)], { encoding: 'utf8' });
  const sizes = children
    .trim()
    .split(/\s+/)
    .map((pid) => {
      const status = readFileSync(`/proc/${pid}/status`, 'utf8');
      return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
    });
  return Math.round(sizes.reduce((sum, size) => sum + size, 0));
}

async function measure(
  folder: string,
  settings: Record<string, string>,
  queries: readonly string[],
): Promise<string[]> {
  Object.assign(process.env, settings);
  const from = performance.now();
  const session = await start(folder);
  const first = (await session.call('query', { query: queries[0] })) as QueryAnswer;
  const firstMs = performance.now() - from;
  const remark = first.remarks?.join(' ') ?? '';
  await untilWhole(session);
  await ask(session, queries, (query) => ({ query }));
  const hybrid = await ask(session, queries, (query) => ({ query }));
  const words = await ask(session, queries, (query) => ({ searches: [{ type: 'lex', query }] }));
  const { embedding } = await session.call('vault_status', { mode: 'health' });
  const { vectors } = (embedding ?? {}) as { vectors?: number };
  const memory = `${memoryOf(session.pid).rss} + ${modelMemory(session.pid)}`;
  await session.close();
  for (const name of Object.keys(settings)) delete process.env[name];
  return [
    `${(firstMs / 1000).toFixed(2)} s${remark === '' ? '' : ` (${remark})`}`,
    p50p95(hybrid),
    p50p95(words),
    memory,
    String(vectors ?? '-'),
  ];
}

async function besideEmbedding(folder: string, pages: string, queries: readonly string[]): Promise<string> {
  const session = await start(folder);
  await untilWhole(session);
  for (const file of markdownFiles(pages).slice(0, CHANGED))
    appendFileSync(join(pages, file), `\n${Date.now()}\n`);
  const samples: number[] = [];
  let pending = CHANGED;
  for (let pass = 0; pass < 4 && pending > 0; pass++) {
    samples.push(...(await ask(session, queries, (query) => ({ searches: [{ type: 'lex', query }] }))));
    const { embedding } = await session.call('vault_status', { mode: 'health' });
    pending = (embedding as { pending: number }).pending;
  }
  await session.close();
  return `${p50p95(samples)} ms`;
}

function start(folder: string): Promise<StdioSession> {
  return startSession(join(folder, 'pages'), join(folder, 'data'));
}
