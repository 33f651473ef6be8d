/**
 * Runs pieces of work one after the other, in the order in which they were asked for; one that fails does not stop the
 * next.
 *
 * @example await changes.run(() => table.add(rows))
 */
export class InTurn {
  #tail: Promise<unknown> = Promise.resolve();

  run<Result>(work: () => Promise<Result>): Promise<Result> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => {});
    return done;
  }

  /** Resolves when everything that was asked for so far is done. */
  async idle(): Promise<void> {
    await this.#tail;
  }
}
