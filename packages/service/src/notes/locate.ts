import { acceptDiskPath, folderOf, GroveError, isGroveError, type VaultPath } from '@grove/core';
import { decodePercent, parseNoteReference } from '@grove/markdown';
import type { NoteRow, ResolutionStep } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { findFolder } from '../filters/folders.ts';
import { nearestNotes } from './nearest-notes.ts';

/** How a note was found: a step of the View's resolution, or a search hit that was clearly ahead. */
export type LocatedBy = ResolutionStep | 'search';

/** A note that was asked for, and the part of it that the reference named. */
export interface Located {
  readonly row: NoteRow;
  readonly by: LocatedBy;
  /** A heading path or `^block`, or null. */
  readonly section: string | null;
}

/** A periodic note that is not there yet, and where it would be. */
export interface Missing {
  readonly wouldBe: string;
  /** The note that such notes are made from, where this caller sees it. */
  readonly template: string | null;
}

const LONGEST_GUESS = 300;
const CLEARLY_AHEAD = 1.5;

/**
 * Finds the one note that a reference names: as a path, name, alias or date; as Obsidian's link form
 * `Note#Heading`, unless a note has exactly that name; else as words of which one note is clearly about.
 *
 * @throws GroveError `note_not_found` with near names, `note_ambiguous` or `note_unclear` with candidates,
 *   `bad_path`
 */
export async function locateNote(scope: Scope, reference: string): Promise<Located | Missing> {
  const plain = withoutPublicUrl(scope, reference);
  const named = locateByName(scope, plain);
  if (named !== null) return named;
  refuseFolder(scope, plain);
  if (looksLikePath(plain)) {
    refuseBadPath(plain);
    throw notFound(scope, plain);
  }
  return await guess(scope, plain);
}

/**
 * {@link locateNote} without its last step: no search, and null where no name fits.
 *
 * @throws GroveError `note_ambiguous`
 */
export function locateByName(scope: Scope, reference: string): Located | Missing | null {
  const whole = resolve(scope, reference, null);
  if (whole !== null && !('wouldBe' in whole)) return whole;
  const { name, section } = parseNoteReference(reference);
  const part = name === '' || name === reference ? null : resolve(scope, name, section);
  return part ?? whole;
}

/** The note that {@link locateByName} finds; null where there is none, or only the journal of a day to come. */
export function rowByName(scope: Scope, reference: string): NoteRow | null {
  const located = locateByName(scope, reference);
  return located === null || 'wouldBe' in located ? null : located.row;
}

/** The error for a name that nothing answers to: notes of a like name are named, then those that were found. */
export function notFound(scope: Scope, reference: string, found: readonly NoteRow[] = []): GroveError {
  const near = [...nearestNotes(scope.view, reference, 5), ...found.map(({ path }) => path)];
  return new GroveError('note_not_found', {
    path: clip(reference, 200),
    nearest: [...new Set(near)].slice(0, 5),
  });
}

function resolve(scope: Scope, reference: string, section: string | null): Located | Missing | null {
  const found = scope.view.resolve(reference);
  switch (found.kind) {
    case 'found':
      return { row: found.row, by: found.step, section };
    case 'ambiguous':
      throw several('note_ambiguous', reference, found.candidates);
    case 'none':
      return found.journal === null || !mayTellOf(scope, found.journal)
        ? null
        : { wouldBe: found.journal, template: found.template };
  }
}

/** The settings may keep the journal in a folder whose name this caller must not hear. */
function mayTellOf({ view, mayName }: Scope, journal: VaultPath): boolean {
  const folder = folderOf(journal);
  if (!mayName(journal)) return false;
  return view.isOwner || folder === '' || view.folders().some(({ path }) => path === folder);
}

async function guess(scope: Scope, reference: string): Promise<Located> {
  if (reference.length > LONGEST_GUESS || reference.trim() === '') throw notFound(scope, reference);
  const { hits, remarks } = await scope.search.search(scope.view, {
    searches: [{ type: 'lex', query: reference }],
    intent: null,
    within: null,
    limit: 5,
    offset: 0,
    snippets: 0,
  });
  const [first, second] = hits;
  if (first === undefined) throw notFound(scope, reference);
  const ownScore = (hit: (typeof hits)[number]): number => hit.found[0]?.score ?? hit.score;
  const ahead =
    second === undefined ||
    (first.exact && !second.exact) ||
    (first.exact === second.exact && ownScore(first) >= CLEARLY_AHEAD * ownScore(second));
  const rows = hits.map((hit) => hit.row);
  // Words that stand in no note were replaced by others: several notes with those were not meant.
  if (!ahead && remarks.length > 0) throw notFound(scope, reference, rows);
  if (!ahead) throw several('note_unclear', reference, rows);
  return { row: first.row, by: 'search', section: null };
}

function several(
  code: 'note_ambiguous' | 'note_unclear',
  reference: string,
  candidates: readonly NoteRow[],
): GroveError {
  return new GroveError(code, {
    path: clip(reference, 200),
    candidates: candidates.slice(0, 20).map((row) => ({
      path: row.path,
      ...(row.title === row.name ? {} : { title: clip(row.title, 100) }),
    })),
  });
}

function looksLikePath(reference: string): boolean {
  return /[/\\\u0000-\u001f]|\.md$|^\./i.test(reference);
}

/** What could never be a note's path is told so, whatever the vault holds. */
function refuseBadPath(reference: string): void {
  const path = reference.replace(/^(?:\.\/|\/)+/, '');
  try {
    acceptDiskPath(/\.md$/i.test(path) ? path : `${path}.md`);
  } catch (error) {
    if (!isGroveError(error, 'bad_path')) throw error;
    // In the caller's own spelling: an ending that nobody wrote would mislead.
    throw new GroveError('bad_path', { ...error.data, path: clip(reference, 100) }, { cause: error });
  }
}

/** A folder is no note; what it holds is the answer that was wanted. */
function refuseFolder(scope: Scope, reference: string): void {
  const folder = findFolder(scope.view, reference);
  if (folder === null || folder === '') return;
  const call = JSON.stringify({ folder: clip(folder, 200) });
  throw new GroveError(
    'note_not_found',
    { path: clip(reference, 200) },
    { hint: `That is a folder: see what is in it with list_notes ${call}.` },
  );
}

function withoutPublicUrl(scope: Scope, reference: string): string {
  const prefix = `${scope.publicUrl}/v1/notes/`;
  if (scope.publicUrl === null || !reference.startsWith(prefix)) return reference;
  return decodePercent(reference.slice(prefix.length));
}
