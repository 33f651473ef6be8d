import { isUtf8 } from 'node:buffer';
import type { VaultPath } from '@grove/core';
import type { History } from '@grove/history';
import { decodeNote, shortDiff } from '@grove/markdown';
import { discoveryCommits } from '../discovery/discovery-commits.ts';
import type { ReadTrustedWords } from '../engine/commit/trusted-words.ts';
import type { FileNow, WriteAuthor, WriteEngine } from '../engine/contract.ts';
import type { WritePolicy } from '../notes/write-policy.ts';
import { withAccess } from './access-of-restored.ts';
import { keyChanges } from './key-changes.ts';
import { type LeftNote, type PlannedRevert, planRevert } from './plan-revert.ts';

/** Whose words are to go, and since when. */
export interface RevertWish {
  /** The principal as `kind:id`. */
  readonly key: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
  /** Only tells what would be done. */
  readonly dryRun: boolean;
}

/** A note out of which what the key wrote was taken, or would be. */
export interface RevertedNote {
  readonly path: VaultPath;
  readonly change: 'restored' | 'changed' | 'removed';
  /** As hunks of a unified diff, at most 1 KB; empty for what is no text. */
  readonly diff: string;
}

export interface RevertOutcome {
  /** Commits of the key since then. */
  readonly commits: number;
  readonly undone: readonly RevertedNote[];
  /** Notes that keep something of it, with the reason. */
  readonly left: readonly LeftNote[];
  /** The commit that undid it; null in a dry run, and where nothing was to undo. */
  readonly commit: string | null;
  /** Where words went that somebody saved at the same moment. */
  readonly conflictSaved: readonly VaultPath[];
}

export interface RevertParts {
  /** Real path of the vault folder. */
  readonly root: string;
  readonly history: History;
  readonly trusted: ReadTrustedWords;
  readonly engine: WriteEngine;
  /** Who undoes. */
  readonly author: WriteAuthor;
  readonly policy: WritePolicy;
}

const DIFF_BYTES = 1024;

/**
 * Undoes what one key wrote since a moment, and nothing else, in one commit: never a person's words, nor another
 * key's. What cannot be told apart from them stays and is named.
 *
 * @throws GroveError `bad_input` for very many notes, `repository_unreadable`, and what the engine throws
 * @example await revertKey(parts, { key: 'key:k_7Yx…', since: Date.now() - 3_600_000, dryRun: true })
 */
export async function revertKey(parts: RevertParts, wish: RevertWish): Promise<RevertOutcome> {
  const { root, history, trusted, engine, author, policy } = parts;
  await history.refresh();
  const commits = await keyChanges(history, trusted, wish.key, wish.since);
  const paths = [...new Set(commits.flatMap(({ changes }) => changes.map(({ path }) => path)))];
  if (paths.length === 0) return { commits: 0, undone: [], left: [], commit: null, conflictSaved: [] };
  const refused = new Map<VaultPath, string>();
  for (const path of paths) {
    const refusal = policy.refusal(path);
    if (refusal !== null) refused.set(path, refusal.message);
  }
  const linked = await discoveryCommits(history, trusted, wish.since);
  let undone: readonly RevertedNote[] = [];
  let planned: PlannedRevert = { changes: [], left: [] };
  const outcome = await engine.apply({
    paths,
    author,
    idempotency: null,
    dryRun: wish.dryRun,
    plan: async (files) => {
      planned = await planRevert(history.store, commits, files, { refused, linked });
      undone = planned.changes.map(({ path, after }) => reverted(path, files.get(path) ?? null, after));
      return {
        changes: await withAccess(planned.changes, commits, files, { root, store: history.store, engine }),
        subject: `Undo what ${wish.key} wrote`,
        trailers: {
          'Grove-Operation': 'revert',
          'Grove-Reason': `${wish.key} since ${new Date(wish.since).toISOString()}`,
        },
        mechanical: false,
        answer: null,
      };
    },
  });
  return {
    commits: commits.length,
    undone,
    left: planned.left,
    commit: outcome.commit,
    conflictSaved: outcome.conflictSaved,
  };
}

function reverted(path: VaultPath, now: FileNow | null, after: Uint8Array | null): RevertedNote {
  const change = now === null ? 'restored' : after === null ? 'removed' : 'changed';
  return { path, change, diff: diffOf(now?.bytes ?? Buffer.alloc(0), after ?? Buffer.alloc(0)) };
}

/** Bytes that are no text have no lines to compare; they are undone all the same. */
function diffOf(before: Uint8Array, after: Uint8Array): string {
  if (!isUtf8(before) || !isUtf8(after)) return '';
  return shortDiff(decodeNote(before).text, decodeNote(after).text, DIFF_BYTES);
}
