import { foldCase, folderOf, foldTitle } from '@grove/core';
import type { Dialect, Link } from '@grove/markdown';
import type { CatalogRow } from '../catalog/catalog-row.ts';
import { isAt, type NameIndex } from './name-index.ts';
import { byPath, lastSegment, withoutExtension } from './names.ts';

/** The part of a link that decides where it points. `block` only counts for Logseq's block references. */
export type LinkTarget = Pick<Link, 'kind' | 'target'> & Partial<Pick<Link, 'block'>>;

/** True for links that Markdown itself knows: their target is a path, first of all from the note's folder. */
function isPathLink(kind: Link['kind']): boolean {
  return kind === 'markdown' || kind === 'image' || kind === 'definition';
}

/** The row that a link in `from` points to by the dialect's rules, or null. */
export function resolveLinkTarget(
  dialect: Dialect,
  link: LinkTarget,
  from: CatalogRow,
  index: NameIndex,
): CatalogRow | null {
  if (link.kind === 'block-ref') {
    return link.block == null ? null : first(index.withBlock(link.block));
  }
  // Obsidian links over a no-break space as over a space, whatever a keyboard left there.
  const target = link.target.replaceAll('\u00A0', ' ').trim();
  if (target === '') return from;
  const isPath = isPathLink(link.kind);
  if ((isPath || dialect === 'plain') && !target.startsWith('/')) {
    const besides = relative(target, from);
    const found = besides === null ? null : index.at(besides);
    if (found !== null) return found;
  }
  // Logseq also writes a page's name where Markdown has a path: `[label]([[page]])`.
  const page = dialect === 'logseq' ? logseqPage(target, index) : null;
  return page ?? pathOrName(target, from, index);
}

/**
 * Obsidian's rule: `./` and `../` from the note, `/` from the top, else the notes whose path ends in the
 * target by whole segments: the one at exactly that path when the target names a folder, then one in the
 * linking note's folder, then one below it, then the shortest path. Case does not count.
 */
function pathOrName(target: string, from: CatalogRow, index: NameIndex): CatalogRow | null {
  if (target.startsWith('/')) return index.at(target.replace(/^\/+/, ''));
  if (/^\.\.?\//.test(target)) {
    const path = relative(target, from);
    return path === null ? null : index.at(path);
  }
  const found = index.pathEnding(target);
  if (found.length <= 1) return found[0] ?? null;
  if (target.includes('/')) {
    const exact = found.filter((row) => isAt(row, foldCase(withoutExtension(target))));
    if (exact.length > 0) return first(exact);
  }
  const folder = folderOf(from.path);
  const distance = (row: CatalogRow): number => {
    if (folderOf(row.path) === folder) return 0;
    return folder === '' || row.path.startsWith(`${folder}/`) ? 1 : 2;
  };
  found.sort(
    (left, right) =>
      distance(left) - distance(right) || left.path.length - right.path.length || byPath(left, right),
  );
  return found[0] ?? null;
}

/** Logseq's rule: the page of that name, else the page that has it as an alias. */
function logseqPage(target: string, index: NameIndex): CatalogRow | null {
  return first(index.named(target)) ?? first(index.aliased(target));
}

/** The path that `target` names from the linking note's folder; null when it leaves the vault. */
function relative(target: string, from: CatalogRow): string | null {
  const folder = folderOf(from.path);
  if (!/(?:^|\/)\.{0,2}(?:\/|$)/.test(target)) return folder === '' ? target : `${folder}/${target}`;
  const segments = folder === '' ? [] : folder.split('/');
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..') segments.push(segment);
    else if (segments.pop() === undefined) return null;
  }
  return segments.length === 0 ? null : segments.join('/');
}

function first(rows: CatalogRow[]): CatalogRow | null {
  if (rows.length <= 1) return rows[0] ?? null;
  return rows.sort((left, right) => left.path.length - right.path.length || byPath(left, right))[0] ?? null;
}

/**
 * Keys of the rows that could answer a link: when a row with one of them comes or goes, the link is resolved
 * anew. The counterpart of {@link answerKeys}.
 */
export function questionKeys(dialect: Dialect, link: LinkTarget): string[] {
  if (link.kind === 'block-ref') return link.block == null ? [] : [`((${link.block.toLowerCase()}`];
  const target = link.target.replaceAll('\u00A0', ' ').trim();
  const name = foldCase(lastSegment(target));
  const keys = [name];
  const stem = withoutExtension(name);
  if (stem !== name) keys.push(stem);
  if (dialect === 'logseq') keys.push(foldCase(target), foldTitle(target));
  return keys;
}

/** Keys under which a row answers links. */
export function answerKeys(dialect: Dialect, row: CatalogRow, names: readonly string[]): string[] {
  if (dialect !== 'logseq') return [...names];
  return [...names, ...row.aliases.map(foldTitle), ...row.blockIds.map((id) => `((${id.toLowerCase()}`)];
}
