import type { Heading, NoteText } from '../model.ts';
import { countWords } from '../words.ts';

/** A note's outline in short: what can be asked for, and how long it is. */
export interface NoteMap {
  readonly headings: readonly {
    readonly level: Heading['level'];
    readonly text: string;
    readonly line: number;
    /** Words of the section with its subsections. */
    readonly words: number;
    readonly address: string;
  }[];
  readonly blocks: readonly { readonly id: string; readonly line: number }[];
  readonly counts: {
    readonly lines: number;
    readonly words: number;
    readonly links: number;
    readonly tags: number;
    readonly tasks: number;
    readonly openTasks: number;
  };
}

/** The map of a note. Headings are in the order of the text, with the address that reads each. */
export function noteMap(note: NoteText): NoteMap {
  const { headings, text } = note;
  const counts = wordTotals(note);
  return {
    headings: headings.map(({ level, text, line, address }, index) => ({
      level,
      text,
      line,
      address,
      words: counts[index]!,
    })),
    blocks: note.blocks.map(({ id, line }) => ({ id, line })),
    counts: {
      lines: note.lineStarts.length - (text === '' || text.endsWith('\n') ? 1 : 0),
      words: note.words,
      links: note.links.length,
      tags: note.tags.length,
      tasks: note.tasks.length,
      openTasks: note.tasks.filter(({ state }) => state === 'open' || state === 'in_progress').length,
    },
  };
}

/** Words from each heading to its section's end, counted in one pass over the text. */
function wordTotals({ headings, text }: NoteText): number[] {
  // Words before each boundary; sections start and end at boundaries, which lie between words.
  const boundaries = [...new Set(headings.flatMap((heading) => [heading.start, heading.sectionEnd]))];
  boundaries.sort((a, b) => a - b);
  const before = new Map<number, number>();
  let total = 0;
  boundaries.forEach((boundary, index) => {
    if (index > 0) total += countWords(text, boundaries[index - 1]!, boundary);
    before.set(boundary, total);
  });
  return headings.map((heading) => before.get(heading.sectionEnd)! - before.get(heading.start)!);
}
