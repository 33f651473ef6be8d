import type { View } from '@grove/vault';
import { DirectedGraph } from 'graphology';

const NO_ATTRIBUTES = {};

/**
 * The notes of one View and their links for what searches its way through them. The key of a note is its id as text. Ids
 * say nothing of a View: what is answered is ordered by paths.
 */
class NoteGraph {
  readonly #view: View;
  #generation = 0;
  readonly #directed = new DirectedGraph({ allowSelfLoops: false });
  // Short keys and one object for all: those that the graph makes itself take twice as long.
  #nextEdge = 0;
  /** The links that stand in the graph, by the linking note: the View keeps the same list until they change. */
  readonly #linked = new Map<number, readonly number[]>();

  constructor(view: View) {
    this.#view = view;
  }

  get directed(): DirectedGraph {
    this.#keepUp();
    return this.#directed;
  }

  /** Takes in what changed since it was last asked: a change costs what it touches, and one look at each note. */
  #keepUp(): void {
    const view = this.#view;
    if (this.#generation === view.generation) return;
    const rows = view.notes();
    for (const id of this.#linked.keys()) if (view.byId(id) === null) this.#drop(id);
    for (const { id } of rows) this.#directed.mergeNode(id);
    for (const row of rows) {
      const targets = view.targetIds(row);
      if (this.#linked.get(row.id) !== targets) this.#link(row.id, targets);
    }
    this.#generation = view.generation;
  }

  #link(id: number, targets: readonly number[]): void {
    if (this.#linked.has(id)) for (const edge of this.#directed.outEdges(id)) this.#directed.dropEdge(edge);
    for (const target of targets) {
      this.#directed.addDirectedEdgeWithKey(this.#nextEdge, id, target, NO_ATTRIBUTES);
      this.#nextEdge += 1;
    }
    this.#linked.set(id, targets);
  }

  #drop(id: number): void {
    this.#directed.dropNode(id);
    this.#linked.delete(id);
  }
}

/** A graph of ten thousand notes takes some forty megabytes: only those of the Views that were last asked are kept. */
const MOST_GRAPHS = 3;

const graphs = new WeakMap<View, NoteGraph>();
/** The Views with a graph, the last asked first. They are not kept by it. */
let asked: readonly WeakRef<View>[] = [];

/** The graph of a View, which keeps up with it: from the linking note to the other. */
export function noteGraph(view: View): DirectedGraph {
  const graph = graphs.get(view) ?? new NoteGraph(view);
  graphs.set(view, graph);
  const others = asked.filter((other) => other.deref() !== view);
  for (const former of others.slice(MOST_GRAPHS - 1)) {
    const forgotten = former.deref();
    if (forgotten !== undefined) graphs.delete(forgotten);
  }
  asked = [new WeakRef(view), ...others.slice(0, MOST_GRAPHS - 1)];
  return graph.directed;
}
