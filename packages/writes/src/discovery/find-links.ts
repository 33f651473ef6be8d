import { foldCase, type VaultPath } from '@grove/core';
import type { NoteText, Range } from '@grove/markdown';
import {
  type Mention,
  type NoteRow,
  type PossibleLink,
  possibleLinks,
  type VaultSchema,
  type View,
} from '@grove/vault';
import type { Discovery, LinkSuggestion } from './contract.ts';
import { isStillShown } from './read-shown.ts';

/** Where links are looked for, and under whose eyes. */
export interface LinkSearch {
  readonly view: View;
  /** The note, as the View has it. */
  readonly row: NoteRow;
  readonly note: NoteText;
  readonly mentions: readonly Mention[];
  readonly most: number;
  readonly discovery: Pick<Discovery, 'isCommon'>;
  /** What a name is taken for of which nobody can tell whether it is common. */
  readonly ifUnknown: 'common' | 'rare';
  /** False for notes that are not to be linked from this one. */
  mayLink(to: NoteRow): boolean;
}

/** Names of one other note that stand in a range of a text; those of templates are passed over. */
export function mentionsOf(
  text: string,
  range: Range,
  { path, ...ground }: { readonly view: View; readonly path: VaultPath; readonly schema: VaultSchema },
): Mention[] {
  return namesOfOne(text, range, ground).filter(({ notes }) => notes[0]?.path !== path);
}

/** Names of one note that stand in a range of a text, its own ones as well; those of templates are passed over. */
export function namesOfOne(
  text: string,
  range: Range,
  { view, schema }: { readonly view: View; readonly schema: VaultSchema },
): Mention[] {
  return view
    .mentions(text, range)
    .map((mention) => ({ ...mention, notes: mention.notes.filter((note) => !isTemplate(note, schema)) }))
    .filter(({ notes }) => notes.length === 1);
}

/**
 * The first so many possible links, without those whose name is a word like others in this View. The notes that they lead
 * to are judged by their bytes of now.
 */
export async function findLinks(search: LinkSearch): Promise<PossibleLink[]> {
  const { view, mentions, most, discovery, ifUnknown, mayLink } = search;
  if (mentions.length === 0) return [];
  const found: PossibleLink[] = [];
  for (const link of possibleLinks(search)) {
    if (!mayLink(link.to)) continue;
    const isCommon = await discovery.isCommon(view, link.to, link.text);
    if (isCommon ?? ifUnknown === 'common') continue;
    if (!(await isStillShown(view, link.to)) || !mayLink(link.to)) continue;
    found.push(link);
    if (found.length === most) break;
  }
  return found;
}

/** A note that others are made from. */
export function isTemplate({ path }: NoteRow, { templates, templateFolder }: VaultSchema): boolean {
  const folded = foldCase(path);
  return templates.has(folded) || (templateFolder !== null && folded.startsWith(`${templateFolder}/`));
}

/** A link as callers are told of it. */
export function told({ to, link, text, line }: PossibleLink): LinkSuggestion {
  return { path: to.path, link, text, line };
}
