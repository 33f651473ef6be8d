import type { Commit } from '@grove/history';
import { readTrailerKey } from '../../ledger/trailer-key.ts';
import { verifiedTrailers } from './signed-trailers.ts';

/** What Grove itself wrote into the message of one of its commits. */
export interface TrustedWords {
  /** The principal as `kind:id`; null for commits in nobody's name. */
  readonly key: string | null;
  readonly client: string | null;
  /** The actions of the commit, parted by `, `. */
  readonly operation: string | null;
  readonly reason: string | null;
  readonly mechanical: boolean;
}

/** Tells what a commit's signed trailers say, or null for a commit whose signature is missing or does not hold. */
export type ReadTrustedWords = (commit: Commit) => TrustedWords | null;

/**
 * Reads signed trailers with the key of the vault's state. Anyone who can commit can write such lines; only those with
 * a signature that holds for this very commit are believed.
 *
 * @throws GroveError `ledger_unavailable`
 * @example openTrustedWords(stateDir)(commit)?.key // 'key:k_7Yx…'
 */
export function openTrustedWords(stateDir: string): ReadTrustedWords {
  const { key } = readTrailerKey(stateDir);
  return ({ message, tree, parents }) => {
    const lines = verifiedTrailers(message, { tree, parent: parents[0] ?? null }, key);
    if (lines === null) return null;
    const said = new Map(lines);
    return {
      key: said.get('Grove-Key') ?? null,
      client: said.get('Grove-Client') ?? null,
      operation: said.get('Grove-Operation') ?? null,
      reason: said.get('Grove-Reason') ?? null,
      mechanical: said.has('Grove-Mechanical'),
    };
  };
}
