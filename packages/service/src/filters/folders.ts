import { type FolderPath, foldCase, nearest, parseFolderPath, stripEnd } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';

/** A filter by folders, and what to tell a caller who named one that is not there. */
export interface FolderFilter {
  readonly predicate: (row: NoteRow) => boolean;
  readonly remarks: readonly string[];
}

/**
 * Notes in any of the folders or below, by whole segments, ignoring case. A folder that the View does not have
 * holds no notes; the remark names near ones.
 *
 * @throws GroveError `bad_path` for what cannot be a folder
 */
export function folderFilter(view: View, folders: readonly string[]): FolderFilter {
  const known = knownFolders(view);
  const wanted: string[] = [];
  const remarks: string[] = [];
  for (const named of folders.flatMap((folder) => splitUnknown(folder, known))) {
    const folded = foldFolder(named);
    if (folded !== '' && !known.has(folded)) {
      parseFolderPath(trimFolder(named));
      remarks.push(missing(named, view));
    }
    wanted.push(folded);
  }
  return { predicate: inFolders(wanted), remarks };
}

/** The folder as the View spells it, or null when it has none of that name. */
export function findFolder(view: View, named: string): FolderPath | null {
  const folded = foldFolder(named);
  if (folded === '') return '' as FolderPath;
  return (knownFolders(view).get(folded) ?? null) as FolderPath | null;
}

/** The sentence for a folder that is not there. */
function missing(named: string, view: View): string {
  const near = nearest(trimFolder(named), [...knownFolders(view).values()], 3);
  const shown = named.slice(0, 100).toWellFormed();
  const hint = near.length === 0 ? '' : ` Near: ${near.map((folder) => `"${folder}"`).join(', ')}.`;
  return `There is no folder "${shown}".${hint}`;
}

/** Folded path to the spelling of the View, ancestors included. */
function knownFolders(view: View): Map<string, string> {
  const known = new Map<string, string>();
  for (const { path } of view.folders()) {
    const segments = path.split('/');
    for (let count = 1; count <= segments.length; count += 1) {
      const ancestor = segments.slice(0, count).join('/');
      const folded = foldCase(ancestor);
      if (ancestor !== '' && !known.has(folded)) known.set(folded, ancestor);
    }
  }
  return known;
}

/** `A,B` from a client that writes lists as text; a folder that really holds a comma comes first. */
function splitUnknown(folder: string, known: ReadonlyMap<string, string>): string[] {
  if (!folder.includes(',') || known.has(foldFolder(folder))) return [folder];
  return folder
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function inFolders(wanted: readonly string[]): (row: NoteRow) => boolean {
  // Rows come ordered by path: neighbours mostly share their folder, so its verdict is kept.
  let last = '';
  let verdict = wanted.includes('');
  return ({ path }) => {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folder !== last) {
      const folded = foldCase(folder);
      verdict = wanted.some((name) => name === '' || folded === name || folded.startsWith(`${name}/`));
      last = folder;
    }
    return verdict;
  };
}

function foldFolder(folder: string): string {
  return foldCase(trimFolder(folder));
}

function trimFolder(folder: string): string {
  const trimmed = stripEnd(folder.trim().replace(/^(?:\.?\/)+/, ''), '/');
  return trimmed === '.' ? '' : trimmed;
}
