import { errorCode } from '@grove/core';
import type { MatchingTexts } from '../contract.ts';
import type { LexicalIndex, NoteSet } from '../engine/port.ts';

export interface TextsAsked {
  readonly members: NoteSet;
  readonly filter: NoteSet;
  readonly regex: string;
  readonly upTo: number;
}

/** The notes whose whole text matches; null for an expression that the engine does not take, and one with comments. */
export async function textsMatching(
  index: LexicalIndex,
  { members, filter, regex, upTo }: TextsAsked,
): Promise<MatchingTexts | null> {
  // What ends at a line end may be a comment.
  if (/\(\?[a-zA-Z-]*x/.test(regex)) return null;
  // One match that goes to the end of the text: nobody wants to know of others.
  const once = `(?:${regex})(?s:.*)`;
  try {
    const found = await index.scan({ view: members, filter, words: [], regex: once, linesPerNote: 0 });
    return { ids: new Set(found.map(({ id }) => id)), upTo };
  } catch (error) {
    if (errorCode(error) !== 'bad_regex') throw error;
    return null;
  }
}
