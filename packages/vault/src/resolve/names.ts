import { foldCase, noteName } from '@grove/core';
import type { CatalogRow } from '../catalog/catalog-row.ts';

/** The names under which links and callers find a note's file: its file name, and Logseq's page name. */
export function namesOf(row: CatalogRow): string[] {
  const name = foldCase(row.name);
  const file = noteName(row.path);
  if (file === row.name) return [name];
  const fileName = foldCase(file);
  return fileName === name ? [fileName] : [fileName, name];
}

/** The target without `.md`. */
export function withoutExtension(path: string): string {
  return path.slice(-3).toLowerCase() === '.md' ? path.slice(0, -3) : path;
}

/** The last segment of a path. */
export function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** Code-unit order of paths. */
export function byPath(left: { readonly path: string }, right: { readonly path: string }): number {
  return left.path < right.path ? -1 : left.path > right.path ? 1 : 0;
}
