import type { Dialect } from '@grove/markdown';
import { type Edge, type FlatEdges, visitEdges } from '../catalog/row-codec.ts';
import { questionKeys } from '../resolve/link-rules.ts';
import { IdLists } from './id-lists.ts';

interface Entry {
  readonly edge: Edge;
  /** Keys of the names that could answer it. */
  readonly keys: readonly string[];
}

/** The distinct edges of many notes, each once and by a number, with the notes that have it. */
export class EdgeTable {
  readonly #dialect: Dialect;
  readonly #numbers = new Map<Edge['kind'], Map<string, number>>();
  readonly #entries = new Map<number, Entry>();
  readonly #asked = new Map<string, Set<number>>();
  readonly #notes = new IdLists();
  #next = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Enters the edges of a note that has none here; their numbers. */
  enter(note: number, edges: FlatEdges): number[] {
    const numbers: number[] = [];
    visitEdges(edges, (edge) => {
      const number = this.#numberOf(edge);
      this.#notes.add(number, note);
      numbers.push(number);
    });
    return numbers;
  }

  /** Takes the edges of a note away again; those that no other note has are forgotten. */
  leave(note: number, numbers: readonly number[]): void {
    for (const number of numbers) {
      this.#notes.delete(number, note);
      if (this.#notes.get(number).length === 0) this.#forget(number);
    }
  }

  edge(number: number): Edge {
    return this.#entry(number).edge;
  }

  /** Notes with an edge that a name under one of these keys could answer. */
  askers(keys: readonly string[]): Set<number> {
    const askers = new Set<number>();
    for (const key of keys)
      for (const number of this.#asked.get(key) ?? [])
        for (const note of this.#notes.get(number)) askers.add(note);
    return askers;
  }

  #numberOf(edge: Edge): number {
    const ofKind = this.#numbers.get(edge.kind) ?? new Map<string, number>();
    this.#numbers.set(edge.kind, ofKind);
    const known = ofKind.get(edge.target);
    if (known !== undefined) return known;
    const number = this.#next;
    this.#next += 1;
    const keys = questionKeys(this.#dialect, edge);
    ofKind.set(edge.target, number);
    this.#entries.set(number, { edge, keys });
    for (const key of keys) {
      const asked = this.#asked.get(key);
      if (asked === undefined) this.#asked.set(key, new Set([number]));
      else asked.add(number);
    }
    return number;
  }

  #forget(number: number): void {
    const { edge, keys } = this.#entry(number);
    for (const key of keys) {
      const asked = this.#asked.get(key);
      asked?.delete(number);
      if (asked?.size === 0) this.#asked.delete(key);
    }
    this.#numbers.get(edge.kind)?.delete(edge.target);
    this.#entries.delete(number);
  }

  #entry(number: number): Entry {
    const entry = this.#entries.get(number);
    if (entry === undefined) throw new RangeError(`no edge has the number ${number}`);
    return entry;
  }
}
