import { coversTag, foldTag } from '@grove/core';
import type { NoteRow } from '@grove/vault';

/** True when `tag` is `wanted` or nested in it; `wanted` is folded. */
export function matchesTag(tag: string, wanted: string): boolean {
  return coversTag(wanted, foldTag(tag));
}

/** All of the tags, none of those written `-x`. */
export function tagPredicate(tags: readonly string[]): ((row: NoteRow) => boolean) | null {
  const excluded = tags.filter((tag) => tag.startsWith('-')).map((tag) => foldTag(tag.slice(1)));
  const wanted = tags.filter((tag) => !tag.startsWith('-')).map(foldTag);
  if (excluded.length === 0 && wanted.length === 0) return null;
  const has = (row: NoteRow, tag: string): boolean => row.tags.some((own) => matchesTag(own, tag));
  return (row) => wanted.every((tag) => has(row, tag)) && !excluded.some((tag) => has(row, tag));
}
