import { handText, takeText, UNITS_PER_CALL } from './handed-text.ts';
import { inCalls } from './in-calls.ts';
import { native } from './native.ts';
import type { OutlineEvents } from './records.ts';

/** Texts that one call to the thread pool takes, so that its arrays are made in short steps. */
const TEXTS_PER_CALL = 64;

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
  if (text.length <= UNITS_PER_CALL) return (await native.outlineMany([text]))[0]!;
  const { strings, ...arrays } = await native.outlineHanded(await handText(text));
  return { ...arrays, strings: await takeText(strings) };
}

/** `outline` of many texts off the event loop; the answers are in the order of the texts. */
export async function outlineMany(texts: string[]): Promise<OutlineEvents[]> {
  const answers: OutlineEvents[] = [];
  for (const batch of inCalls(texts, TEXTS_PER_CALL, (text) => text.length)) {
    const [first] = batch;
    if (first !== undefined && first.length > UNITS_PER_CALL) answers.push(await outlineAsync(first));
    else answers.push(...(await native.outlineMany(batch)));
  }
  return answers;
}
