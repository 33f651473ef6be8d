/**
 * A stretch of work in which git's settings, its rule files and its index are looked at once: what they say holds for
 * all of it. Outside of one every question looks at the disk.
 *
 * @example await pass.run(async () => { for (const path of paths) await rules.read(path, index); });
 */
export class OnePass {
  #open = false;
  #count = 0;

  /** A number that no other pass has, or null outside of one. */
  get current(): number | null {
    return this.#open ? this.#count : null;
  }

  /** Does the work as one pass; within another one it belongs to that. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.#open) return work();
    this.#open = true;
    this.#count += 1;
    try {
      return await work();
    } finally {
      this.#open = false;
    }
  }

  /** From here on everything is looked at once more. */
  renew(): void {
    this.#count += 1;
  }
}

/** Answers that were found in the current pass; none is kept outside of one. */
export class PassAnswers<Answer> {
  readonly #pass: OnePass;
  readonly #answers = new Map<string, Answer>();
  #of: number | null = null;

  constructor(pass: OnePass) {
    this.#pass = pass;
  }

  /** The answer to this question in the current pass, else what `look` finds. */
  get(question: string, look: () => Answer): Answer {
    const { current } = this.#pass;
    if (current !== this.#of) this.#answers.clear();
    this.#of = current;
    if (current === null) return look();
    const known = this.#answers.get(question);
    if (known !== undefined) return known;
    const answer = look();
    this.#answers.set(question, answer);
    return answer;
  }

  /** What is so now, because we made it so. */
  set(question: string, answer: Answer): void {
    const { current } = this.#pass;
    if (current !== null && current === this.#of) this.#answers.set(question, answer);
  }
}
