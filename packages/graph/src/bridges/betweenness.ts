import { createHash } from 'node:crypto';
import { UndirectedGraph } from 'graphology';
import { createUnweightedIndexedBrandes } from 'graphology-shortest-path/indexed-brandes.js';

/** Above this many notes the ways are counted from a sample of them. */
export const EXACT_NOTES = 2_000;
/** Notes of a sample. */
const SAMPLE = 500;

/** Notes by their paths, and links as places of two of them: from, to, from, to ... */
export interface LinkedPaths {
  readonly paths: readonly string[];
  readonly links: Uint32Array<ArrayBuffer>;
}

export interface Betweenness {
  /**
   * By note: of all pairs of other notes the part whose shortest ways lead through it, 0 to 1; a pair with several
   * shortest ways counts by parts. A pair without any way counts as one that does not lead through it.
   */
  readonly shares: Float64Array;
  /** By note: the true share lies within this of the share in 95 of 100 samples; zeros when exact. */
  readonly errors: Float64Array;
  /** Notes from which ways were counted. */
  readonly sources: number;
}

/**
 * Betweenness centrality (Freeman 1977; Brandes 2001), links followed both ways: exact for up to {@link EXACT_NOTES}
 * notes, else from {@link SAMPLE} of them (Brandes and Pich 2007). The sample is taken by the hashes of paths, so that
 * the same notes give the same answer, and one note more changes at most one of it.
 */
export function betweenness({ paths, links }: LinkedPaths): Betweenness {
  const order = paths.length;
  if (links.length === 0)
    return { shares: new Float64Array(order), errors: new Float64Array(order), sources: order };
  const sources = sampleOf(paths);
  const sums = new Float64Array(order);
  const squares = new Float64Array(order);
  const scale = order <= 2 ? 0 : order / ((order - 1) * (order - 2));
  const dependenciesOf = dependencies(mutualGraph(order, links));
  for (const source of sources) {
    dependenciesOf(source, (note, dependency) => {
      sums[note]! += dependency * scale;
      squares[note]! += (dependency * scale) ** 2;
    });
  }
  const count = sources.length;
  const shares = sums.map((sum) => sum / count);
  const errors = shares.map((mean, note) => {
    if (count === order) return 0;
    const variance = Math.max(0, (squares[note]! - count * mean ** 2) / (count - 1));
    // The last factor is the correction for a finite population; the last summand, the rule of three, stands for notes
    // from which nearly every way leads through this one, of which the sample may hold none.
    const left = 1 - count / order;
    return 1.96 * Math.sqrt((variance / count) * left) + (3 / count) * left;
  });
  return { shares, errors, sources: count };
}

/** Two notes are neighbours when one links to the other. */
function mutualGraph(order: number, links: Uint32Array): UndirectedGraph {
  const graph = new UndirectedGraph();
  for (let place = 0; place < order; place += 1) graph.addNode(place);
  for (let at = 0; at < links.length; at += 2) graph.mergeUndirectedEdge(links[at], links[at + 1]);
  return graph;
}

function sampleOf(paths: readonly string[]): number[] {
  const places = paths.map((_, place) => place);
  if (paths.length <= EXACT_NOTES) return places;
  const hashes = paths.map((path) => createHash('sha1').update(path).digest('hex'));
  return places.sort((a, b) => (hashes[a]! < hashes[b]! ? -1 : 1)).slice(0, SAMPLE);
}

/**
 * How much the ways from one note depend on each other note. Only proportions of counts of ways among notes of one
 * distance matter: they are kept as such, since the counts themselves grow beyond any number.
 */
function dependencies(
  graph: UndirectedGraph,
): (source: number, tell: (note: number, dependency: number) => void) => void {
  const search = createUnweightedIndexedBrandes(graph);
  const ways = new Float64Array(graph.order);
  const distances = new Uint32Array(graph.order);
  const dependency = new Float64Array(graph.order);
  return (source, tell) => {
    const [stack, before] = search(source);
    const farthestFirst: number[] = [];
    while (stack.size > 0) farthestFirst.push(stack.pop() as number);
    countWays(farthestFirst.toReversed(), before, ways, distances);
    for (const note of farthestFirst) dependency[note] = 0;
    for (const note of farthestFirst) {
      const nearer = before[note]!;
      const all = sumOf(nearer, ways);
      for (const one of nearer) dependency[one]! += (ways[one]! / all) * (1 + dependency[note]!);
      if (note !== source) tell(note, dependency[note]!);
    }
  };
}

/** Sets for each note the number of shortest ways to it, those of one distance divided by the largest of them. */
function countWays(
  nearestFirst: readonly number[],
  before: readonly (readonly number[])[],
  ways: Float64Array,
  distances: Uint32Array,
): void {
  let ring = 0;
  nearestFirst.forEach((note, at) => {
    const nearer = before[note]!;
    distances[note] = nearer.length === 0 ? 0 : distances[nearer[0]!]! + 1;
    if (distances[note] !== distances[nearestFirst[ring]!]) {
      scaleWays(nearestFirst.slice(ring, at), ways);
      ring = at;
    }
    ways[note] = nearer.length === 0 ? 1 : sumOf(nearer, ways);
  });
}

function scaleWays(ring: readonly number[], ways: Float64Array): void {
  const most = ring.reduce((max, note) => Math.max(max, ways[note]!), 0);
  // A note that is reached stays above zero, however few its ways are beside others'.
  for (const note of ring) ways[note] = Math.max(ways[note]! / most, Number.MIN_VALUE);
}

function sumOf(notes: readonly number[], values: Float64Array): number {
  let sum = 0;
  for (const note of notes) sum += values[note]!;
  return sum;
}
