import type { VaultPath } from '@grove/core';
import type { History } from '@grove/history';
import { decodeNote } from '@grove/markdown';
import type { View } from '@grove/vault';
import { GROVE_ITSELF } from '../engine/commit/signatures.ts';
import type { ReadTrustedWords } from '../engine/commit/trusted-words.ts';
import type { FileNow, WriteEngine } from '../engine/contract.ts';
import type { WritePolicy } from '../notes/write-policy.ts';
import { type AddedLink, takeBack } from './added-links.ts';
import { AT_ONCE, type DiscoveredNote, type DiscoverOutcome, type LeftAlone } from './contract.ts';
import { discoveryCommits, UNDO_DISCOVERY } from './discovery-commits.ts';

/** What links are taken back by. */
export interface UndoParts {
  readonly history: History;
  readonly trusted: ReadTrustedWords;
  readonly engine: WriteEngine;
  readonly view: View;
  readonly policy: WritePolicy;
}

/** Which links are to go. */
export interface UndoDiscoveryWish {
  /** Of this note; of all where null. */
  readonly path: VaultPath | null;
  /** Only of notes from this path on; null: of all. */
  readonly from: VaultPath | null;
  /** Only tells what would be done. */
  readonly dryRun: boolean;
  /** After so many milliseconds no more notes are begun; some are always seen to. */
  readonly patienceMs: number;
}

/**
 * Puts names back where Grove added links, in all notes or in one, as far as the links still stand as they were added;
 * in mechanical commits that keep the source hashes.
 *
 * @throws GroveError `repository_unreadable`, and what the engine throws
 */
export async function undoDiscovery(
  parts: UndoParts,
  { path, from, dryRun, patienceMs }: UndoDiscoveryWish,
): Promise<DiscoverOutcome> {
  const { history, trusted, engine, view, policy } = parts;
  await history.refresh();
  await history.caughtUp();
  const added = await discoveryCommits(history, trusted);
  const left: LeftAlone[] = [];
  const paths: VaultPath[] = [];
  for (const at of [...added.keys()].sort()) {
    if (view.get(at) === null || (path !== null && at !== path)) continue;
    if (from !== null && at < from) continue;
    const refusal = policy.refusal(at);
    if (refusal === null) paths.push(at);
    else left.push({ path: at, reason: refusal.message });
  }
  const notes: DiscoveredNote[] = [];
  const commits: string[] = [];
  const begin = performance.now();
  for (let start = 0; start < paths.length; start += AT_ONCE) {
    const next = paths[start];
    if (next !== undefined && start > 0 && performance.now() - begin >= patienceMs)
      return { notes, commits, left, next };
    const some = paths.slice(start, start + AT_ONCE);
    let undone: readonly UndoneNote[] = [];
    const { commit } = await engine.apply({
      paths: some,
      author: GROVE_ITSELF,
      idempotency: null,
      dryRun,
      plan: (files) => {
        undone = some.map((at) => undoneNote(at, files.get(at) ?? null, added.get(at) ?? []));
        const changed = undone.filter(({ links }) => links.length > 0);
        return {
          changes: changed.map((note) => ({ path: note.path, after: note.bytes, keepSource: true })),
          subject: `Take back links in ${changed.length === 1 ? '1 note' : `${changed.length} notes`}`,
          trailers: { 'Grove-Operation': UNDO_DISCOVERY, 'Grove-Mechanical': 'discovery' },
          mechanical: true,
          answer: null,
        };
      },
    });
    if (commit !== null) commits.push(commit);
    const changed = undone.filter(({ links }) => links.length > 0);
    notes.push(...changed.map((note) => ({ path: note.path, links: note.links })));
    left.push(...undone.flatMap(({ path: at, reason }) => (reason === null ? [] : [{ path: at, reason }])));
  }
  return { notes, commits, left, next: null };
}

interface UndoneNote extends DiscoveredNote {
  readonly bytes: Uint8Array | null;
  /** Why a part of the links stays. */
  readonly reason: string | null;
}

function undoneNote(
  path: VaultPath,
  file: FileNow | null,
  commits: readonly (readonly AddedLink[])[],
): UndoneNote {
  if (file === null) return { path, bytes: null, links: [], reason: null };
  let { text } = decodeNote(file.bytes, path);
  const links: DiscoveredNote['links'][number][] = [];
  const left = new Set<string>();
  for (const added of commits) {
    const undone = takeBack(text, added);
    text = undone.text;
    links.push(...undone.taken);
    for (const { link } of undone.left) left.add(link);
  }
  const reason =
    left.size === 0
      ? null
      : `the words around ${[...left].join(' and ')} are others now, or the same in two places`;
  return { path, bytes: Buffer.from(text, 'utf8'), links, reason };
}
