import { oneLine } from '../answers/note-facts.ts';

/** What somebody typed, in quotes and in one line, without what begins code. */
export function quoted(typed: string): string {
  return JSON.stringify(oneLine(typed).replaceAll('`', "'"));
}

/** A list of one, or null. */
export function asList(item: string | null): readonly string[] | null {
  return item === null ? null : [item];
}
