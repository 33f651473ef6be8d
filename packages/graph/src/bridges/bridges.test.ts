import { UndirectedGraph } from 'graphology';
import { betweenness as plainBetweenness } from 'graphology-metrics/centrality/index.js';
import { expect, it } from 'vitest';
import { openNotes } from '../testing/open-notes.ts';
import { betweennessByPairs, plainGraph } from '../testing/plain-graph.ts';
import { betweenness, EXACT_NOTES } from './betweenness.ts';
import { bridgesOf } from './bridges.ts';
import { measureAside } from './measure-aside.ts';

const PATIENCE = 60_000;

/** Notes that link to one or two of those before them, the same at each call. */
function grownLinks(notes: number): [number, number][] {
  let state = 7;
  const below = (limit: number): number => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state % limit;
  };
  return Array.from({ length: notes - 1 }, (_, at): [number, number][] => [
    [at + 1, below(at + 1)],
    ...(at % 3 === 0 ? [[at + 1, below(at + 1)] as [number, number]] : []),
  ])
    .flat()
    .filter(([from, to]) => from !== to);
}

it('a sample comes as close to the exact shares as it says', () => {
  const notes = EXACT_NOTES + 200;
  const pairs = grownLinks(notes);
  const links = Uint32Array.from(pairs.flat());
  const paths = Array.from({ length: notes }, (_, at) => `n${at}.md`);
  const measured = betweenness({ paths, links });
  expect(measured.sources).toBe(500);
  const graph = new UndirectedGraph();
  for (const at of paths.keys()) graph.addNode(at);
  for (const [from, to] of pairs) graph.mergeUndirectedEdge(from, to);
  const exact = plainBetweenness(graph, { getEdgeWeight: null });
  const misses = paths.map((_, at) => Math.abs(measured.shares[at]! - exact[at]!));
  const told = [...paths.keys()].filter((at) => measured.shares[at]! > measured.errors[at]!);
  expect(told.length).toBeGreaterThan(50);
  expect(told.filter((at) => misses[at]! > measured.errors[at]!).length).toBeLessThan(0.05 * told.length);
  expect(betweenness({ paths, links })).toEqual(measured);
});

it('up to 2,000 notes all are counted', () => {
  const paths = Array.from({ length: EXACT_NOTES }, (_, at) => `n${at}.md`);
  const { sources, errors } = betweenness({ paths, links: Uint32Array.of(0, 1) });
  expect([sources, Math.max(...errors)]).toEqual([EXACT_NOTES, 0]);
});

it('are measured on a thread for whoever asks again, and anew after a change', async () => {
  const ring = Object.fromEntries(
    Array.from({ length: 360 }, (_, at) => [`n${at}.md`, `[[n${(at + 1) % 360}]] [[n${(at * 7) % 360}]]`]),
  );
  await using notes = await openNotes(ring);
  expect(await bridgesOf(notes.view, 0)).toBeNull();
  const former = bridgesOf(notes.view, PATIENCE);
  await notes.change('n0.md', '[[n1]] [[n200]] [[n300]]');
  const bridges = await bridgesOf(notes.view, PATIENCE);
  // Called off, where it was not done before the change.
  await former;
  const exact = betweennessByPairs(plainGraph(notes.view));
  expect(bridges?.isExact).toBe(true);
  for (const { row, share } of bridges?.notes ?? []) expect(share).toBeCloseTo(exact.get(row.path)!, 9);
  expect(bridges?.notes).toHaveLength([...exact.values()].filter((share) => share > 1e-12).length);
  expect(await bridgesOf(notes.view, 0)).toEqual(bridges);
});

it('end when they are called off', async () => {
  const paths = Array.from({ length: 2_000 }, (_, at) => `n${at}.md`);
  const { result, callOff } = measureAside({ paths, links: Uint32Array.from(grownLinks(2_000).flat()) });
  callOff();
  expect(await result).toBeNull();
});

it('are measured one at a time, and those that are called off while they wait not at all', async () => {
  const paths = Array.from({ length: 1_500 }, (_, at) => `n${at}.md`);
  const ends: string[] = [];
  const first = measureAside({ paths, links: Uint32Array.from(grownLinks(1_500).flat()) });
  const calledOff = measureAside({ paths, links: Uint32Array.from(grownLinks(1_500).flat()) });
  const last = measureAside({ paths: paths.slice(0, 3), links: Uint32Array.of(0, 1, 1, 2) });
  calledOff.callOff();
  const told = await Promise.all([
    first.result.finally(() => ends.push('first')),
    calledOff.result.finally(() => ends.push('called off')),
    last.result.finally(() => ends.push('last')),
  ]);
  expect(ends).toEqual(['first', 'called off', 'last']);
  expect(told.map((each) => each?.sources ?? null)).toEqual([1_500, null, 3]);
});
