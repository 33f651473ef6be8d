import { GroveError, isGroveError } from '@grove/core';
import type { GitStore } from '../../git-store.ts';
import { BrokenLine } from '../wire/pkt-line.ts';

/** Where to look which commits lack their parents. */
interface Cuts {
  readonly host: string;
  /** The repository as it is, and with what came. */
  readonly here: GitStore;
  readonly whole: GitStore;
  /** Commits that the server names: those of a depth that was asked for, and those it lacks the parents of itself. */
  readonly asked: readonly string[];
  readonly offered: readonly string[];
}

/**
 * Commits that came without their parents. What a server names counts only for commits that it brings: a history that is
 * here stays whole, whatever the server has of it.
 *
 * @throws BrokenLine for what is no commit of the pack; `remote_history_unusable` where a cut would part what is here
 *   from the commit that continues it
 */
export async function newCuts({ host, here, whole, asked, offered }: Cuts): Promise<ReadonlySet<string>> {
  const cuts = new Set<string>();
  for (const [named, mustCome] of [[asked, true] as const, [offered, false] as const])
    for (const oid of new Set(named)) {
      const comes = (await whole.has(oid)) && !(await here.has(oid));
      if (!comes && mustCome) throw new BrokenLine('it names a commit without parents that it did not send');
      const parents = comes ? await parentsOf(whole, oid) : [];
      if ((await countIn(whole, parents)) === parents.length) continue;
      if ((await countIn(here, parents)) > 0)
        throw new GroveError('remote_history_unusable', { host, reason: PARTED });
      cuts.add(oid);
    }
  return cuts;
}

const PARTED = 'the server has a part of it alone, and would cut off commits that are here';

async function parentsOf(store: GitStore, oid: string): Promise<readonly string[]> {
  try {
    return (await store.readCommit(oid)).parents;
  } catch (error) {
    if (!isGroveError(error, 'repository_unreadable')) throw error;
    throw new BrokenLine('it names a commit without parents that is none');
  }
}

async function countIn(store: GitStore, oids: readonly string[]): Promise<number> {
  let count = 0;
  for (const oid of oids) if (await store.has(oid)) count += 1;
  return count;
}
