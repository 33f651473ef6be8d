// The scan of vectors in memory: time of a search by the part of them that a View holds, and memory.
// With --puts: many single writes to LanceDB, and the folder that they leave.
import { readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { vectorStores } from '@grove/embeddings';
import { IdSet, VectorSet } from '@grove/native';
import { scratchFolder } from './corpora.ts';
import { machineLine, p50p95, table, timed } from './figures.ts';

const USAGE = `node bench/vectors.ts [--rows 125000,625000] [--queries 100]   searches of random vectors in memory
node bench/vectors.ts --puts 10000                             single writes to LanceDB`;

const DIMENSIONS = 384;
const ROWS_A_NOTE = 12;
/** As a search by meaning asks. */
const LIMIT = 300;
const NOTES_SCORED = 600;
/** Writes after which the store is tidied, as the embedding queue does. */
const COMPACT_EVERY = 100;

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '125000,625000' },
    queries: { type: 'string', default: '100' },
    puts: { type: 'string' },
    help: { type: 'boolean' },
  },
});

if (values.help) console.log(USAGE);
else if (values.puts !== undefined) await writeOneByOne(Number(values.puts));
else {
  console.log(machineLine());
  const rows: (string | number)[][] = [];
  for (const count of values.rows.split(',').map(Number))
    rows.push(await scan(count, Number(values.queries)));
  const head = ['vectors', 'all', 'half', '1%', `${NOTES_SCORED} notes scored`, 'MB held', 'bytes a vector'];
  console.log(table(head, rows));
}

async function scan(count: number, queries: number): Promise<(string | number)[]> {
  const notes = Math.ceil(count / ROWS_A_NOTE);
  const next = gaussian();
  const set = new VectorSet(DIMENSIONS);
  for (let from = 0; from < count; from += 512) {
    const ids = Uint32Array.from({ length: Math.min(512, count - from) }, (_, at) => from + at);
    const vectors = new Float32Array(ids.length * DIMENSIONS);
    for (let at = 0; at < ids.length; at++) vectors.set(unit(next), at * DIMENSIONS);
    await set.upsert(
      ids,
      ids.map((id) => Math.floor(id / ROWS_A_NOTE)),
      vectors,
    );
  }
  const asked = Array.from({ length: queries }, () => unit(next));
  const part = (step: number) =>
    IdSet.of(Uint32Array.from({ length: Math.ceil(notes / step) }, (_, at) => at * step));
  const timesIn = async (view: IdSet | null) => {
    const times: number[] = [];
    for (const query of asked)
      times.push((await timed(() => set.search(query, { limit: LIMIT, view, perNote: true }))).ms);
    return p50p95(times);
  };
  const some = Uint32Array.from({ length: NOTES_SCORED }, (_, at) => (at * 17) % notes);
  const scored: number[] = [];
  for (const query of asked) scored.push((await timed(() => set.best(query, some))).ms);
  return [
    count.toLocaleString('en'),
    await timesIn(null),
    await timesIn(part(2)),
    await timesIn(part(100)),
    p50p95(scored),
    Math.round(set.bytes / 1e6),
    Math.round(set.bytes / count),
  ];
}

async function writeOneByOne(puts: number): Promise<void> {
  const scratch = scratchFolder('vectors');
  const dir = join(scratch, 'store');
  const store = await vectorStores(scratch).open(dir, DIMENSIONS);
  const next = gaussian();
  let most = 0;
  const { ms } = await timed(async () => {
    for (let at = 0; at < puts; at++) {
      await store.put([{ key: `k${at}`, vector: unit(next) }]);
      if (at % COMPACT_EVERY !== COMPACT_EVERY - 1) continue;
      most = Math.max(most, filesIn(dir).length);
      await store.compact();
    }
  });
  await store.compact();
  let found = 0;
  for await (const vectors of store.read()) found += vectors.length;
  const files = filesIn(dir);
  await store.close();
  const bytes = files.reduce((sum, file) => sum + statSync(file).size, 0);
  rmSync(scratch, { recursive: true });
  console.log(machineLine());
  console.log(
    `${store.kind}: ${puts} single writes in ${(ms / 1000).toFixed(0)} s leave ${found} vectors in ${files.length} files` +
      ` (at most ${most}) of ${(bytes / 1e6).toFixed(1)} MB; the numbers alone are ${((found * DIMENSIONS * 4) / 1e6).toFixed(1)} MB`,
  );
}

function filesIn(dir: string): string[] {
  return readdirSync(dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name));
}

function unit(next: () => number): Float32Array {
  const vector = Float32Array.from({ length: DIMENSIONS }, next);
  const length = Math.hypot(...vector);
  return vector.map((number) => number / length);
}

/** Numbers that are about normally distributed, the same in every run. */
function gaussian(): () => number {
  let state = 1;
  const uniform = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return () => uniform() + uniform() + uniform() + uniform();
}
