import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerCall, type OpenedVault, openOwnedVault, query } from '@grove/service';
import { bodyQueries, scratchFolder, titleQueries, unpackPages } from './corpora.ts';
import { type LoopFigures, watchEventLoop } from './event-loop.ts';
import { machineLine, p50p95, table, timed } from './figures.ts';
import { heldBy, startProfile } from './loop-profile.ts';

/** A query every so many milliseconds while the work goes on. */
const QUERY_INTERVAL = 100;
/** Stretches above this are looked into, in milliseconds. */
const LONG = 5;

interface Measured extends LoopFigures {
  readonly seconds: number;
  readonly queries: readonly number[];
}

/** Watches the event loop while the work goes on and a query comes in now and then. */
async function watched(
  opened: OpenedVault,
  texts: readonly string[],
  work: () => Promise<void>,
): Promise<Measured> {
  const scope = opened.scope({ kind: 'owner', id: 'owner', name: 'owner' });
  const queries: number[] = [];
  const asked: Promise<void>[] = [];
  let next = 0;
  const ask = async () => {
    const { ms, result } = await timed(() =>
      answerCall(query, scope, { searches: [{ type: 'lex', query: texts[next++ % texts.length] }] }),
    );
    if (result.error !== null && result.error.code !== 'index_unavailable')
      throw new Error(result.error.message);
    queries.push(ms);
  };
  const loop = watchEventLoop();
  const timer = setInterval(() => asked.push(ask()), QUERY_INTERVAL);
  const { ms } = await timed(work);
  clearInterval(timer);
  const figures = loop.stop();
  await Promise.all(asked);
  return { ...figures, seconds: ms / 1000, queries };
}

function row(
  name: string,
  { seconds, histogram, drift, wait, stretches, queries }: Measured,
): (string | number)[] {
  const three = (values: readonly number[]) => values.map((value) => value.toFixed(1)).join(' / ');
  return [
    name,
    `${seconds.toFixed(1)} s`,
    three([histogram.p50, histogram.p99, histogram.max]),
    three([drift.p50, drift.p99, drift.max]),
    three([wait.p50, wait.p99]),
    stretches.filter(({ from, to }) => to - from > 20).length,
    `${queries.length}: ${p50p95(queries)}`,
  ];
}

const { values } = parseArgs({
  options: {
    profile: { type: 'boolean' },
    runs: { type: 'string', default: '3' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(
    'node bench/reindex-delay.ts [--runs 3] [--profile]   how long the event loop is held while the index of 10,000 pages is made\n--profile: says which functions held it; slower, so that its figures do not count',
  );
} else {
  const scratch = scratchFolder('reindex');
  const pages = unpackPages(scratch);
  const texts = [...titleQueries().map(({ q }) => q), ...bodyQueries(pages, 200)];
  const rows: (string | number)[][] = [];
  const measure = async (name: string, opened: OpenedVault, work: () => Promise<void>) => {
    const profile = values.profile === true ? await startProfile() : null;
    const measured = await watched(opened, texts, work);
    rows.push(row(name, measured));
    if (profile === null) return;
    const long = measured.stretches.filter(({ from, to }) => to - from > LONG);
    console.log(`${name}: ${long.length} stretches above ${LONG} ms held by`);
    const taken = await profile.stop();
    const held = heldBy(taken, long).slice(0, 30);
    console.log(
      table(
        ['function', 'ms', 'stretches'],
        held.map((one) => [one.name, one.ms.toFixed(1), one.stretches]),
      ),
    );
    const longest = [...long].sort((a, b) => b.to - b.from - (a.to - a.from)).slice(0, 12);
    for (const stretch of longest) {
      const parts = heldBy(taken, [stretch]).slice(0, 5);
      const told = parts.map(({ name, ms }) => `${name} ${ms.toFixed(1)}`).join('; ');
      console.log(`- ${(stretch.to - stretch.from).toFixed(1)} ms: ${told}`);
    }
  };
  for (let run = 1; run <= Number(values.runs); run++) {
    const opened = await openOwnedVault({
      root: pages,
      dataDir: join(scratch, `data-${run}`),
      kind: 'server',
    });
    await measure(`first index ${run}`, opened, () => opened.ready);
    await opened.historyRead;
    await new Promise((resolve) => setTimeout(resolve, 3000));
    await measure(`reindex ${run}`, opened, () => opened.reindex());
    await measure(`idle ${run}`, opened, () => new Promise((resolve) => setTimeout(resolve, 2000)));
    await opened.close();
  }
  rmSync(scratch, { recursive: true });
  console.log(machineLine());
  console.log(
    table(
      [
        'work',
        'took',
        'histogram p50 / p99 / max ms',
        'drift p50 / p99 / max ms',
        'wait p50 / p99 ms',
        'above 20 ms',
        'queries: p50 / p95 ms',
      ],
      rows,
    ),
  );
}
