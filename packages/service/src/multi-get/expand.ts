import { GroveError, isGroveError, Slices } from '@grove/core';
import type { NoteRow, View } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { type ErrorPayload, toErrorPayload } from '../errors/payload.ts';
import { locateByName, notFound } from '../notes/locate.ts';
import { hasChoice, isGlob, pathGlob } from '../notes/name-pattern.ts';
import { MOST_NOTES } from './contract.ts';

/** One thing that was asked for: a note, or why there is none. */
export type Wanted =
  | { readonly asked: string; readonly row: NoteRow }
  | { readonly asked: string; readonly error: ErrorPayload };

/** What a list of paths comes to. */
export interface Expanded {
  readonly wanted: readonly Wanted[];
  readonly remarks: readonly string[];
}

/**
 * Finds the notes that paths, names, comma lists and globs mean, each note once, in the order asked for. A whole
 * string is tried as one note first: `Plans, 2026.md` and `[x]*.md` may be files.
 *
 * @throws GroveError `bad_input` for more than {@link MOST_NOTES} names
 */
export async function expandPaths(scope: Scope, paths: readonly string[]): Promise<Expanded> {
  const remarks: string[] = [];
  const wanted: Wanted[] = [];
  const names = paths.flatMap((path) => splitList(scope, path));
  if (names.length > MOST_NOTES)
    throw new GroveError('bad_input', {
      name: 'paths',
      reason: `"paths" names ${names.length} notes; at most ${MOST_NOTES} go into one call`,
    });
  const slices = new Slices();
  for (const name of names) {
    wanted.push(...expandName(scope, name, remarks));
    // Each may compare every name of the vault: others get their turn between.
    if (slices.spent) await slices.rest();
  }
  return { wanted: distinctNotes(wanted), remarks };
}

function splitList(scope: Scope, path: string): string[] {
  if (!path.includes(',') || isNote(scope, path)) return [path];
  // A comma inside braces belongs to the glob.
  if (hasChoice(path)) return [path];
  return path
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

function isNote(scope: Scope, path: string): boolean {
  return scope.view.resolve(path).kind !== 'none';
}

function expandName(scope: Scope, name: string, remarks: string[]): Wanted[] {
  const asked = clip(name, 200);
  try {
    const located = locateByName(scope, name);
    if (located !== null && !('wouldBe' in located)) return [{ asked, row: located.row }];
    if (located === null && isGlob(name)) return expandGlob(scope.view, name, remarks);
    const hint = located === null ? undefined : `It would be ${located.wouldBe}.`;
    const error = notFound(scope, name);
    return [
      {
        asked,
        error: toErrorPayload(
          hint === undefined ? error : new GroveError('note_not_found', error.data, { hint }),
        ),
      },
    ];
  } catch (error) {
    if (!isGroveError(error)) throw error;
    return [{ asked, error: toErrorPayload(error) }];
  }
}

function expandGlob(view: View, glob: string, remarks: string[]): Wanted[] {
  const matches = pathGlob(glob);
  const rows = view.notes().filter((row) => matches(row.path));
  const shown = clip(glob, 100);
  if (rows.length === 0) remarks.push(`Nothing fits "${shown}".${nestedHint(view, glob)}`);
  return rows.map((row) => ({ asked: row.path, row }));
}

function nestedHint(view: View, glob: string): string {
  if (glob.includes('/') || glob.length > 200) return '';
  const nested = pathGlob(`**/${glob}`);
  return view.notes().some((row) => nested(row.path)) ? ` In folders it does: "**/${clip(glob, 100)}".` : '';
}

function distinctNotes(wanted: readonly Wanted[]): Wanted[] {
  const seen = new Set<number>();
  return wanted.filter((item) => {
    if ('error' in item) return true;
    if (seen.has(item.row.id)) return false;
    seen.add(item.row.id);
    return true;
  });
}
