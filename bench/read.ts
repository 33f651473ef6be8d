import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  bodyQueries,
  markdownFiles,
  multiplyPages,
  scratchFolder,
  titleQueries,
  unpackPages,
} from './corpora.ts';
import { machineLine, meanReciprocalRank, p50p95, percentile, table } from './figures.ts';
import { fts5Row, measureFts5 } from './fts5.ts';
import { memoryOf, runTimed, type StdioSession, startSession } from './stdio-session.ts';

interface ReadFigures {
  readonly pages: number;
  readonly indexSeconds: number;
  readonly connectMs: number;
  /** Each query for the first time in the process, then again. */
  readonly firstPass: readonly number[];
  readonly warm: readonly number[];
  readonly restartMs: number;
  readonly parsedAtRestart: number;
  readonly rss: number;
  readonly peak: number;
  readonly titleMrr: number;
  readonly misses: readonly string[];
  readonly toolBytes: number;
  readonly descriptionFound: string;
}

interface QueryAnswer {
  readonly total?: number;
  readonly hits?: readonly { readonly path: string }[];
}

interface HealthAnswer {
  readonly index: { readonly state: string; readonly documents: number; readonly pending: number };
  readonly skipped_total?: number;
}

/** Everything that the read half promises, through a real `grove stdio` and the official client. */
async function measureGrove(vault: string, pages: string, prefix: string): Promise<ReadFigures> {
  const data = scratchFolder('data');
  const start = performance.now();
  const first = await startSession(vault, data);
  const count = markdownFiles(vault).length;
  await untilIndexed(first, count);
  const indexSeconds = (performance.now() - start) / 1000;
  const queries = [...titleQueries().map((query) => query.q), ...bodyQueries(pages, 200)];
  const firstPass = await askAll(first, queries);
  const warm = await askAll(first, queries);
  const ranks = await titleRanks(first, prefix);
  const descriptionFound = prefix === '' ? await descriptionWords(first, pages) : '-';
  const { tools } = await first.client.listTools();
  const { rss, peak } = memoryOf(first.pid);
  await first.close();
  const again = performance.now();
  const second = await startSession(vault, data);
  await second.call('query', { query: queries[0] });
  const restartMs = performance.now() - again;
  await untilIndexed(second, count);
  const parsedAtRestart = Number((await healthOf(second)).parsed);
  await second.close();
  return {
    pages: count,
    indexSeconds,
    connectMs: first.connectedMs,
    firstPass,
    warm,
    restartMs,
    parsedAtRestart,
    rss,
    peak,
    titleMrr: meanReciprocalRank(ranks.map((rank) => rank.rank)),
    misses: ranks.filter((rank) => rank.rank !== 1).map((rank) => `"${rank.q}" at ${rank.rank ?? 'none'}`),
    toolBytes: Buffer.byteLength(JSON.stringify({ tools })),
    descriptionFound,
  };
}

function healthOf(session: StdioSession): Promise<Record<string, unknown>> {
  return session.call('vault_status', { mode: 'health' });
}

