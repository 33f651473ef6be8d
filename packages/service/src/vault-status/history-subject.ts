import type { Scope, VaultPast } from '../contract.ts';
import { findFolder } from '../filters/folders.ts';
import { isInHistory, nameInHistory } from '../history/name-in-history.ts';
import { seesAll } from '../history/visible-past.ts';
import { locateByName, notFound } from '../notes/locate.ts';

/** What a list of commits is about: one note, or all notes at and below a folder. */
export interface HistorySubject {
  /** As history spells it; null for more than one note. */
  readonly note: string | null;
  /** `''` for the whole vault. */
  readonly folder: string;
}

/**
 * What `path` names: a note by any of its names, a folder, or a note that is no more, for whoever sees all of the vault.
 *
 * @throws GroveError `note_not_found`, `note_ambiguous`
 */
export function historySubject(scope: Scope, past: VaultPast, path: string | null): HistorySubject {
  if (path === null) return { note: null, folder: '' };
  const located = locateByName(scope, path);
  if (located !== null && 'row' in located) return { note: nameInHistory(past, located.row), folder: '' };
  const folder = findFolder(scope.view, path);
  if (folder !== null) return { note: null, folder };
  const gone = seesAll(scope) ? goneNote(past, located?.wouldBe ?? path) : null;
  if (gone === null) throw notFound(scope, path);
  return { note: gone, folder: '' };
}

function goneNote({ history }: VaultPast, path: string): string | null {
  const spellings = [path, `${path}.md`].flatMap((name) => [name, name.normalize('NFD')]);
  return spellings.find((name) => isInHistory(history, name)) ?? null;
}
