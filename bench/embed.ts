// What the local embedding model costs: time to load, time of a query, chunks a second, memory.
import { execFileSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { openLocalEmbedder } from '@grove/embeddings';
import { chunkNote, parseNotes } from '@grove/markdown';
import { markdownFiles, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { machineLine, p50p95, table, timed } from './figures.ts';

const CHUNKS = 640;
const QUERIES = 200;

/** Figures of one number of threads. */
interface Figures {
  readonly threads: number;
  readonly first: number;
  readonly query: string;
  readonly chunksPerSecond: number;
  readonly queryBeside: string;
  /** Of the model's process, megabytes. */
  readonly memory: number;
}

const scratch = scratchFolder('embed');
const pages = unpackPages(scratch);
const perPage = await chunksPerPage(pages);
const texts = (await chunksOf(pages, CHUNKS)).slice(0, CHUNKS);
rmSync(scratch, { recursive: true });
const queries = titleQueries().map(({ q }) => q);

console.log(machineLine());
const columns: Figures[] = [];
for (const threads of new Set([1, Math.min(2, availableParallelism())])) columns.push(await measure(threads));
const row = (name: string, cell: (figures: Figures) => string | number) => [name, ...columns.map(cell)];
console.log(
  table(
    ['threads', ...columns.map(({ threads }) => String(threads))],
    [
      row('first query, loading included (ms)', ({ first }) => Math.round(first)),
      row('query, p50 / p95 (ms)', ({ query }) => query),
      row('query beside chunks, p50 / p95 (ms)', ({ queryBeside }) => queryBeside),
      row('chunks a second', ({ chunksPerSecond }) => chunksPerSecond.toFixed(1)),
      row(`minutes for 10,000 pages of ${perPage.toFixed(1)} chunks`, ({ chunksPerSecond }) =>
        ((10_000 * perPage) / chunksPerSecond / 60).toFixed(1),
      ),
      row('memory of the model (MB)', ({ memory }) => Math.round(memory)),
    ],
  ),
);

async function measure(threads: number): Promise<Figures> {
  const embedder = await openLocalEmbedder({ threads });
  const ask = async (at: number) =>
    (await timed(() => embedder.embedQuery(queries[at % queries.length]!))).ms;
  const first = await ask(0);
  const alone: number[] = [];
  for (let at = 0; at < QUERIES; at++) alone.push(await ask(at));

  const { ms } = await timed(async () => {
    for (let at = 0; at < texts.length; at += embedder.batch)
      await embedder.embedPassages(texts.slice(at, at + embedder.batch));
  });
  const memory = memoryOfChildren();

  const stop = new AbortController();
  const passages = (async () => {
    for (let at = 0; !stop.signal.aborted; at = (at + embedder.batch) % texts.length)
      await embedder.embedPassages(texts.slice(at, at + embedder.batch), stop.signal);
  })().catch(() => {});
  const beside: number[] = [];
  for (let at = 0; at < QUERIES / 2; at++) {
    await new Promise((resolve) => setTimeout(resolve, 50 + ((at * 37) % 50)));
    beside.push(await ask(at));
  }
  stop.abort();
  await passages;
  await embedder.close();
  return {
    threads,
    first,
    query: p50p95(alone),
    chunksPerSecond: texts.length / (ms / 1000),
    queryBeside: p50p95(beside),
    memory,
  };
}

/** Megabytes of the processes that this one has started; `ps` itself is left out. */
function memoryOfChildren(): number {
  const lines = execFileSync('ps', ['-o', 'rss=,args=', '--ppid', String(process.pid)], { encoding: 'utf8' });
  const sizes = lines.split('\n').filter((line) => line.includes('embedding-child'));
  return sizes.reduce((sum, line) => sum + Number.parseInt(line, 10), 0) / 1000;
}

/** Chunks of pages from all over the corpus, at least as many as asked for. */
async function chunksOf(pages: string, count: number): Promise<string[]> {
  const files = markdownFiles(pages);
  const texts: string[] = [];
  for (let at = 0; texts.length < count && at < files.length; at++)
    texts.push(...(await chunksOfPage(join(pages, files[(at * 7919) % files.length]!))));
  return texts;
}

async function chunksOfPage(path: string): Promise<string[]> {
  const [note] = await parseNotes([{ text: readFileSync(path, 'utf8'), path }], 'obsidian');
  return chunkNote(note!).map(({ start, end }) => note!.text.slice(start, end));
}

async function chunksPerPage(pages: string): Promise<number> {
  const files = markdownFiles(pages).filter((_, at) => at % 20 === 0);
  let chunks = 0;
  for (const file of files) chunks += (await chunksOfPage(join(pages, file))).length;
  return chunks / files.length;
}
