import type { NoteRow } from '@grove/vault';
import { byPath } from './by-path.ts';
import type { LinkTable } from './link-table.ts';

/** Groups of two notes or more that hang together by links either way, the largest first; each by path. */
export function componentsOf({ rows, starts, targets }: LinkTable): NoteRow[][] {
  const sets = new DisjointSets(rows.length);
  for (let place = 0; place < rows.length; place += 1)
    for (let at = starts[place]!; at < starts[place + 1]!; at += 1) sets.unite(place, targets[at]!);
  const groups = new Map<number, NoteRow[]>();
  for (const [place, row] of rows.entries()) {
    const root = sets.rootOf(place);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [row]);
    else group.push(row);
  }
  return [...groups.values()]
    .filter(({ length }) => length > 1)
    .sort((a, b) => b.length - a.length || byPath(a[0]!, b[0]!));
}

/** Sets of places that grow together (Tarjan 1975): united by size, with ways to the root halved when they are gone. */
class DisjointSets {
  readonly #parents: Uint32Array;
  readonly #sizes: Uint32Array;

  constructor(places: number) {
    this.#parents = Uint32Array.from({ length: places }, (_, place) => place);
    this.#sizes = new Uint32Array(places).fill(1);
  }

  rootOf(place: number): number {
    const parents = this.#parents;
    let at = place;
    while (parents[at] !== at) {
      parents[at] = parents[parents[at]!]!;
      at = parents[at]!;
    }
    return at;
  }

  unite(a: number, b: number): void {
    const [rootA, rootB] = [this.rootOf(a), this.rootOf(b)];
    if (rootA === rootB) return;
    const [small, large] = this.#sizes[rootA]! < this.#sizes[rootB]! ? [rootA, rootB] : [rootB, rootA];
    this.#parents[small] = large;
    this.#sizes[large]! += this.#sizes[small]!;
  }
}
