import { clip, oneLine } from '../answers/note-facts.ts';

/** A name or a text of somebody in one line, without what begins code: no call is read out of it. */
export function plain(text: string): string {
  return oneLine(text).replaceAll('`', "'");
}

/** What somebody typed, in quotes. */
export function quoted(typed: string): string {
  return JSON.stringify(plain(typed));
}

/** Names in one line, as many characters of it as fit into a prompt. */
export function listed(names: readonly string[], longest: number): string {
  return clip(plain(names.join(', ')), longest);
}

/** A list of one, or null. */
export function asList(item: string | null): readonly string[] | null {
  return item === null ? null : [item];
}
