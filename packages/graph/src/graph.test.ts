import { describeWithData } from '@grove/testing';
import { allowAll, parsePathRule, type View } from '@grove/vault';
import fc from 'fast-check';
import { DirectedGraph } from 'graphology';
import { connectedComponents } from 'graphology-components';
import { directedDensity } from 'graphology-metrics/graph/density.js';
import { describe, expect, it } from 'vitest';
import { bridgesOf } from './bridges/bridges.ts';
import { neighbourhood } from './neighbourhood.ts';
import { graphOverview } from './overview.ts';
import { shortestRoute } from './route.ts';
import { openNotes } from './testing/open-notes.ts';
import {
  betweennessByPairs,
  distancesFrom,
  groupsOf,
  type PlainGraph,
  plainGraph,
} from './testing/plain-graph.ts';
import { unresolvedTargets } from './unresolved/demand.ts';

const PATIENCE = 60_000;

const NAMES = ['Ash', 'Birch', 'Cedar', 'Elm', 'Fir', 'Oak', 'Pine', 'Yew'];
const PATHS = NAMES.flatMap((name) => [`${name}.md`, `Wood/${name} tree.md`]);
const TARGETS = [
  ...NAMES,
  ...NAMES.map((name) => `${name} tree`),
  'Wood/Ash tree',
  'Nobody',
  'nobody.md',
  'p.png',
];
const note = fc
  .array(fc.constantFrom(...TARGETS), { maxLength: 4 })
  .map((targets) => targets.map((target) => `[[${target}]]`).join(' '));
const files = fc.dictionary(fc.constantFrom(...PATHS), note, { minKeys: 1, maxKeys: 14 });
const change = fc.tuple(fc.constantFrom(...PATHS), fc.option(note));

/** Everything that the graph tells is as plain loops find it. */
async function expectAsPlain(view: View, { routes }: { readonly routes: number }): Promise<PlainGraph> {
  const plain = plainGraph(view);
  expectOverview(view, plain);
  expectAsMetrics(view, plain);
  const rows = view.notes();
  for (const [at, row] of rows.slice(0, routes).entries()) {
    const distances = distancesFrom(plain, row.path);
    const near = neighbourhood(view, row, 3);
    expect(near.map((one) => [one.row.path, one.distance]).sort()).toEqual(
      [...distances].filter(([, distance]) => distance > 0 && distance <= 3).sort(),
    );
    for (const { row: to, via, way, distance } of near) {
      expect(distances.get(via.path)).toBe(distance - 1);
      expect(way).toBe(wayIn(plain, via.path, to.path));
    }
    expectRoute(view, plain, row.path, rows[(at * 7 + 3) % rows.length]!.path);
  }
  const bridges = await bridgesOf(view, PATIENCE);
  expect(bridges).toMatchObject({ isExact: true, sources: rows.length });
  const shares = new Map(bridges!.notes.map((one) => [one.row.path as string, one.share]));
  for (const [path, share] of betweennessByPairs(plain)) expect(shares.get(path) ?? 0).toBeCloseTo(share, 9);
  return plain;
}

function expectOverview(view: View, plain: PlainGraph): void {
  const overview = graphOverview(view);
  const degree = (path: string): [number, number] => [
    plain.links.get(path)!.size,
    plain.paths.filter((other) => plain.links.get(other)!.has(path)).length,
  ];
  const links = plain.paths.reduce((sum, path) => sum + plain.links.get(path)!.size, 0);
  const pairs = plain.paths.length * (plain.paths.length - 1);
  expect(overview).toMatchObject({ notes: plain.paths.length, links });
  expect(overview.density).toBeCloseTo(pairs === 0 ? 0 : links / pairs, 12);
  expect(overview.orphans.map(({ path }) => path)).toEqual(
    plain.paths.filter((path) => plain.near.get(path)!.size === 0),
  );
  const connected = plain.paths
    .map((path) => [path, ...degree(path)] as const)
    .filter(([, out, back]) => out + back > 0)
    .sort((a, b) => b[1] + b[2] - (a[1] + a[2]));
  expect(overview.connected.map((one) => [one.row.path, one.links, one.backlinks])).toEqual(connected);
  expect(overview.components.map((group) => group.map(({ path }) => path))).toEqual(
    groupsOf(plain)
      .filter((group) => group.length > 1)
      .sort((a, b) => b.length - a.length),
  );
}

