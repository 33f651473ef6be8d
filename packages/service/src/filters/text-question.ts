import { foldCase } from '@grove/core';
import type { NoteRow } from '@grove/vault';
import type { TextAnswer, TextQuestion } from './fields.ts';
import { KeptByRow } from './kept-by-row.ts';

const YES: TextAnswer = { isYes: true, steps: 0 };
export const NO: TextAnswer = { isYes: false, steps: 0 };

function answered(holds: (content: string) => boolean): TextQuestion['ask'] {
  return (content) => (holds(content) ? YES : NO);
}

/** Where a text holds another, letter by letter. */
export function holdsText(wanted: string): TextQuestion {
  const isSought = wanted !== '' && wanted.isWellFormed();
  return {
    key: JSON.stringify(['in', wanted]),
    needs: isSought ? escapeRegex(wanted) : null,
    ask: answered((content) => content.includes(wanted)),
  };
}

/** Where a text matches a regular expression. */
export function matchesRegex(regex: string, matches: (text: string) => boolean): TextQuestion {
  return { key: JSON.stringify(['regexp', regex]), needs: neededBy(regex, matches), ask: answered(matches) };
}

/** Where a text passes a comparison of fields, named by what it compares with. */
export function passes(operator: string, wanted: unknown, judge: (value: unknown) => boolean): TextQuestion {
  const holdsFolded = operator === 'contains' && wanted !== null && typeof wanted !== 'object';
  return {
    key: JSON.stringify(['content', operator, wanted]),
    needs: holdsFolded ? neededFolded(foldCase(String(wanted)).trim()) : null,
    ask: answered(judge),
  };
}

/** Answers that are kept of each of so many questions; for ten thousand notes that is half a megabyte each. */
const MOST_QUESTIONS = 12;

/** Answers that notes' texts gave. */
export class TextAnswers {
  readonly #kept = new KeptByRow<TextAnswer>(MOST_QUESTIONS);

  to(question: TextQuestion): WeakMap<NoteRow, TextAnswer> {
    return this.#kept.of(question.key);
  }
}

/**
 * A match in a text is one in the whole file too, unless the expression tells the begin of a text from that of a line.
 * Below a fence without a line end stands nothing, which is no line; behind a byte order mark no line begins.
 */
function neededBy(regex: string, matches: (text: string) => boolean): string | null {
  const isOfBegin = /\\A|\(\?[a-zA-Z]*-/.test(regex);
  return isOfBegin || matches('') || !regex.isWellFormed() ? null : `(?:${regex})|\\A\\x{FEFF}`;
}

/** Characters that fold to one of ASCII though no letter's other case is one: NFC and lower case make them so. */
const FOLDED_TO: Readonly<Record<string, string>> = { i: 'i\u0130', ';': ';\u037e', '`': '`\u1fef' };

/**
 * The longest run of ASCII of a folded text, in either case: what is folded to it stands in the file. Others may be
 * written in several ways.
 */
function neededFolded(folded: string): string | null {
  const runs = folded.match(/[\u0000-\u007f]+/g) ?? [];
  const longest = runs.reduce((long, run) => (run.length > long.length ? run : long), '');
  if (longest === '') return null;
  return `(?i)${[...longest].map((unit) => (Object.hasOwn(FOLDED_TO, unit) ? `[${FOLDED_TO[unit]}]` : escapeRegex(unit))).join('')}`;
}

/** A text as a regular expression for itself. */
function escapeRegex(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&');
}
