import type { View } from '@grove/vault';

/** Who links to whom by paths, made from every link of every note by plain loops. */
export interface PlainGraph {
  readonly paths: readonly string[];
  readonly links: ReadonlyMap<string, ReadonlySet<string>>;
  /** Links followed either way. */
  readonly near: ReadonlyMap<string, ReadonlySet<string>>;
}

/** The graph of a View without any of what is tested. */
export function plainGraph(view: View): PlainGraph {
  const paths = view.notes().map((row) => row.path as string);
  const links = new Map(paths.map((path) => [path, new Set<string>()]));
  const near = new Map(paths.map((path) => [path, new Set<string>()]));
  for (const row of view.notes()) {
    for (const { to } of view.links(row)) {
      if (to === null || to.path === row.path) continue;
      links.get(row.path)!.add(to.path);
      near.get(row.path)!.add(to.path);
      near.get(to.path)!.add(row.path);
    }
  }
  return { paths, links, near };
}

/** Distances from a note to all that hang together with it. */
export function distancesFrom({ near }: PlainGraph, start: string): Map<string, number> {
  const distances = new Map([[start, 0]]);
  const queue = [start];
  for (const path of queue) {
    for (const other of near.get(path)!) {
      if (distances.has(other)) continue;
      distances.set(other, distances.get(path)! + 1);
      queue.push(other);
    }
  }
  return distances;
}

/** Groups that hang together, of any size, each in order of paths. */
export function groupsOf(graph: PlainGraph): string[][] {
  const left = new Set(graph.paths);
  const groups: string[][] = [];
  for (const path of graph.paths) {
    if (!left.has(path)) continue;
    const group = [...distancesFrom(graph, path).keys()].sort();
    for (const one of group) left.delete(one);
    groups.push(group);
  }
  return groups;
}

/**
 * Betweenness by its definition: for each pair of notes and each note between them, the part of the shortest ways that
 * lead through it. Ways are counted in whole numbers of any size.
 */
export function betweennessByPairs(graph: PlainGraph): Map<string, number> {
  const { paths } = graph;
  const all = paths.map((path) => waysFrom(graph, path));
  const shares = paths.map(() => 0);
  for (const { distances, ways, reached } of all) {
    for (const to of reached) {
      const back = all[to]!;
      for (const between of reached) {
        if (distances[between] === 0 || between === to) continue;
        if (distances[between]! + back.distances[between]! !== distances[to]) continue;
        const through = ways[between]! * back.ways[between]!;
        shares[between]! += Number((through * 10n ** 15n) / ways[to]!) / 1e15;
      }
    }
  }
  const pairs = (paths.length - 1) * (paths.length - 2);
  return new Map(paths.map((path, at) => [path, pairs <= 0 ? 0 : shares[at]! / pairs]));
}

/** By the places of the notes; `reached` without the note itself. */
function waysFrom(graph: PlainGraph, start: string) {
  const places = new Map(graph.paths.map((path, at) => [path, at]));
  const distances: number[] = [];
  const ways: bigint[] = [];
  const reached = distancesFrom(graph, start);
  ways[places.get(start)!] = 1n;
  // In the order in which they were reached: all ways to the nearer ones are known.
  for (const [path, distance] of reached) {
    const at = places.get(path)!;
    distances[at] = distance;
    for (const other of graph.near.get(path)!) {
      if (reached.get(other) !== distance + 1) continue;
      ways[places.get(other)!] = (ways[places.get(other)!] ?? 0n) + ways[at]!;
    }
  }
  return { distances, ways, reached: [...reached.keys()].slice(1).map((path) => places.get(path)!) };
}
