import { GroveError } from '@grove/core';
import { noteMap } from '@grove/markdown';
import type { ServedNote } from '@grove/vault';
import { clip } from '../answers/note-facts.ts';
import { fillPage } from '../answers/size.ts';
import type { GetAnswer, OutlineEntry } from './contract.ts';

const BLOCK_SHARE = 0.25;

/** The note's headings from the `offset`-th on, and its blocks. */
export function showMap(
  { note }: ServedNote,
  offset: number,
  budget: number,
): Pick<GetAnswer, 'outline' | 'blocks' | 'next_offset' | 'total_chars'> {
  const map = noteMap(note);
  if (offset > 0 && offset >= map.headings.length)
    throw new GroveError('bad_input', {
      name: 'offset',
      reason: `"offset" is beyond the end: there are ${map.headings.length} headings`,
    });
  const outline: OutlineEntry[] = map.headings.slice(offset).map(({ level, text, address, line, words }) => ({
    level,
    text: clip(text, 200),
    address: clip(address, 200),
    line,
    words,
  }));
  const shown = fillPage(outline, budget * (1 - BLOCK_SHARE));
  const blocks = offset === 0 ? fillPage(map.blocks, budget * BLOCK_SHARE).items : [];
  return {
    outline: [...shown.items],
    ...(blocks.length === 0 ? {} : { blocks: blocks.map(({ id, line }) => ({ id, line })) }),
    total_chars: note.text.length,
    ...(shown.full ? { next_offset: offset + shown.items.length } : {}),
  };
}
