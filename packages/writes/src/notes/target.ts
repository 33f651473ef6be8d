import { foldTitle, GroveError, noteName, parseVaultPath, type VaultPath } from '@grove/core';
import { parseNoteReference, parsePeriodic } from '@grove/markdown';
import type { NoteRow, View } from '@grove/vault';
import type { WriteAction } from './contract.ts';

/** Where a write goes. */
export interface WriteTarget {
  readonly path: VaultPath;
  /** The note that the View shows there, or null when there is none yet. */
  readonly row: NoteRow | null;
  /** The part that the reference named (`Note#Heading`), or null. */
  readonly section: string | null;
  /** What a periodic note that is not there yet is made from; null for every other note. */
  readonly periodic: { readonly date: string; readonly template: VaultPath | null } | null;
  readonly remarks: readonly string[];
}

export interface TargetScope {
  readonly view: View;
  /** Paths of visible notes whose names are near one that nothing answers to. */
  nearest(reference: string): readonly string[];
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** IANA zone. */
  readonly zone: string;
  /** Notes that earlier operations of the same batch make. */
  readonly made: ReadonlySet<VaultPath>;
}

/** These make the note when it is not there. */
const CREATING: ReadonlySet<WriteAction> = new Set(['write', 'append', 'prepend', 'restore']);

/**
 * Finds the note that a write names, more strictly than a read does: an exact path, or a file name or alias that fits
 * one note; never a title, never a search hit. What ends in `.md` or names a folder is a path, and names a new note
 * where the action can make one.
 *
 * @throws GroveError `note_not_found` with near paths, `note_ambiguous` with candidates, `bad_path`
 */
export function findTarget(reference: string, action: WriteAction, scope: TargetScope): WriteTarget {
  const exact = exactPath(reference, scope) ?? (action === 'delete' ? conflictCopy(reference, scope) : null);
  if (exact !== null) return exact;
  if (CREATING.has(action) && looksLikePath(reference, scope.view)) return newNote(reference, scope);
  return (
    named(reference, scope) ??
    part(reference, scope) ??
    (CREATING.has(action) ? newPage(reference, scope) : null) ??
    missing(reference, action, scope)
  );
}

function exactPath(reference: string, scope: TargetScope): WriteTarget | null {
  const found = scope.view.resolve(reference);
  if (found.kind === 'found' && (found.step === 'path' || found.step === 'prefix')) return at(found.row);
  const made = [reference, `${reference}.md`].find((path) =>
    scope.made.has(path.normalize('NFC') as VaultPath),
  );
  return made === undefined ? null : fresh(made.normalize('NFC') as VaultPath);
}

/** A copy that a sync tool left: no name leads to it, and by its path it can be let go. */
function conflictCopy(reference: string, { view }: TargetScope): WriteTarget | null {
  const row = view.conflictCopies().find(({ path }) => path === reference.normalize('NFC'));
  return row === undefined ? null : at(row);
}

/** A file name, an alias or a periodic name that fits one note. */
function named(reference: string, { view, made, now, zone }: TargetScope): WriteTarget | null {
  const found = view.resolve(reference);
  switch (found.kind) {
    case 'ambiguous':
      throw ambiguous(reference, found.candidates);
    case 'found':
      return isNamed(found.row, found.step, reference) ? at(found.row) : null;
    case 'none': {
      if (found.journal !== null) {
        const date =
          parsePeriodic(reference, now, zone)?.date ?? parsePeriodic('today', now, zone)?.date ?? '';
        return { ...fresh(found.journal), periodic: { date, template: found.template } };
      }
      const [only, ...more] = [...made].filter((path) => foldTitle(noteName(path)) === foldTitle(reference));
      return only === undefined || more.length > 0 ? null : fresh(only);
    }
  }
}

/** A read also takes a note's title and the end of its path; a write must not guess. */
function isNamed(row: NoteRow, step: string, reference: string): boolean {
  if (step === 'journal') return true;
  // The name of a page may itself hold what elsewhere names a heading: C#.
  const wanted = new Set([reference, parseNoteReference(reference).name].map(foldTitle));
  if (step === 'alias') return row.aliases.some((alias) => wanted.has(foldTitle(alias)));
  return [noteName(row.path), `${noteName(row.path)}.md`, row.name].some((name) =>
    wanted.has(foldTitle(name)),
  );
}

/** Obsidian's own link form, `Note#Heading`. */
function part(reference: string, scope: TargetScope): WriteTarget | null {
  const { name, section } = parseNoteReference(reference);
  if (section === null || name === '') return null;
  const whole = exactPath(name, scope) ?? named(name, scope);
  return whole === null ? null : { ...whole, section };
}

function newNote(reference: string, { view }: TargetScope): WriteTarget {
  // A space or a dot behind the ending is a slip, and no part of a longer name.
  const path = parseVaultPath(/\.md[\s.]*$/i.test(reference) ? reference : `${reference}.md`);
  const twin = view.resolve(noteName(path));
  const elsewhere = twin.kind === 'found' && twin.step === 'name' ? twin.row.path : null;
  return {
    ...fresh(path),
    remarks: elsewhere === null ? [] : [`There is another note of that name: ${elsewhere}.`],
  };
}

/** A page of a Logseq graph that is not there yet, by its name; `Page#Heading` is none, but a part of a missing one. */
function newPage(reference: string, { view, nearest }: TargetScope): WriteTarget | null {
  const found = view.resolve(reference);
  if (found.kind !== 'none' || found.page === null) return null;
  if (parseNoteReference(reference).section !== null) return null;
  const near = nearest(reference).slice(0, 3);
  const remarks = near.length === 0 ? [] : [`There are pages of similar names: ${near.join(', ')}.`];
  return { ...fresh(found.page), remarks };
}

/** The names of Logseq's pages hold slashes, so that only the ending tells a path from a name there. */
function looksLikePath(reference: string, { dialect }: View): boolean {
  if (/\.md$/i.test(reference)) return true;
  if (dialect === 'logseq') return false;
  return reference.includes('/') && !reference.endsWith('/') && !reference.includes('#');
}

function at(row: NoteRow): WriteTarget {
  return { path: row.path, row, section: null, periodic: null, remarks: [] };
}

function fresh(path: VaultPath): WriteTarget {
  return { path, row: null, section: null, periodic: null, remarks: [] };
}

function ambiguous(reference: string, candidates: readonly NoteRow[]): GroveError {
  return new GroveError('note_ambiguous', {
    path: reference.slice(0, 200).toWellFormed(),
    candidates: candidates
      .slice(0, 20)
      .map(({ path, title, name }) => (title === name ? { path } : { path, title })),
  });
}

function missing(reference: string, action: WriteAction, { view, nearest }: TargetScope): never {
  // What can be no path at all is told so, whatever the vault holds.
  if (/[/\\\u0000-\u001f]|^\./.test(reference))
    parseVaultPath(/\.md$/i.test(reference) ? reference : `${reference}.md`);
  const found = view.resolve(reference);
  const titled = found.kind === 'found' ? [found.row.path as string] : [];
  const near = [...new Set([...titled, ...nearest(reference)])].slice(0, 5);
  const path = reference.slice(0, 200).toWellFormed();
  throw new GroveError(
    'note_not_found',
    { path, nearest: near },
    {
      hint: CREATING.has(action)
        ? `A new note needs a path, such as ${JSON.stringify(`${path.replace(/\.md$/i, '')}.md`)}. To change one that is there, send its path as query, get or list_notes give it.`
        : 'Send the path of the note as query, get or list_notes give it.',
    },
  );
}
