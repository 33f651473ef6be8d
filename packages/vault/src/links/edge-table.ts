import type { Slices } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import { type Edge, edgeKind, type FlatEdges } from '../catalog/row-codec.ts';
import { EdgeAskers } from './edge-askers.ts';

const NONE: readonly never[] = [];

/** The distinct edges of many notes, each once and by a number, with the notes that have it. */
export class EdgeTable {
  readonly #dialect: Dialect;
  readonly #numbers = new Map<Edge['kind'], Map<string, number>>();
  readonly #edges = new Map<number, Edge>();
  readonly #ofNotes = new Map<number, readonly number[]>();
  /** Only changes ask for it: made for the first of them, or before in slices. */
  #askers: EdgeAskers | null = null;
  #next = 0;

  constructor(dialect: Dialect) {
    this.#dialect = dialect;
  }

  /** Enters the edges of a note that has none here; their numbers. */
  enter(note: number, edges: FlatEdges): readonly number[] {
    const numbers: number[] = [];
    for (let at = 0; at + 1 < edges.length; at += 2)
      numbers.push(this.#numberOf(edgeKind(edges[at]), String(edges[at + 1])));
    this.#ofNotes.set(note, numbers);
    if (this.#askers !== null)
      for (const number of numbers) this.#askers.add(number, this.edge(number), note);
    return numbers;
  }

  /** Takes the edges of a note away again; those that no other note has are forgotten. */
  leave(note: number): void {
    const numbers = this.numbersOf(note);
    if (numbers.length === 0) return;
    const askers = this.#madeAskers();
    for (const number of numbers) if (askers.delete(number, this.edge(number), note)) this.#forget(number);
    this.#ofNotes.delete(note);
  }

  /** The edges of a note. */
  numbersOf(note: number): readonly number[] {
    return this.#ofNotes.get(note) ?? NONE;
  }

  edge(number: number): Edge {
    const edge = this.#edges.get(number);
    if (edge === undefined) throw new RangeError(`no edge has the number ${number}`);
    return edge;
  }

  /** Notes with an edge that a name under one of these keys could answer. */
  askers(keys: readonly string[]): Set<number> {
    return this.#madeAskers().of(keys);
  }

  /** Makes ready what the first change would have to wait for. A change that comes meanwhile makes it by itself. */
  async prepare(slices: Slices): Promise<void> {
    const askers = new EdgeAskers(this.#dialect);
    for (const [note, numbers] of this.#ofNotes) {
      if (slices.spent) await slices.rest();
      if (this.#askers !== null) return;
      this.#addAll(askers, note, numbers);
    }
    this.#askers = askers;
  }

  #madeAskers(): EdgeAskers {
    if (this.#askers !== null) return this.#askers;
    const askers = new EdgeAskers(this.#dialect);
    for (const [note, numbers] of this.#ofNotes) this.#addAll(askers, note, numbers);
    this.#askers = askers;
    return askers;
  }

  #addAll(askers: EdgeAskers, note: number, numbers: readonly number[]): void {
    for (const number of numbers) askers.add(number, this.edge(number), note);
  }

  #numberOf(kind: Edge['kind'], target: string): number {
    let ofKind = this.#numbers.get(kind);
    if (ofKind === undefined) {
      ofKind = new Map();
      this.#numbers.set(kind, ofKind);
    }
    const known = ofKind.get(target);
    if (known !== undefined) return known;
    const number = this.#next;
    this.#next += 1;
    ofKind.set(target, number);
    this.#edges.set(number, { kind, target, block: kind === 'block-ref' ? target : null });
    return number;
  }

  #forget(number: number): void {
    const { kind, target } = this.edge(number);
    this.#numbers.get(kind)?.delete(target);
    this.#edges.delete(number);
  }
}
