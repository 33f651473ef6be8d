import { stageOf, wantedBy } from '@grove/graph';
import type { NoteRow, View } from '@grove/vault';
import { isoTime } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { parseMoment } from './dates.ts';
import type { NoteFields } from './fields.ts';
import type { Moments } from './logic/values.ts';
import { NO } from './text-question.ts';

/** Texts of moments that are kept; those of a filter are few, those of notes many. */
const MOST_MOMENTS = 2_000;

/** Where the texts of notes come from. */
export type TextFields = Pick<NoteFields, 'content' | 'says'>;

const NO_TEXTS: TextFields = { content: () => undefined, says: () => NO };

/** The fields of the notes that a scope reaches. There are no texts but those given. */
export function fieldsOf(
  { view, vault, clock, properties }: Pick<Scope, 'view' | 'vault' | 'clock' | 'properties'>,
  texts: TextFields = NO_TEXTS,
): NoteFields {
  return {
    property: (row, key) => properties.read(view, row, key),
    properties: (row) => (isReadable(row) ? view.properties(row) : {}),
    times: (row) => view.times(row),
    links: (row) => pathsOf(view, view.targetIds(row)),
    backlinks: (row) => pathsOf(view, view.sourceIds(row)).sort(),
    unresolved: (row) => wantedBy(view.missingTargets(row), row).map(({ target }) => target),
    stage: (row) => stageOf(view, row, clock.now(), vault.garden),
    ...texts,
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