async function untilIndexed(session: StdioSession, count: number): Promise<void> {
  for (;;) {
    const health = (await healthOf(session)) as unknown as HealthAnswer;
    const { state, documents, pending } = health.index;
    if (state === 'ready' && pending === 0 && documents + (health.skipped_total ?? 0) >= count) return;
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
}

async function askAll(session: StdioSession, queries: readonly string[]): Promise<number[]> {
  const samples: number[] = [];
  for (const query of queries) {
    const from = performance.now();
    await session.call('query', { searches: [{ type: 'lex', query }] });
    samples.push(performance.now() - from);
  }
  return samples;
}

async function titleRanks(
  session: StdioSession,
  prefix: string,
): Promise<{ q: string; rank: number | null }[]> {
  const ranks: { q: string; rank: number | null }[] = [];
  for (const { q, path } of titleQueries()) {
    const answer = (await session.call('query', { query: q, limit: 10 })) as QueryAnswer;
    const at = (answer.hits ?? []).findIndex(
      (hit) => hit.path === path || hit.path.endsWith(`${prefix}${path}`),
    );
    ranks.push({ q, rank: at < 0 ? null : at + 1 });
  }
  return ranks;
}

/**
 * Asks for one word that stands in a page's description and in no form elsewhere in that page; where at most fifty
 * pages answer, counts whether it is among them.
 */
async function descriptionWords(session: StdioSession, pages: string): Promise<string> {
  const wordsOf = (text: string) => text.toLowerCase().match(/\b[a-z]{6,}\b/g) ?? [];
  const rootsOf = (text: string) => new Set(wordsOf(text).map((word) => word.slice(0, 5)));
  let asked = 0;
  let found = 0;
  for (const file of markdownFiles(pages)) {
    if (asked === 50) break;
    const text = readFileSync(join(pages, file), 'utf8');
    const description = /^description:\s*(.+)$/m.exec(text)?.[1];
    if (description === undefined) continue;
    const rest = rootsOf(text.replace(description, ''));
    const word = wordsOf(description).find((one) => !rest.has(one.slice(0, 5)));
    if (word === undefined) continue;
    const answer = (await session.call('query', { query: word, limit: 50 })) as QueryAnswer;
    if ((answer.total ?? 0) > (answer.hits ?? []).length) continue;
    asked++;
    if ((answer.hits ?? []).some((hit) => hit.path === file)) found++;
  }
  return `${found} of ${asked}`;
}

async function measureRipgrep(pages: string): Promise<readonly number[] | null> {
  try {
    execFileSync('rg', ['--version'], { stdio: 'ignore' });
  } catch {
    return null; // not installed: the row says so
  }
  const samples: number[] = [];
  for (const query of bodyQueries(pages, 20)) {
    samples.push(await runTimed('rg', ['-i', '-l', query.split(' ')[0]!, '.'], pages));
  }
  return samples;
}

function row(name: string, figures: ReadFigures): (string | number)[] {
  return [
    name,
    `${figures.indexSeconds.toFixed(1)} s`,
    `${(figures.restartMs / 1000).toFixed(2)} s (${figures.parsedAtRestart} parsed)`,
    `${p50p95(figures.warm)} (first pass ${p50p95(figures.firstPass)})`,
    figures.titleMrr.toFixed(3),
    `${figures.rss} (peak ${figures.peak})`,
    `5, ${figures.toolBytes}`,
  ];
}

const { values } = parseArgs({ options: { large: { type: 'boolean' }, help: { type: 'boolean' } } });
if (values.help === true) {
  console.log(
    'node bench/read.ts [--large]   measures the read half on 10,000 pages; --large: on 50,000 too',
  );
} else {
  const scratch = scratchFolder('read');
  const pages = unpackPages(scratch);
  const small = await measureGrove(pages, pages, '');
  const rows = [row(`Grove, ${small.pages} pages`, small)];
  if (values.large === true) {
    const many = multiplyPages(pages, scratch, 5);
    const large = await measureGrove(many, pages, '/');
    rows.push(row(`Grove, ${large.pages} pages`, large));
  }
  const queries = [...titleQueries().map((query) => query.q), ...bodyQueries(pages, 200)];
  rows.push(fts5Row(measureFts5(pages, queries, titleQueries())));
  const ripgrep = await measureRipgrep(pages);
  const grep =
    ripgrep === null
      ? 'not installed'
      : `${percentile(ripgrep, 0.5).toFixed(1)} / ${percentile(ripgrep, 0.95).toFixed(1)}`;
  rows.push(['ripgrep, one word, files only', 'none', '-', grep, '-', '-', '-']);
  console.log(machineLine());
  console.log(
    table(
      [
        'system',
        'first index',
        'restart to first answer',
        'search p50 / p95 ms',
        'title MRR@10',
        'RSS MB',
        'tools, bytes',
      ],
      rows,
    ),
  );
  console.log(`\nPages found by a word of their description alone: ${small.descriptionFound}`);
  console.log(`Titles not first: ${small.misses.join('; ') || 'none'}`);
}
