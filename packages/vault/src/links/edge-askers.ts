import type { Dialect } from '@grove/markdown';
import type { Edge } from '../catalog/row-codec.ts';
import { questionKeys } from '../resolve/link-rules.ts';
import { MultiMap } from '../resolve/multi-map.ts';
import { IdLists } from './id-lists.ts';

/** Which notes have an edge, and which edges a name could answer; edges by their numbers. */
export class EdgeAskers {
  readonly #dialect: Dialect;
  /** Edges by the names that could answer them. */
  readonly #asked = new MultiMap();
  readonly #notes = new IdLists();

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  add(number: number, edge: Edge, note: number): void {
    if (this.#notes.get(number).length === 0)
      for (const key of questionKeys(this.#dialect, edge)) this.#asked.add(key, number);
    this.#notes.add(number, note);
  }

  /** True when no other note has the edge. */
  delete(number: number, edge: Edge, note: number): boolean {
    this.#notes.delete(number, note);
    if (this.#notes.get(number).length > 0) return false;
    for (const key of questionKeys(this.#dialect, edge)) this.#asked.delete(key, number);
    return true;
  }

  /** Notes with an edge that a name under one of these keys could answer. */
  of(keys: readonly string[]): Set<number> {
    const askers = new Set<number>();
    for (const key of keys)
      for (const number of this.#asked.get(key)) for (const note of this.#notes.get(number)) askers.add(note);
    return askers;
  }
}
