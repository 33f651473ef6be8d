import { folderOf } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import type { CatalogRow, RowChange } from '../catalog/catalog-row.ts';
import { type Edge, type FlatEdges, visitEdges } from '../catalog/row-codec.ts';
import { answerKeys, questionKeys, resolveLinkTarget } from '../resolve/link-rules.ts';
import { MultiMap } from '../resolve/multi-map.ts';
import type { NameIndex } from '../resolve/name-index.ts';
import { namesOf } from '../resolve/names.ts';

export interface LinkGraphOptions {
  readonly dialect: Dialect;
  readonly index: NameIndex;
  readonly byId: (id: number) => CatalogRow | null;
  readonly edges: (row: CatalogRow) => FlatEdges;
  /** Edges of every row of the catalog, members or not, by id. */
  readonly allEdges: () => Iterable<[number, FlatEdges]>;
}

const NONE: readonly never[] = [];

interface Answer {
  readonly edge: Edge;
  readonly keys: readonly string[];
  readonly target: number | null;
}

/** Answers found so far, by the linking note's folder, then by kind, then by target. */
type Answers = Map<string, Map<Edge['kind'], Map<string, Answer>>>;

/**
 * Who links to whom within one View. Built when backlinks are first asked for; afterwards a change costs
 * what it touches: the changed notes' own links, and those links that a name that came or went could answer.
 */
export class LinkGraph {
  readonly #options: LinkGraphOptions;
  readonly #targets = new Map<number, readonly number[]>();
  readonly #missing = new Map<number, readonly Edge[]>();
  readonly #sources = new MultiMap<number>();
  readonly #askers = new MultiMap();
  readonly #keys = new Map<number, readonly string[]>();

  constructor(options: LinkGraphOptions) {
    this.#options = options;
    const answers: Answers = new Map();
    for (const [id, edges] of options.allEdges()) {
      const row = options.byId(id);
      if (row !== null) this.#link(row, edges, answers);
    }
  }

  /** Ids of the members that this one links to, each once, itself left out. */
  targetsOf(id: number): readonly number[] {
    return this.#targets.get(id) ?? NONE;
  }

  /** What this one links to and no member answers; notes side by side share what they both ask for. */
  missingOf(id: number): readonly Edge[] {
    return this.#missing.get(id) ?? NONE;
  }

  /** Ids of the members that link to this one, itself left out. */
  sourcesOf(id: number): number[] {
    return [...this.#sources.get(id)];
  }

  /** Ids of the members with a link that this row, were it a member, could answer by its names. */
  askersOf(row: CatalogRow): number[] {
    const keys = answerKeys(this.#options.dialect, row, namesOf(row));
    return [...new Set(keys.flatMap((key) => [...this.#askers.get(key)]))];
  }

  /** Takes in changes that the View's members and name index already show. */
  update(changes: readonly RowChange[]): void {
    const { dialect, byId, edges } = this.#options;
    const stale = new Set<number>();
    for (const { before, after } of changes) {
      const id = before?.id ?? after?.id;
      if (id === undefined) continue;
      if (before?.contentHash !== after?.contentHash || before?.path !== after?.path) stale.add(id);
      const lost = before === null ? [] : answerKeys(dialect, before, namesOf(before));
      const won = after === null ? [] : answerKeys(dialect, after, namesOf(after));
      if (before?.path === after?.path && lost.join('\n') === won.join('\n')) continue;
      for (const key of [...lost, ...won]) for (const asker of this.#askers.get(key)) stale.add(asker);
    }
    for (const id of stale) this.#unlink(id);
    const answers: Answers = new Map();
    for (const id of stale) {
      const row = byId(id);
      if (row !== null) this.#link(row, edges(row), answers);
    }
  }

  #link(row: CatalogRow, edges: FlatEdges, answers: Answers): void {
    const { dialect, index } = this.#options;
    const targets = new Set<number>();
    const missing: Edge[] = [];
    const keys = new Set<string>();
    // Where a link points depends on the linking note's folder only: notes side by side share the answers.
    const inFolder = entryOf(answers, folderOf(row.path));
    visitEdges(edges, (edge) => {
      const same = entryOf(inFolder, edge.kind);
      let answer = same.get(edge.target);
      if (answer === undefined) {
        const target = resolveLinkTarget(dialect, edge, row, index)?.id ?? null;
        answer = { edge, keys: questionKeys(dialect, edge), target };
        same.set(edge.target, answer);
      }
      for (const key of answer.keys) keys.add(key);
      if (answer.target === null) missing.push(answer.edge);
      else if (answer.target !== row.id) targets.add(answer.target);
    });
    if (keys.size === 0) return;
    this.#targets.set(row.id, [...targets]);
    if (missing.length > 0) this.#missing.set(row.id, missing);
    this.#keys.set(row.id, [...keys]);
    for (const target of targets) this.#sources.add(target, row.id);
    for (const key of keys) this.#askers.add(key, row.id);
  }

  #unlink(id: number): void {
    for (const target of this.#targets.get(id) ?? []) this.#sources.delete(target, id);
    for (const key of this.#keys.get(id) ?? []) this.#askers.delete(key, id);
    this.#targets.delete(id);
    this.#missing.delete(id);
    this.#keys.delete(id);
  }
}

function entryOf<Key, Inner, Value>(map: Map<Key, Map<Inner, Value>>, key: Key): Map<Inner, Value> {
  const inner = map.get(key) ?? new Map<Inner, Value>();
  map.set(key, inner);
  return inner;
}
