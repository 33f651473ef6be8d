import type { NoteRow } from '@grove/vault';
import { clip, isoTime } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { findField } from '../filters/fields.ts';
import { fieldsOf } from '../filters/note-fields.ts';

const LONGEST_VALUE = 200;

/** The fields that were asked for, where the note has them; long values are shortened. Null when none were. */
export function shownFields(
  scope: Scope,
  row: NoteRow,
  fields: readonly string[],
): Readonly<Record<string, unknown>> | null {
  if (fields.length === 0) return null;
  const source = fieldsOf(scope);
  const values = fields.flatMap((name): [string, unknown][] => {
    const field = findField(name);
    const value = field.read(row, source);
    if (value === undefined || value === null) return [];
    const shown = field.kind === 'time' && typeof value === 'number' ? isoTime(scope, value) : shorten(value);
    return [[clip(name, 100), shown]];
  });
  return Object.fromEntries(values);
}

function shorten(value: unknown): unknown {
  if (typeof value === 'string') return clip(value, LONGEST_VALUE);
  if (typeof value !== 'object' || value === null) return value;
  const json = JSON.stringify(value);
  return json.length <= LONGEST_VALUE ? value : clip(json, LONGEST_VALUE);
}
