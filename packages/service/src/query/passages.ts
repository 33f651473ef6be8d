import { type Chunk, chunkNote } from '@grove/markdown';
import type { SearchHit } from '@grove/search';
import type { ServedNote } from '@grove/vault';
import { clip, isoTime, noteFacts } from '../answers/note-facts.ts';
import { FRAME_BYTES, jsonBytes, TEXT_BYTES } from '../answers/size.ts';
import type { Scope } from '../contract.ts';
import { headingAt } from '../notes/heading-at.ts';
import { readIfThere } from '../notes/read.ts';
import type { Passage } from './contract.ts';

const PASSAGES_A_NOTE = 3;
const LONGEST_PASSAGE = 6_000;

/** Passages in the order of their notes, and how many notes had their turn. */
export interface Passages {
  readonly passages: readonly Passage[];
  readonly notes: number;
}

interface Taken {
  readonly hit: number;
  readonly start: number;
  readonly passage: Passage;
}

/**
 * The best parts of the notes, up to `chars` characters. Every note gets its best part before any gets a second one,
 * so that a long note cannot crowd out the others.
 */
export async function collectPassages(
  scope: Scope,
  hits: readonly SearchHit[],
  chars: number,
): Promise<Passages> {
  const read = await Promise.all(hits.map((hit) => readIfThere(scope.view, hit.row)));
  // While others were read, one may have left the View.
  const served = read.map((note) => (note !== null && scope.view.byId(note.row.id) !== null ? note : null));
  const best = hits.map((hit, index) => bestChunks(hit, served[index] ?? null));
  const taken: Taken[] = [];
  let charsLeft = chars;
  let bytesLeft = TEXT_BYTES - FRAME_BYTES;
  /** False when there is no room. */
  const take = (hit: number, chunk: Chunk): boolean => {
    const passage = showChunk(scope, served[hit]!, chunk, chars);
    const bytes = jsonBytes(passage);
    const fits = passage.text.length <= charsLeft && bytes <= bytesLeft;
    if (!fits && taken.length > 0) return false;
    taken.push({ hit, start: chunk.start, passage });
    charsLeft -= passage.text.length;
    bytesLeft -= bytes;
    return true;
  };
  // The next call begins with the first note that had no room.
  const full = best.findIndex(([chunk], hit) => chunk !== undefined && !take(hit, chunk));
  for (let turn = 1; full < 0 && turn < PASSAGES_A_NOTE; turn += 1)
    for (const [hit, chunks] of best.entries()) {
      const chunk = chunks[turn];
      if (chunk !== undefined) take(hit, chunk);
    }
  taken.sort((a, b) => a.hit - b.hit || a.start - b.start);
  return { passages: taken.map(({ passage }) => passage), notes: full < 0 ? hits.length : full };
}

/** The chunks that hold what was found, best first; the first one of the note when nothing in its text was. */
function bestChunks(hit: SearchHit, served: ServedNote | null): readonly Chunk[] {
  if (served === null) return [];
  const { note } = served;
  const chunks = chunkNote(note);
  const places = [
    ...hit.snippets.map((snippet) => snippet.start + (snippet.marks[0] ?? 0)),
    ...hit.lines.map(({ line }) => note.lineStarts[line - 1] ?? 0),
  ];
  const found = places.flatMap(
    (place) => chunks.find((chunk) => place >= chunk.start && place < chunk.end) ?? [],
  );
  const distinct = [...new Set(found)];
  return distinct.length > 0 ? distinct : chunks.slice(0, 1);
}

function showChunk(scope: Scope, { row, note }: ServedNote, chunk: Chunk, chars: number): Passage {
  const text = note.text.slice(chunk.start, chunk.end).trim();
  const longest = Math.min(chars, LONGEST_PASSAGE);
  const heading = headingAt(note.headings, chunk.line);
  return {
    ...noteFacts(scope, row),
    ...(heading === null ? {} : { heading: clip(heading.address, 200) }),
    line: chunk.line,
    text: clip(text, longest),
    ...(text.length > longest ? { cut: true } : {}),
    modified: isoTime(scope, scope.view.times(row).modified),
  };
}
