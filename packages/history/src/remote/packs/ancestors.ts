import type { GitStore } from '../../git-store.ts';
import { NewestFirst } from '../../merging/newest-first.ts';

/** Ids of these commits and their ancestors, the newest first. */
export async function* ancestors(
  store: GitStore,
  tips: readonly string[],
  shallow: ReadonlySet<string>,
): AsyncGenerator<string> {
  const seen = new Set<string>();
  const waiting = new NewestFirst();
  const enter = async (oid: string) => {
    if (seen.has(oid)) return;
    seen.add(oid);
    waiting.add(await store.readCommit(oid));
  };
  for (const oid of tips) await enter(oid);
  for (let commit = waiting.take(); commit !== undefined; commit = waiting.take()) {
    yield commit.oid;
    if (!shallow.has(commit.oid)) for (const parent of commit.parents) await enter(parent);
  }
}
