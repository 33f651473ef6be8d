import type { TextQuestion } from '../fields.ts';
import type { AskedNote } from './names.ts';
import { CHARACTERS } from './operators.ts';

/** A part of a tree that asks a question of the note's text alone. */
export class AskedOfText {
  readonly question: TextQuestion;
  /** The same as it is written, with an operator. */
  readonly written: unknown;
  readonly #steps: number;
  readonly #weight: number;

  /** @param steps what it takes beside going through the text `weight` times */
  constructor(question: TextQuestion, written: unknown, steps: number, weight: number) {
    this.question = question;
    this.written = written;
    this.#steps = steps;
    this.#weight = weight;
  }

  /** By the size of the file: as many whether the text is read or its answer known. */
  stepsFor({ row }: AskedNote): number {
    return this.#steps + this.#weight * Math.ceil(row.size / CHARACTERS);
  }
}

/** A part of a tree that is true or false by the note's text, and by what else is fixed while the row stands. */
export class TrueOfText {
  /** Equal for equal parts. */
  readonly key: string;
  readonly written: unknown;

  constructor(key: string, written: unknown) {
    this.key = key;
    this.written = written;
  }
}
