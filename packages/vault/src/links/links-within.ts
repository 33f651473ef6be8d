import type { Dialect } from '@grove/markdown';
import type { CatalogRow, RowChange } from '../catalog/catalog-row.ts';
import type { Edge } from '../catalog/row-codec.ts';
import type { NameIndex } from '../resolve/name-index.ts';
import { IdLists } from './id-lists.ts';
import { type Answers, type LinkAnswers, type LinkGraph, type NoteLinks, staleBy } from './link-graph.ts';

export interface LinksWithinOptions {
  /** The links of a View that shows all that this one does. */
  readonly whole: LinkGraph;
  readonly dialect: Dialect;
  /** The names of this View's members. */
  readonly index: NameIndex;
  readonly members: () => Iterable<CatalogRow>;
  readonly byId: (id: number) => CatalogRow | null;
}

/**
 * The links of a View that shows a part of the notes. The rules choose the first of a link's candidates in an order that
 * does not depend on which others there are. So a link that points to a member from among all notes points to it here too,
 * and what none of all notes answers no member does: only what points to a hidden note is resolved anew.
 */
export class LinksWithin implements NoteLinks {
  readonly whole: LinkGraph;
  readonly #options: LinksWithinOptions;
  /** Members that link to a hidden note, with where their links point here. */
  readonly #own = new Map<number, LinkAnswers>();
  readonly #ownSources = new IdLists();

  constructor(options: LinksWithinOptions) {
    this.whole = options.whole;
    this.#options = options;
    const answers: Answers = new Map();
    for (const row of options.members()) this.#judge(row, answers);
  }

  targetsOf(id: number): readonly number[] {
    return this.#own.get(id)?.targets ?? this.whole.targetsOf(id);
  }

  missingOf(id: number): readonly Edge[] {
    return this.#own.get(id)?.missing ?? this.whole.missingOf(id);
  }

  sourcesOf(id: number): number[] {
    const others = this.whole
      .sourcesOf(id)
      .filter((source) => this.#isMember(source) && !this.#own.has(source));
    return [...others, ...this.#ownSources.get(id)];
  }

  askersOf(row: CatalogRow): number[] {
    return this.whole.askersOf(row).filter((asker) => this.#isMember(asker));
  }

  /**
   * Takes in changes that the members, the names and the whole graph already show.
   *
   * @param changes what this View sees of them
   * @param moved what {@link LinkGraph.update} said of them
   */
  update(changes: readonly RowChange[], moved: Iterable<number>): void {
    const { dialect, byId } = this.#options;
    const stale = staleBy(changes, dialect, (keys) => this.whole.askers(keys));
    for (const id of moved) stale.add(id);
    for (const id of stale) this.#forget(id);
    const answers: Answers = new Map();
    for (const id of stale) {
      const row = byId(id);
      if (row !== null) this.#judge(row, answers);
    }
  }

  #judge(row: CatalogRow, answers: Answers): void {
    if (this.whole.targetsOf(row.id).every((target) => this.#isMember(target))) return;
    const own = this.whole.answersWithin(row, this.#options.index, answers);
    this.#own.set(row.id, own);
    for (const target of own.targets) this.#ownSources.add(target, row.id);
  }

  #forget(id: number): void {
    for (const target of this.#own.get(id)?.targets ?? []) this.#ownSources.delete(target, id);
    this.#own.delete(id);
  }

  #isMember(id: number): boolean {
    return this.#options.byId(id) !== null;
  }
}
