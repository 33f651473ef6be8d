import type { Dialect } from '@grove/markdown';
import type { CatalogRow, RowChange } from '../catalog/catalog-row.ts';
import { decodeEdges } from '../catalog/row-codec.ts';
import { answerKeys, type LinkTarget, questionKeys, resolveLinkTarget } from '../resolve/link-rules.ts';
import { MultiMap } from '../resolve/multi-map.ts';
import type { NameIndex } from '../resolve/name-index.ts';
import { namesOf } from '../resolve/names.ts';

export interface LinkGraphOptions {
  readonly dialect: Dialect;
  readonly index: NameIndex;
  readonly rows: () => Iterable<CatalogRow>;
  readonly byId: (id: number) => CatalogRow | null;
  /** Raw edges of one row. */
  readonly edges: (row: CatalogRow) => string;
  /** Raw edges of every row of the catalog, members or not; null when they must be fetched one by one. */
  readonly allEdges: () => Iterable<[number, string]> | null;
}

/**
 * Who links to whom within one View. Built when backlinks are first asked for; afterwards a change costs
 * what it touches: the changed notes' own links, and those links that a name that came or went could answer.
 */
export class LinkGraph {
  readonly #options: LinkGraphOptions;
  readonly #targets = new Map<number, readonly number[]>();
  readonly #sources = new MultiMap();
  readonly #askers = new MultiMap();
  readonly #keys = new Map<number, readonly string[]>();

  constructor(options: LinkGraphOptions) {
    this.#options = options;
    const all = options.allEdges();
    if (all === null) {
      for (const row of options.rows()) this.#link(row, options.edges(row));
      return;
    }
    for (const [id, edges] of all) {
      const row = options.byId(id);
      if (row !== null) this.#link(row, edges);
    }
  }

  /** Ids of the members that link to this one, itself left out. */
  sourcesOf(id: number): number[] {
    return [...this.#sources.get(String(id))];
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
    for (const id of stale) {
      const row = byId(id);
      if (row !== null) this.#link(row, edges(row));
    }
  }

  #link(row: CatalogRow, edges: string): void {
    const { dialect, index } = this.#options;
    const targets = new Set<number>();
    const keys = new Set<string>();
    decodeEdges(edges, (edge: LinkTarget) => {
      for (const key of questionKeys(dialect, edge)) keys.add(key);
      const target = resolveLinkTarget(dialect, edge, row, index);
      if (target !== null && target.id !== row.id) targets.add(target.id);
    });
    if (keys.size === 0) return;
    this.#targets.set(row.id, [...targets]);
    this.#keys.set(row.id, [...keys]);
    for (const target of targets) this.#sources.add(String(target), row.id);
    for (const key of keys) this.#askers.add(key, row.id);
  }

  #unlink(id: number): void {
    for (const target of this.#targets.get(id) ?? []) this.#sources.delete(String(target), id);
    for (const key of this.#keys.get(id) ?? []) this.#askers.delete(key, id);
    this.#targets.delete(id);
    this.#keys.delete(id);
  }
}
