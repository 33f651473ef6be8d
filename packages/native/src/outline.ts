import { native } from './native.ts';
import type { OutlineEvents } from './records.ts';

/** What one call to the thread pool takes (texts, UTF-16 units), so that its arrays are made in short steps. */
const TEXTS_PER_JOB = 64;
const UNITS_PER_JOB = 256 * 1024;

/**
 * Parses the body of a note (no frontmatter) on the calling thread; meant for texts up to 16 KB.
 *
 * CommonMark 0.31 with tables, GFM footnotes, strikethrough, task lists, math and wikilinks. Never throws for
 * any text; lone surrogates count as U+FFFD and keep their offsets.
 *
 * @example decodeOutline(outline('# Hi\n')) // [{ kind: 'heading', level: 1, text: 'Hi', start: 0, end: 4, … }]
 */
export function outline(text: string): OutlineEvents {
  return native.outline(text);
}

/** `outline` off the event loop, for a text of any size. */
export async function outlineAsync(text: string): Promise<OutlineEvents> {
  const [events] = await native.outlineMany([text]);
  return events as OutlineEvents;
}

/** `outline` of many texts off the event loop; the answers are in the order of the texts. */
export async function outlineMany(texts: string[]): Promise<OutlineEvents[]> {
  const answers: OutlineEvents[] = [];
  for (let from = 0; from < texts.length; ) {
    let to = from;
    for (let units = 0; to < texts.length && to - from < TEXTS_PER_JOB; to++) {
      units += texts[to]!.length;
      if (units > UNITS_PER_JOB && to > from) break;
    }
    answers.push(...(await native.outlineMany(texts.slice(from, to))));
    from = to;
  }
  return answers;
}