/** What the overview counts is what graphology and its metrics count. */
function expectAsMetrics(view: View, { paths, links }: PlainGraph): void {
  const graph = new DirectedGraph();
  for (const path of paths) graph.addNode(path);
  for (const [from, targets] of links) for (const to of targets) graph.addDirectedEdge(from, to);
  const overview = graphOverview(view);
  expect([overview.notes, overview.links]).toEqual([graph.order, graph.size]);
  // Of no notes and of one it makes no number.
  if (graph.order > 1) expect(overview.density).toBe(directedDensity(graph));
  for (const { row, links: out, backlinks } of overview.connected)
    expect([out, backlinks]).toEqual([graph.outDegree(row.path), graph.inDegree(row.path)]);
  const groups = connectedComponents(graph).filter(({ length }) => length > 1);
  expect(overview.components.map((group) => group.map(({ path }) => path).join()).sort()).toEqual(
    groups.map((group) => group.sort().join()).sort(),
  );
}

function expectRoute(view: View, plain: PlainGraph, from: string, to: string): void {
  const at = (path: string) => view.notes().find((row) => row.path === path)!;
  const route = shortestRoute(view, at(from), at(to));
  const distance = distancesFrom(plain, from).get(to);
  expect(route === null ? undefined : route.length - 1).toBe(distance);
  route?.forEach(({ row, way }, step) => {
    const before = route[step - 1]?.row.path;
    expect(way).toBe(before === undefined ? null : wayIn(plain, before, row.path));
  });
  if (route !== null) expect([route[0]!.row.path, route.at(-1)!.row.path]).toEqual([from, to]);
}

function wayIn({ links }: PlainGraph, from: string, to: string): string | undefined {
  const there = links.get(from)!.has(to);
  const back = links.get(to)!.has(from);
  return there && back ? 'both' : there ? 'to' : back ? 'from' : undefined;
}

/** Of links that are names alone: what they ask for, by how many ask. */
function expectDemands(view: View): void {
  const askers = new Map<string, Set<string>>();
  for (const row of view.notes()) {
    for (const { link, to } of view.links(row)) {
      if (to !== null || link.target.endsWith('.png')) continue;
      const name = link.target.toLowerCase().replace('.md', '');
      askers.set(name, (askers.get(name) ?? new Set()).add(row.path));
    }
  }
  const expected = [...askers]
    .map(([name, paths]) => [name, [...paths].sort()] as const)
    .sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1));
  expect(
    unresolvedTargets(view).map((one) => [one.target.toLowerCase(), one.askers.map(({ path }) => path)]),
  ).toEqual(expected);
}

