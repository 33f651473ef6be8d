import type { GitStore } from '../../git-store.ts';
import type { Commit } from '../../objects/commit.ts';

/** Commits that wait, to be taken the newest first. */
export class DateQueue {
  readonly #waiting: Commit[] = [];

  add(commit: Commit): void {
    let low = 0;
    let high = this.#waiting.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#waiting[middle]!.committer.time <= commit.committer.time) low = middle + 1;
      else high = middle;
    }
    this.#waiting.splice(low, 0, commit);
  }

  take(): Commit | null {
    return this.#waiting.pop() ?? null;
  }
}

/** Ids of these commits and their ancestors, the newest first. */
export async function* ancestors(
  store: GitStore,
  tips: readonly string[],
  shallow: ReadonlySet<string>,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  const waiting = new DateQueue();
  const enter = async (oid: string) => {
    if (seen.has(oid)) return;
    seen.add(oid);
    waiting.add(await store.readCommit(oid));
  };
  for (const oid of tips) await enter(oid);
  for (let commit = waiting.take(); commit !== null; commit = waiting.take()) {
    yield commit.oid;
    if (!shallow.has(commit.oid)) for (const parent of commit.parents) await enter(parent);
  }
}
