// How long a start takes to its first answers, by words and by meaning.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { machineLine, table } from './figures.ts';
import { startSession } from './stdio-session.ts';

const HELP = `node bench/start.ts --keep FOLDER [--times N]

Starts grove stdio on the 10,000 pages that bench/search.ts --keep FOLDER left there with their vectors, asks for the first
hybrid query until its answer has no remark, and ends it: N times (10 unless told), after one start that is not counted.`;

const { values } = parseArgs({
  options: { keep: { type: 'string' }, times: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.keep === undefined || values.help === true) {
  console.log(HELP);
} else {
  process.env.GROVE_EMBEDDER = 'local';
  const folder = values.keep;
  await measure(folder);
  const starts: Start[] = [];
  for (let at = 0; at < Number(values.times ?? 10); at += 1) starts.push(await measure(folder));
  console.log(machineLine());
  console.log(
    table(
      ['until', 'least (ms)', 'median', 'most'],
      [
        row('initialize is answered', starts, ({ connected }) => connected),
        row('a first answer, with a remark or without', starts, ({ first }) => first),
        row('a first hybrid answer without a remark', starts, ({ hybrid }) => hybrid),
        row('the same, processors of the main process', starts, ({ processor }) => processor),
      ],
    ),
  );
}

interface Start {
  readonly connected: number;
  readonly first: number;
  readonly hybrid: number;
  readonly processor: number;
}

async function measure(folder: string): Promise<Start> {
  const from = performance.now();
  const session = await startSession(join(folder, 'pages'), join(folder, 'data'));
  let first: number | null = null;
  for (;;) {
    const { remarks } = await session.call('query', { query: 'certificate store' });
    const hybrid = performance.now() - from;
    first ??= hybrid;
    if (Array.isArray(remarks) && remarks.length === 0) {
      const processor = processorOf(session.pid);
      await session.close();
      return { connected: session.connectedMs, first, hybrid, processor };
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** Milliseconds of all threads of a process (Linux, which counts in hundredths). */
function processorOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function row(name: string, starts: readonly Start[], of: (start: Start) => number): (string | number)[] {
  const sorted = starts.map(of).sort((a, b) => a - b);
  return [name, sorted[0]!, sorted[sorted.length >> 1]!, sorted.at(-1)!].map((cell) =>
    typeof cell === 'number' ? Math.round(cell) : cell,
  );
}
