import { folderOf, type Slices } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import type { CatalogRow, RowChange } from '../catalog/catalog-row.ts';
import type { Edge, FlatEdges } from '../catalog/row-codec.ts';
import { answerKeys, resolveLinkTarget } from '../resolve/link-rules.ts';
import type { NameIndex } from '../resolve/name-index.ts';
import { namesOf } from '../resolve/names.ts';
import { EdgeTable } from './edge-table.ts';
import { IdLists } from './id-lists.ts';

/** Who links to whom within one View; all by the ids of its members. */
export interface NoteLinks {
  /** Those that this one links to, each once, itself left out. */
  targetsOf(id: number): readonly number[];
  /** What this one links to and no member answers; notes side by side share what they both ask for. */
  missingOf(id: number): readonly Edge[];
  /** Those that link to this one, itself left out. */
  sourcesOf(id: number): number[];
  /** Those with a link that this row, were it a member, could answer by its names. */
  askersOf(row: CatalogRow): number[];
}

export interface LinkGraphOptions {
  readonly dialect: Dialect;
  readonly index: NameIndex;
  readonly byId: (id: number) => CatalogRow | null;
  readonly edges: (row: CatalogRow) => FlatEdges;
  /** Edges of rows of the catalog, members or not, by id: at most `limit`, of those above `id`. */
  readonly edgesAfter: (id: number, limit: number) => readonly (readonly [number, FlatEdges])[];
}

/** Where the links of one note point. */
export interface LinkAnswers {
  readonly targets: readonly number[];
  readonly missing: readonly Edge[];
}

/** Answers found so far, by the linking note's folder, then by the edge. */
export type Answers = Map<string, Map<number, number | null>>;

const NONE: readonly never[] = [];
const BATCH = 100;

/**
 * The links of the View that shows most: those of the others are derived from it. Built when links are first asked for,
 * or before in slices; afterwards a change costs what it touches: the changed notes' own links, and those links that a
 * name that came or went could answer.
 */
export class LinkGraph implements NoteLinks {
  readonly #options: LinkGraphOptions;
  readonly #table: EdgeTable;
  readonly #targets = new Map<number, readonly number[]>();
  readonly #missing = new Map<number, readonly Edge[]>();
  readonly #sources = new IdLists();
  /** Notes up to this id are in. */
  #through = -1;
  #answers: Answers = new Map();

  constructor(options: LinkGraphOptions) {
    this.#options = options;
    this.#table = new EdgeTable(options.dialect);
  }

  targetsOf(id: number): readonly number[] {
    this.#complete();
    return this.#targets.get(id) ?? NONE;
  }

  missingOf(id: number): readonly Edge[] {
    this.#complete();
    return this.#missing.get(id) ?? NONE;
  }

  sourcesOf(id: number): number[] {
    this.#complete();
    return [...this.#sources.get(id)];
  }

  askersOf(row: CatalogRow): number[] {
    return [...this.askers(answerKeys(this.#options.dialect, row, namesOf(row)))];
  }

  /** Those with a link that a name under one of these keys could answer. */
  askers(keys: readonly string[]): Set<number> {
    this.#complete();
    return this.#table.askers(keys);
  }

  /** Where the links of a member point when `index` has the names: those of fewer notes than this graph has. */
  answersWithin(row: CatalogRow, index: NameIndex, answers: Answers): LinkAnswers {
    this.#complete();
    return this.#resolve(row, this.#table.numbersOf(row.id), index, answers);
  }

  /** Finds the links that are not found yet, a slice at a time. */
  async complete(slices: Slices): Promise<void> {
    while (this.#advance()) if (slices.spent) await slices.rest();
  }

  /** The same, and makes ready what the first change asks for. */
  async prepare(slices: Slices): Promise<void> {
    await this.complete(slices);
    await this.#table.prepare(slices);
  }

  /**
   * Takes in changes that the View's members and name index already show.
   *
   * @returns ids of the notes whose links may point elsewhere now
   */
  update(changes: readonly RowChange[]): ReadonlySet<number> {
    const stale = staleBy(changes, this.#options.dialect, (keys) => this.#table.askers(keys));
    // What points to a note that is resolved while others wait may be old by the time they are.
    this.#answers = new Map();
    for (const id of stale) this.#unlink(id);
    const answers: Answers = new Map();
    for (const id of stale) {
      const row = id > this.#through ? null : this.#options.byId(id);
      if (row !== null) this.#link(row, this.#options.edges(row), answers);
    }
    return stale;
  }

  #complete(): void {
    while (this.#advance());
  }

  /** Takes in the next notes; false when there are none. */
  #advance(): boolean {
    if (this.#through === Number.POSITIVE_INFINITY) return false;
    const batch = this.#options.edgesAfter(this.#through, BATCH);
    for (const [id, edges] of batch) {
      const row = this.#options.byId(id);
      if (row !== null) this.#link(row, edges, this.#answers);
      this.#through = id;
    }
    if (batch.length > 0) return true;
    this.#through = Number.POSITIVE_INFINITY;
    this.#answers = new Map();
    return false;
  }

  #link(row: CatalogRow, flat: FlatEdges, answers: Answers): void {
    if (flat.length === 0) return;
    const edges = this.#table.enter(row.id, flat);
    const { targets, missing } = this.#resolve(row, edges, this.#options.index, answers);
    if (targets.length > 0) this.#targets.set(row.id, targets);
    if (missing.length > 0) this.#missing.set(row.id, missing);
    for (const target of targets) this.#sources.add(target, row.id);
  }

  #unlink(id: number): void {
    for (const target of this.#targets.get(id) ?? NONE) this.#sources.delete(target, id);
    this.#table.leave(id);
    this.#targets.delete(id);
    this.#missing.delete(id);
  }

  #resolve(row: CatalogRow, edges: readonly number[], index: NameIndex, answers: Answers): LinkAnswers {
    const folder = folderOf(row.path);
    // Where a link points depends on the linking note's folder only: notes side by side share the answers.
    const inFolder = answers.get(folder) ?? new Map<number, number | null>();
    answers.set(folder, inFolder);
    const seen = new Set([row.id]);
    const targets: number[] = [];
    const missing: Edge[] = [];
    for (const number of edges) {
      let target = inFolder.get(number);
      if (target === undefined) {
        const { dialect } = this.#options;
        target = resolveLinkTarget(dialect, this.#table.edge(number), row, index)?.id ?? null;
        inFolder.set(number, target);
      }
      if (target === null) missing.push(this.#table.edge(number));
      else if (!seen.has(target)) {
        seen.add(target);
        targets.push(target);
      }
    }
    return { targets, missing };
  }
}

/** Ids of the notes whose links changes may point elsewhere: the changed ones, and who asks for a name that came or went. */
export function staleBy(
  changes: readonly RowChange[],
  dialect: Dialect,
  askers: (keys: readonly string[]) => Iterable<number>,
): Set<number> {
  const stale = new Set<number>();
  for (const { before, after } of changes) {
    const id = before?.id ?? after?.id;
    if (id === undefined) continue;
    if (before?.contentHash !== after?.contentHash || before?.path !== after?.path) stale.add(id);
    const lost = before === null ? [] : answerKeys(dialect, before, namesOf(before));
    const won = after === null ? [] : answerKeys(dialect, after, namesOf(after));
    if (before?.path === after?.path && lost.join('\n') === won.join('\n')) continue;
    for (const asker of askers([...lost, ...won])) stale.add(asker);
  }
  return stale;
}
