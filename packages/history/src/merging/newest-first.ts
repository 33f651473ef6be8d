import type { Commit } from '../objects/commit.ts';

/** Commits to be walked, the newest first: a binary heap by committer time. */
export class NewestFirst {
  readonly #heap: Commit[] = [];

  constructor(...commits: readonly Commit[]) {
    for (const commit of commits) this.add(commit);
  }

  some(holds: (commit: Commit) => boolean): boolean {
    return this.#heap.some(holds);
  }

  add(commit: Commit): void {
    let at = this.#heap.push(commit) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if (!this.#isNewer(at, above)) return;
      this.#swap(at, above);
      at = above;
    }
  }

  /** Takes the newest out. */
  take(): Commit | undefined {
    const [newest] = this.#heap;
    const last = this.#heap.pop();
    if (last === undefined || this.#heap.length === 0) return newest;
    this.#heap[0] = last;
    for (let at = 0; ; ) {
      let next = at;
      for (const below of [2 * at + 1, 2 * at + 2])
        if (below < this.#heap.length && this.#isNewer(below, next)) next = below;
      if (next === at) return newest;
      this.#swap(at, next);
      at = next;
    }
  }

  #isNewer(one: number, other: number): boolean {
    return this.#heap[one]!.committer.time > this.#heap[other]!.committer.time;
  }

  #swap(one: number, other: number): void {
    const kept = this.#heap[one]!;
    this.#heap[one] = this.#heap[other]!;
    this.#heap[other] = kept;
  }
}
