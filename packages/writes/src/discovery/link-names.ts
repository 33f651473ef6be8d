import type { VaultPath } from '@grove/core';
import type { PossibleLink, ServedNote, VaultSchema, View } from '@grove/vault';
import { withDefinitionsOf } from '../notes/definitions.ts';
import { isTooLarge } from '../notes/limits.ts';
import type { Discovery, LinkSuggestion } from './contract.ts';
import { findLinks, isTemplate, mentionsOf, told } from './find-links.ts';

/** Most links that one note gets at a time. */
const MOST = 50;

/** A note with links in the place of names. */
export interface LinkedNote {
  readonly path: VaultPath;
  /** Of the bytes that were read. */
  readonly contentHash: string;
  readonly text: string;
  /** In the order of the text, by the lines of before. */
  readonly links: readonly LinkSuggestion[];
}

/**
 * Puts links in the place of the first mention of each note that this one names and does not link; null where there is
 * nothing to link. No trail that shows the note hides what it comes to link to, and templates are left alone.
 *
 * @param trails what each trail of the vault shows
 */
export async function linkNames(
  { row, bytes, note }: ServedNote,
  view: View,
  trails: readonly View[],
  { schema, discovery }: { readonly schema: VaultSchema; readonly discovery: Pick<Discovery, 'isCommon'> },
): Promise<LinkedNote | null> {
  const { path, contentHash } = row;
  if (isTemplate(row, schema)) return null;
  const { text } = note;
  const mentions = mentionsOf(text, { start: 0, end: text.length }, { view, path, schema });
  const showing = trails.filter((trail) => trail.get(path) !== null);
  const found = await findLinks({
    view,
    row,
    note,
    mentions,
    most: MOST,
    discovery,
    ifUnknown: 'common',
    mayLink: (to) => showing.every((trail) => trail.get(to.path) !== null),
  });
  if (found.length === 0) return null;
  const inOrder = found.sort((a, b) => a.start - b.start);
  const added = new Set(inOrder.map(({ link }) => link));
  const linked = await withDefinitionsOf(added, { text: written(text, inOrder), row, view });
  if (isTooLarge(bytes.length, Buffer.byteLength(linked))) return null;
  return { path, contentHash, text: linked, links: inOrder.map(told) };
}

function written(text: string, links: readonly PossibleLink[]): string {
  let end = 0;
  const parts: string[] = [];
  for (const link of links) {
    parts.push(text.slice(end, link.start), link.link);
    end = link.end;
  }
  return parts.join('') + text.slice(end);
}