describe('the graph of a View', () => {
  it('is as plain loops over all links find it, after changes too, and hidden notes are absent', async () => {
    await fc.assert(
      fc.asyncProperty(files, fc.array(change, { maxLength: 4 }), async (before, changes) => {
        await using notes = await openNotes(before);
        const narrow = notes.vault.view({ ...allowAll, denyPaths: [parsePathRule('Wood')] });
        await expectAsPlain(notes.view, { routes: 3 });
        for (const [path, text] of changes) {
          await notes.change(path, text);
          await expectAsPlain(notes.view, { routes: 2 });
          await expectAsPlain(narrow, { routes: 2 });
          for (const view of [notes.view, narrow]) expectDemands(view);
        }
      }),
      { numRuns: 25 },
    );
  });

  for (const vault of ['kepano', 'logseq'])
    describeWithData(`of ${vault}`, `vaults/${vault}`, (folder) => {
      it('is as plain loops over all links find it', async () => {
        await using notes = await openNotes(folder);
        const { paths } = await expectAsPlain(notes.view, { routes: 12 });
        expect(paths.length).toBeGreaterThan(50);
      });
    });

  it('is right for more Views by turns than graphs are kept', async () => {
    const folders = ['A', 'B', 'C', 'D', 'E'];
    const all = folders.flatMap((folder) =>
      folders.map((other): [string, string] => [`${folder}/${other}.md`, `[[A/${other}]] [[${folder}/A]]`]),
    );
    await using notes = await openNotes(Object.fromEntries(all));
    const views = folders.map((folder) =>
      notes.vault.view({ ...allowAll, denyPaths: [parsePathRule(folder)] }),
    );
    for (const text of ['[[C/C]]', '[[D/D]] [[E/E]]']) {
      await notes.change('B/B.md', text);
      for (const view of [...views, ...views]) await expectAsPlain(view, { routes: 2 });
    }
  });

  it('takes a note with 5,000 links, links to itself and cycles', async () => {
    const many = Array.from({ length: 5_000 }, (_, at) => `[[n${at % 60}]] [[Hub]] [[missing ${at}]]`);
    const ring = Array.from({ length: 60 }, (_, at): [string, string] => [
      `n${at}.md`,
      `[[n${(at + 1) % 60}]] [[n${at}]] [[#^]] [[#]]`,
    ]);
    await using notes = await openNotes({ ...Object.fromEntries(ring), 'Hub.md': many.join('\n') });
    await expectAsPlain(notes.view, { routes: 5 });
    expect(graphOverview(notes.view)).toMatchObject({ notes: 61, links: 120, orphans: [] });
    expect(unresolvedTargets(notes.view)).toHaveLength(5_000);
  });
});

describe('bridges', () => {
  it('stay numbers where the shortest ways are more than any number can count', async () => {
    // 40 layers of three notes, each linked to the whole layer after it: 3^39 ways from end to end.
    const layers = Object.fromEntries(
      Array.from({ length: 120 }, (_, at) => {
        const next = (Math.floor(at / 3) + 1) * 3;
        return [
          `n${at}.md`,
          [next, next + 1, next + 2].map((to) => (to < 120 ? `[[n${to}]]` : '')).join(' '),
        ];
      }),
    );
    await using notes = await openNotes(layers);
    await expectAsPlain(notes.view, { routes: 1 });
  });
});

describe('unresolved targets', () => {
  it('are those that most notes ask for first, whatever way they are written', async () => {
    await using notes = await openNotes({
      'A.md': '[[Compost]] [[compost.md]] [[Compost#Turning|heap]] [[Soil]] [[Photo.png]] [x](Beds/Plan.md)',
      'B.md': '[[COMPOST]] ![[Compost#^block]] [x](report.pdf) ![y](z) [z](folder/)',
      'Beds/C.md':
        '[[Compost]] [x](Plan.md) [y](/Beds/Plan) [z](../../out.md) [[Soil^odd]] [[#^|]] [[|]] [[^a|b]]',
    });
    const demands = unresolvedTargets(notes.view).map(({ target, askers }) => [
      target,
      askers.map(({ path }) => path),
    ]);
    expect(demands).toEqual([
      ['Compost', ['A.md', 'B.md', 'Beds/C.md']],
      ['Beds/Plan', ['A.md', 'Beds/C.md']],
      ['^a', ['Beds/C.md']],
      ['Soil', ['A.md']],
      ['Soil^odd', ['Beds/C.md']],
    ]);
    await notes.change('compost.md', 'Now it is there.');
    expect(unresolvedTargets(notes.view)[0]?.target).toBe('Beds/Plan');
  });
});
