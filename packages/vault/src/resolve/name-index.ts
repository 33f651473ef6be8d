import { foldCase, foldTitle } from '@grove/core';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import { MultiMap } from './multi-map.ts';
import { byPath, lastSegment, namesOf, withoutExtension } from './names.ts';

interface NameMaps {
  readonly names: MultiMap;
  readonly aliases: MultiMap;
  readonly titles: MultiMap;
  readonly blocks: MultiMap;
}

/** Finds rows of one View by what they are called. Built on first use, then kept up with changes. */
export class NameIndex {
  readonly #rows: (id: number) => CatalogRow | null;
  readonly #maps: NameMaps;

  /** @param maps those of an index that has all these rows already */
  constructor(
    rows: Iterable<CatalogRow>,
    byId: (id: number) => CatalogRow | null,
    maps: NameMaps | null = null,
  ) {
    this.#rows = byId;
    this.#maps = maps ?? {
      names: new MultiMap(),
      aliases: new MultiMap(),
      titles: new MultiMap(),
      blocks: new MultiMap(),
    };
    for (const row of rows) this.add(row);
  }

  /** The index of a View that shows a part of these rows: it keeps up with this one, and holds nothing of its own. */
  within(byId: (id: number) => CatalogRow | null): NameIndex {
    return new NameIndex([], byId, this.#maps);
  }

  add(row: CatalogRow): void {
    this.#visit(row, (map, key) => map.add(key, row.id));
  }

  remove(row: CatalogRow): void {
    this.#visit(row, (map, key) => map.delete(key, row.id));
  }

  /** Rows whose file name or page name is this, ignoring case. */
  named(name: string): CatalogRow[] {
    return this.#found(this.#maps.names.get(foldCase(name)));
  }

  aliased(alias: string): CatalogRow[] {
    return this.#found(this.#maps.aliases.get(foldTitle(alias)));
  }

  titled(title: string): CatalogRow[] {
    return this.#found(this.#maps.titles.get(foldTitle(title)));
  }

  /** Rows whose file name, page name, title or alias is this, ignoring case and white space. */
  called(name: string): CatalogRow[] {
    const folded = foldTitle(name);
    const { names, aliases, titles } = this.#maps;
    const maps = [names, aliases, titles];
    return this.#found(new Set(maps.flatMap((map) => [...map.get(folded)])));
  }

  withBlock(id: string): CatalogRow[] {
    return this.#found(this.#maps.blocks.get(id.toLowerCase()));
  }

  /** The row at this path, with or without `.md`, ignoring case; the exact spelling first. */
  at(path: string): CatalogRow | null {
    const stem = withoutExtension(path);
    return this.#at(path) ?? (stem === path ? null : this.#at(stem));
  }

  #at(path: string): CatalogRow | null {
    const named = this.named(lastSegment(path));
    if (named.length === 0) return null;
    const folded = foldCase(path);
    const found = named.filter((row) => isAt(row, folded));
    if (found.length <= 1) return found[0] ?? null;
    const composed = path.normalize('NFC');
    return found.find((row) => withoutExtension(row.path) === composed) ?? found.sort(byPath)[0] ?? null;
  }

  /**
   * Rows whose path, or its end from a `/` on, is this; with or without `.md`, ignoring case. A file whose
   * name only ends in `.md.md` is found by its whole name.
   */
  pathEnding(path: string): CatalogRow[] {
    const whole = foldCase(path);
    const found = this.#ending(whole);
    const stem = withoutExtension(whole);
    if (stem === whole) return found;
    return [...found, ...this.#ending(stem).filter((row) => !found.includes(row))];
  }

  #ending(path: string): CatalogRow[] {
    const name = lastSegment(path);
    const rows = this.#found(this.#maps.names.get(name));
    // Logseq's page names hold `/` and are no paths: a bare name is checked against the file name too.
    return rows.filter((row) => endsIn(row, path));
  }

  #visit(row: CatalogRow, visit: (map: MultiMap, key: string) => void): void {
    const { names, aliases, titles, blocks } = this.#maps;
    for (const name of namesOf(row)) visit(names, name);
    for (const alias of row.aliases) visit(aliases, foldTitle(alias));
    if (row.title !== row.name) visit(titles, foldTitle(row.title));
    for (const id of row.blockIds) visit(blocks, id.toLowerCase());
  }

  #found(ids: Iterable<number>): CatalogRow[] {
    const rows: CatalogRow[] = [];
    for (const id of ids) {
      const row = this.#rows(id);
      if (row !== null) rows.push(row);
    }
    return rows;
  }
}

/** True when the row's path without `.md` is the folded `path`, or ends in it from a `/` on. */
function endsIn(row: CatalogRow, path: string): boolean {
  const own = foldCase(withoutExtension(row.path));
  return own === path || own.endsWith(`/${path}`);
}

/** True when the row's whole path without `.md` is the folded `path`. */
export function isAt(row: CatalogRow, path: string): boolean {
  return foldCase(withoutExtension(row.path)) === path;
}
