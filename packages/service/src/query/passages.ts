import { type Chunk, chunkNote } from '@grove/markdown';
import type { SearchHit } from '@grove/search';
import type { ServedNote } from '@grove/vault';
import { clip, isoTime, noteFacts } from '../answers/note-facts.ts';
import type { Scope } from '../contract.ts';
import { headingAt } from '../notes/heading-at.ts';
import { readIfThere } from '../notes/read.ts';
import type { Passage } from './contract.ts';

const PASSAGES_A_NOTE = 3;

/** Passages in the order of their notes, and how many notes had their turn. */
export interface Passages {
  readonly passages: readonly Passage[];
  readonly notes: number;
}

interface Candidate {
  readonly hit: number;
  readonly chunk: Chunk;
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
  const served = await Promise.all(hits.map((hit) => readIfThere(scope.view, hit.row)));
  const best = hits.map((hit, index) => bestChunks(hit, served[index] ?? null));
  const taken: Candidate[] = [];
  let left = chars;
  let notes = 0;
  for (let turn = 0; turn < PASSAGES_A_NOTE; turn += 1) {
    for (const [hit, chunks] of best.entries()) {
      const chunk = chunks[turn];
      const length = chunk === undefined ? 0 : chunk.end - chunk.start;
      const fits = length <= left || taken.length === 0;
      if (chunk !== undefined && fits) {
        taken.push({ hit, chunk });
        left -= length;
      }
      if (turn > 0) continue;
      // The next call begins with the first note that had no room.
      if (!fits) return { passages: present(scope, served, taken, chars), notes };
      notes += 1;
    }
  }
  return { passages: present(scope, served, taken, chars), notes };
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

function present(
  scope: Scope,
  served: readonly (ServedNote | null)[],
  taken: readonly Candidate[],
  chars: number,
): Passage[] {
  const ordered = [...taken].sort((a, b) => a.hit - b.hit || a.chunk.start - b.chunk.start);
  return ordered.map(({ hit, chunk }) => {
    const { row, note } = served[hit]!;
    const text = note.text.slice(chunk.start, chunk.end).trim();
    const heading = headingAt(note.headings, chunk.line);
    return {
      ...noteFacts(scope, row),
      ...(heading === null ? {} : { heading: clip(heading.address, 200) }),
      line: chunk.line,
      text: clip(text, chars),
      ...(text.length > chars ? { cut: true } : {}),
      modified: isoTime(scope, scope.view.times(row).modified),
    };
  });
}
