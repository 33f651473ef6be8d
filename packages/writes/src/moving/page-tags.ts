import { foldCase } from '@grove/core';
import type { NoteText, Range } from '@grove/markdown';

/** A page of Logseq that is called otherwise after a move. */
export interface PageRename {
  readonly before: string;
  readonly after: string;
}

/** True for a tag that names the page: in Logseq `#Page` is a link. */
export function isTagOf(tag: string, { before }: PageRename): boolean {
  return foldCase(tag) === foldCase(before);
}

/**
 * The text with the tags that name a page written anew, in the text and in `tags::`; `#[[Page]]` and `tags:: [[Page]]`
 * are links, and left to those who mend links.
 */
export function renameTags(
  note: NoteText,
  rename: PageRename,
): { readonly text: string; readonly tags: number } {
  const parts: string[] = [];
  let from = 0;
  let tags = 0;
  const tagged = note.tags.filter(({ name }) => isTagOf(name, rename)).sort((a, b) => a.start - b.start);
  for (const tag of tagged) {
    const written = note.text.slice(tag.start, tag.end);
    if (tag.start < from || note.links.some((link) => overlap(link, tag))) continue;
    const isInline = written.startsWith('#');
    if (foldCase(isInline ? written.slice(1) : written) !== foldCase(rename.before)) continue;
    parts.push(note.text.slice(from, tag.start), isInline ? inline(rename.after) : listed(rename.after));
    from = tag.end;
    tags += 1;
  }
  return { text: [...parts, note.text.slice(from)].join(''), tags };
}

function inline(name: string): string {
  return /^[\p{L}\p{M}\p{N}_-]+(?:\/[\p{L}\p{M}\p{N}_-]+)*$/u.test(name) && /[\p{L}_-]/u.test(name)
    ? `#${name}`
    : `#[[${name}]]`;
}

function listed(name: string): string {
  return name.includes(',') ? `[[${name}]]` : name;
}

function overlap(a: Range, b: Range): boolean {
  return a.start < b.end && b.start < a.end;
}
