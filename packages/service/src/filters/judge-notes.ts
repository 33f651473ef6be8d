import { GroveError, isGroveError, Slices } from '@grove/core';
import { findFences } from '@grove/markdown';
import type { NoteRow } from '@grove/vault';
import type { Scope } from '../contract.ts';
import { type NoteFields, type TextAnswer, type TextQuestion, TextWanted } from './fields.ts';
import { fieldsOf } from './note-fields.ts';
import { NO } from './text-question.ts';

/** Notes whose text one call reads at most. */
const MOST_TEXTS = 20_000;
/** So few texts are read sooner than the index looks through all. */
const FEW_TEXTS = 8;
/** Questions that the index is asked in one call. */
const MOST_ASKED = 8;

type Judge = (row: NoteRow, fields: NoteFields) => boolean;
type Answers = WeakMap<NoteRow, TextAnswer>;

/**
 * Asks about notes; the text of one is read only where the question comes to it, and then the question is asked again
 * with what was read. What is no note any more does not match.
 *
 * @param mostTexts notes that may be read
 * @throws GroveError `bad_filter` where more would have to be
 */
export function judgeNotes(
  scope: Scope,
  judge: Judge,
  mostTexts = MOST_TEXTS,
): (row: NoteRow) => boolean | Promise<boolean> {
  const judging = new Judging(scope, judge, mostTexts);
  return (row) => {
    const verdict = judging.unread(row);
    return verdict instanceof TextWanted ? judging.withText(row, verdict) : verdict;
  };
}

class Judging {
  readonly #scope: Scope;
  readonly #judge: Judge;
  readonly #mostTexts: number;
  readonly #unread: NoteFields;
  readonly #answers = new Map<TextQuestion, Answers>();
  readonly #asked = new Set<TextQuestion>();
  readonly #wants = new Map<TextQuestion | null, TextWanted>();
  #reads = 0;

  constructor(scope: Scope, judge: Judge, mostTexts: number) {
    this.#scope = scope;
    this.#judge = judge;
    this.#mostTexts = mostTexts;
    this.#unread = fieldsOf(scope, {
      content: () => {
        throw this.#wanted(null);
      },
      says: (row, question) => {
        const known = this.#answersTo(question).get(row);
        if (known === undefined) throw this.#wanted(question);
        return known;
      },
    });
  }

  /** The verdict, or what the note's text is wanted for. */
  unread(row: NoteRow): boolean | TextWanted {
    try {
      return this.#judge(row, this.#unread);
    } catch (cause) {
      if (!(cause instanceof TextWanted)) throw cause;
      return cause;
    }
  }

  async withText(row: NoteRow, wanted: TextWanted): Promise<boolean> {
    let { question } = wanted;
    while (this.#reads >= FEW_TEXTS && question !== null && this.#isWorthAsking(question)) {
      await this.#askIndex(question);
      const verdict = this.unread(row);
      if (!(verdict instanceof TextWanted)) return verdict;
      question = verdict.question;
    }
    this.#reads += 1;
    if (this.#reads > this.#mostTexts) throw tooManyTexts(this.#mostTexts);
    const read = await readContent(this.#scope, row);
    return read !== null && this.#judgeRead(read);
  }

  #judgeRead({ row, content }: ReadContent): boolean {
    const fields: NoteFields = fieldsOf(this.#scope, {
      content: () => content,
      says: (_, question) => {
        const answers = this.#answersTo(question);
        const answer = answers.get(row) ?? question.ask(content, row, fields);
        answers.set(row, answer);
        return answer;
      },
    });
    return this.#judge(row, fields);
  }

  /** The same error each time: making one takes longer than judging a note. */
  #wanted(question: TextQuestion | null): TextWanted {
    let wanted = this.#wants.get(question);
    if (wanted === undefined) {
      wanted = new TextWanted(question);
      this.#wants.set(question, wanted);
    }
    return wanted;
  }

  #answersTo(question: TextQuestion): Answers {
    let answers = this.#answers.get(question);
    if (answers === undefined) {
      answers = this.#scope.texts.to(question);
      this.#answers.set(question, answers);
    }
    return answers;
  }

  #isWorthAsking(question: TextQuestion): boolean {
    return question.needs !== null && this.#asked.size < MOST_ASKED && !this.#asked.has(question);
  }

  /** Notes down which notes the answer is no of, as far as the index can tell. */
  async #askIndex(question: TextQuestion): Promise<void> {
    this.#asked.add(question);
    const { view, search } = this.#scope;
    const answers = this.#answersTo(question);
    const rows = view.notes().filter((row) => !answers.has(row));
    const ids = Uint32Array.from(rows, ({ id }) => id);
    const found = await search.textsMatching(view, question.needs ?? '', ids);
    const slices = new Slices();
    for (const row of found === null ? [] : rows) {
      // What was matched of a note that changed meanwhile is its newer text.
      const isAsItWas = row.sequence <= found!.upTo && view.byId(row.id) === row;
      if (isAsItWas && !found!.ids.has(row.id)) answers.set(row, NO);
      if (slices.spent) await slices.rest();
    }
  }
}

interface ReadContent {
  readonly row: NoteRow;
  readonly content: string;
}

/** The text as the index keeps it, which is that of the row, or else as it is on disk now; null of what is no note any more. */
async function readContent({ view, search }: Scope, row: NoteRow): Promise<ReadContent | null> {
  const text = await search.textOf(view, row);
  if (text !== null) return { row, content: text.slice(findFences(text).bodyStart) };
  try {
    const { row: now, note } = await view.read(row);
    return { row: now, content: note.text.slice(note.bodyStart) };
  } catch (cause) {
    if (!NO_NOTE.some((code) => isGroveError(cause, code))) throw cause;
    return null;
  }
}

const NO_NOTE = ['note_not_found', 'note_not_text', 'note_too_large'] as const;

function tooManyTexts(most: number): GroveError {
  const reason = `it would read the text of more than ${most.toLocaleString('en')} notes`;
  const hint =
    'Narrow by folders, tags or types first, or search by query with a search of type text or regex.';
  return new GroveError('bad_filter', { name: 'where', reason }, { hint });
}
