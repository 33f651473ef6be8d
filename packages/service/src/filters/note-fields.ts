import { GroveError, isGroveError } from '@grove/core';
import { stageOf, wantedBy } from '@grove/graph';
import type { NoteRow, ServedNote, View } from '@grove/vault';
import { isoTime } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { parseMoment } from './dates.ts';
import type { NoteFields } from './fields.ts';
import type { Moments } from './logic/values.ts';

/** Texts of moments that are kept; those of a filter are few, those of notes many. */
const MOST_MOMENTS = 2_000;

/** Notes whose text one call reads at most. */
const MOST_TEXTS = 20_000;

/** Thrown where a note's text is asked for and not read yet. */
class TextWanted extends Error {}

/** The fields of the notes that a scope reaches. There is no `content` but the one given. */
export function fieldsOf(
  { view, vault, clock, properties }: Pick<Scope, 'view' | 'vault' | 'clock' | 'properties'>,
  content: () => unknown = () => undefined,
): NoteFields {
  return {
    property: (row, key) => properties.read(view, row, key),
    properties: (row) => (isReadable(row) ? view.properties(row) : {}),
    times: (row) => view.times(row),
    links: (row) => pathsOf(view, view.targetIds(row)),
    backlinks: (row) => pathsOf(view, view.sourceIds(row)).sort(),
    unresolved: (row) => wantedBy(view.missingTargets(row), row).map(({ target }) => target),
    stage: (row) => stageOf(view, row, clock.now(), vault.garden),
    content,
  };
}

/**
 * Asks about notes; the text of one is read only where the question comes to it, and then the question is asked again of
 * the note as it was just read. What is no note any more does not match.
 *
 * @param mostTexts notes that may be read, each of which takes half a millisecond
 * @throws GroveError `bad_filter` where more would have to be
 */
export function judgeNotes(
  scope: Scope,
  judge: (row: NoteRow, fields: NoteFields) => boolean,
  mostTexts = MOST_TEXTS,
): (row: NoteRow) => boolean | Promise<boolean> {
  const unread = fieldsOf(scope, () => {
    throw new TextWanted();
  });
  let reads = 0;
  const judgeRead = async (row: NoteRow): Promise<boolean> => {
    reads += 1;
    if (reads > mostTexts) throw tooManyTexts(mostTexts);
    const served = await readMember(scope.view, row);
    if (served === null) return false;
    const { text, bodyStart } = served.note;
    return judge(
      served.row,
      fieldsOf(scope, () => text.slice(bodyStart)),
    );
  };
  return (row) => {
    try {
      return judge(row, unread);
    } catch (cause) {
      if (!(cause instanceof TextWanted)) throw cause;
      return judgeRead(row);
    }
  };
}

/** Moments as filters name them, in the vault's zone; each text is read once. */
export function momentsOf(scope: Scope): Moments {
  const here = { now: scope.clock.now(), zone: scope.vault.zone };
  const known = new Map<string, number | null>();
  return {
    read: (text) => {
      const found = known.get(text);
      if (found !== undefined) return found;
      const moment = parseMoment(text, here);
      if (known.size < MOST_MOMENTS) known.set(text, moment);
      return moment;
    },
    write: (millis) => isoTime(scope, millis),
  };
}

function tooManyTexts(most: number): GroveError {
  const reason = `it would read the text of more than ${most.toLocaleString('en')} notes`;
  const hint =
    'Narrow by folders, tags or types first, or search by query with a search of type text or regex.';
  return new GroveError('bad_filter', { name: 'where', reason }, { hint });
}

async function readMember(view: View, row: NoteRow): Promise<ServedNote | null> {
  try {
    return await view.read(row);
  } catch (cause) {
    const isGone = ['note_not_found', 'note_not_text', 'note_too_large'].some((code) =>
      isGroveError(cause, code as GroveError['code']),
    );
    if (isGone) return null;
    throw cause;
  }
}

function isReadable({ frontmatterStatus }: NoteRow): boolean {
  return frontmatterStatus !== 'broken' && frontmatterStatus !== 'unclosed';
}

function pathsOf(view: View, ids: readonly number[]): string[] {
  const paths: string[] = [];
  for (const id of ids) {
    const row = view.byId(id);
    if (row !== null) paths.push(row.path);
  }
  return paths;
}
