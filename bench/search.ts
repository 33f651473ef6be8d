// Hybrid search over 10,000 pages that are all embedded, through a real `grove stdio` with the local model.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openLocalEmbedder, vectorStores } from '@grove/embeddings';
import type { Embedder } from '@grove/search';
import { openOwnedVault } from '@grove/service';
import { bodyQueries, markdownFiles, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { machineLine, p50p95, table } from './figures.ts';
import { memoryOf, type StdioSession, startSession } from './stdio-session.ts';

const HELP = `node bench/search.ts [--keep DIR] [--real]

  --keep DIR   folder of pages and vectors, made once and used again
  --real       every text is embedded, which takes from half an hour (VNNI) to two hours; left out, ${'SAMPLE'} texts are,
               and the vectors of the others are drawn around theirs: as many and as near to each other, but of no meaning`;
/** Texts that are embedded where not all are. */
const SAMPLE = 2_000;
/** How far the other vectors lie from them: the cosine of a vector and the one it is drawn around is about 0.85. */
const SPREAD = 0.6;
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
  const dataDir = join(folder, 'data');
  const local = await openLocalEmbedder();
  const embedder = real ? local : around(local);
  const stores = vectorStores(dataDir);
  const opened = await openOwnedVault({
    root: pages,
    dataDir,
    kind: 'stdio',
    embedding: async () => ({ embedder, openStore: stores.open, storeNote: stores.note, embeds: 'always' }),
  });
  await opened.ready;
  const timer = setInterval(() => {
    const counts = opened.search.embeddedOf(opened.vault.ownerView());
    console.error(`${counts?.done} of ${counts?.total} notes have their vectors`);
  }, 30_000);
  const isWhole = await opened.search.embedded([...opened.vault.ownerView().ids()]);
  clearInterval(timer);
  await opened.close();
  await local.close();
  if (!isWhole) throw new Error('not every note could be embedded');
  writeFileSync(done, '');
  return pages;
}

/** The local model for the first texts; from then on vectors around those that it made. */
function around(local: Embedder): Embedder {
  const made: Float32Array[] = [];
  return {
    id: local.id,
    model: local.model,
    host: null,
    dimensions: local.dimensions,
    batch: local.batch,
    async embedPassages(texts, signal) {
      if (made.length < SAMPLE) {
        const vectors = await local.embedPassages(texts, signal);
        made.push(...vectors);
        return vectors;
      }
      return texts.map((text) => drawn(text, made));
    },
    embedQuery: (text, signal) => local.embedQuery(text, signal),
    close: async () => {},
  };
}

/** One vector for a text, always the same. */
function drawn(text: string, made: readonly Float32Array[]): Float32Array {
  const seed = createHash('sha256').update(text).digest();
  const base = made[seed.readUInt32LE(0) % made.length]!;
  let state = seed.readUInt32LE(4) | 1;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
  const size = (SPREAD / Math.sqrt(base.length)) * Math.sqrt(3);
  const vector = base.map((value) => value + (next() * 2 - 1) * size);
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
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
