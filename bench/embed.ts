// What the local embedding model costs: time to load, time of a query, chunks a second, memory.
import { spawnSync } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { openLocalEmbedder } from '@grove/embeddings';
import { chunkNote, parseNotes } from '@grove/markdown';
import { markdownFiles, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { machineLine, p50p95, table, timed } from './figures.ts';

const CHUNKS = 640;
const QUERIES = 200;

/** Figures of one number of threads, measured in a process of its own. */
interface Figures {
  readonly firstWithProbe: number;
  readonly first: number;
  readonly query: string;
  readonly chunksPerSecond: number;
  readonly cpuPerChunk: number;
  readonly queryBeside: string;
  readonly memoryOfModel: number;
  readonly memory: number;
}

const { values } = parseArgs({ options: { threads: { type: 'string' }, scratch: { type: 'string' } } });
if (values.threads !== undefined && values.scratch !== undefined) {
  console.log(JSON.stringify(await measure(Number(values.threads), values.scratch)));
} else {
  const scratch = scratchFolder('embed');
  const pages = unpackPages(scratch);
  const perPage = await chunksPerPage(pages);
  console.log(machineLine());
  const columns = [...new Set([1, Math.min(2, availableParallelism())])].map((threads) =>
    run(threads, scratch),
  );
  rmSync(scratch, { recursive: true });
  const row = (name: string, cell: (figures: Figures) => string | number) => [name, ...columns.map(cell)];
  console.log(
    table(
      ['', ...columns.map((_, at) => (at === 0 ? '1 thread' : `${at + 1} threads`))],
      [
        row('first query ever, the probe included (ms)', ({ firstWithProbe }) => Math.round(firstWithProbe)),
        row('first query of a process (ms)', ({ first }) => Math.round(first)),
        row('query, p50 / p95 (ms)', ({ query }) => query),
        row('chunks a second', ({ chunksPerSecond }) => chunksPerSecond.toFixed(1)),
        row('CPU of a chunk (ms)', ({ cpuPerChunk }) => cpuPerChunk.toFixed(1)),
        row('query beside chunks, p50 / p95 (ms)', ({ queryBeside }) => queryBeside),
        row('memory of the model (MB)', ({ memoryOfModel }) => Math.round(memoryOfModel)),
        row('memory of the process (MB)', ({ memory }) => Math.round(memory)),
        row(`minutes for 10,000 pages of ${perPage.toFixed(1)} chunks`, ({ chunksPerSecond }) =>
          ((10_000 * perPage) / chunksPerSecond / 60).toFixed(1),
        ),
      ],
    ),
  );
}

function run(threads: number, scratch: string): Figures {
  const args = [fileURLToPath(import.meta.url), '--threads', String(threads), '--scratch', scratch];
  const { stdout, status } = spawnSync(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (status !== 0) throw new Error(`The measurement with ${threads} threads failed`);
  return JSON.parse(stdout.toString()) as Figures;
}

async function measure(threads: number, scratch: string): Promise<Figures> {
  const stateFolder = join(scratch, `state-${threads}`);
  const texts = (await chunksOf(join(scratch, 'pages'), CHUNKS)).slice(0, CHUNKS);
  const queries = titleQueries().map(({ q }) => q);
  const before = process.memoryUsage.rss();
  const trial = await openLocalEmbedder({ stateFolder, threads });
  const { ms: firstWithProbe } = await timed(() => trial.embedQuery(queries[0]!));
  await trial.close();
  const embedder = await openLocalEmbedder({ stateFolder, threads });
  const { ms: first } = await timed(() => embedder.embedQuery(queries[0]!));
  const ask = async (at: number) =>
    (await timed(() => embedder.embedQuery(queries[at % queries.length]!))).ms;
  const alone: number[] = [];
  for (let at = 0; at < QUERIES; at++) alone.push(await ask(at));

  const cpu = process.cpuUsage();
  const { ms } = await timed(async () => {
    for (let at = 0; at < texts.length; at += embedder.batch)
      await embedder.embedPassages(texts.slice(at, at + embedder.batch));
  });
  const { user, system } = process.cpuUsage(cpu);
  const memory = process.memoryUsage.rss();

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
    firstWithProbe,
    first,
    query: p50p95(alone),
    chunksPerSecond: texts.length / (ms / 1000),
    cpuPerChunk: (user + system) / 1000 / texts.length,
    queryBeside: p50p95(beside),
    memoryOfModel: (memory - before) / 1e6,
    memory: memory / 1e6,
  };
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
