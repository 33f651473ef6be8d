import { foldPath, noteName } from '@grove/core';
import type { CatalogRow } from '../catalog/catalog-row.ts';

/** A name as two spellings of it compare equal: composed, case-folded. */
export function foldName(name: string): string {
  return foldPath(name);
}

/** A title or alias as it compares: also with white space collapsed. */
export function foldTitle(title: string): string {
  return foldPath(title).trim().replaceAll(/\s+/g, ' ');
}

/** The names under which links and callers find a note's file: its file name, and Logseq's page name. */
export function namesOf(row: CatalogRow): string[] {
  const fileName = foldName(noteName(row.path));
  const name = foldName(row.name);
  return fileName === name ? [fileName] : [fileName, name];
}

/** The target without `.md`. */
export function withoutExtension(path: string): string {
  return /\.md$/i.test(path) ? path.slice(0, -3) : path;
}

/** The last segment of a path. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Code-unit order of paths. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
