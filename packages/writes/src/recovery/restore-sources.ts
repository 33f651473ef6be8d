import { join } from 'node:path';
import { contentHash, isGroveError, type VaultPath } from '@grove/core';
import type { Commit } from '@grove/history';
import { verifiedTrailers } from '../engine/commit/signed-trailers.ts';
import { readPlainFile } from '../engine/files/read-file.ts';
import type { EngineParts } from '../engine/parts.ts';
import type { LedgerEntry } from '../ledger/ledger.ts';

/** Commits that are looked at, newest first. */
const MAX_COMMITS = 10_000;

/**
 * Fills a new ledger with the source hashes that signed trailers tell. Only those count of which the note still is
 * what the commit made it; every other note's source hash is the hash of what is on disk.
 */
export async function restoreSources(parts: EngineParts): Promise<void> {
  const { oid: head } = await parts.store.resolveHead();
  const notes: LedgerEntry['notes'][number][] = [];
  const seen = new Set<string>();
  let oid = head;
  for (let count = 0; oid !== null && count < MAX_COMMITS; count += 1) {
    const commit = await commitOrNull(parts, oid);
    if (commit === null) break;
    for (const source of sourcesOf(parts, commit)) {
      const [hash = '', path = ''] = split(source);
      if (seen.has(path)) continue;
      seen.add(path);
      const note = await noteAt(parts, head, commit.oid, path, hash);
      if (note !== null) notes.push({ path: path as VaultPath, note });
    }
    oid = commit.parents[0] ?? null;
  }
  if (notes.length > 0) parts.ledger.enter({ at: parts.clock.now(), notes, bases: [], answer: null });
}

function sourcesOf({ trailerKey }: EngineParts, commit: Commit): string[] {
  const signed = { tree: commit.tree, parent: commit.parents[0] ?? null };
  const trailers = verifiedTrailers(commit.message, signed, trailerKey) ?? [];
  return trailers.flatMap(([name, value]) => (name === 'Grove-Source' ? [value] : []));
}

async function noteAt(
  parts: EngineParts,
  head: string | null,
  commit: string,
  path: string,
  sourceHash: string,
): Promise<LedgerEntry['notes'][number]['note']> {
  const then = await parts.git.entryAt(commit, path);
  const now = await parts.git.entryAt(head, path);
  if (then === null || now?.oid !== then.oid) return null;
  const file = readPlainFile(join(parts.root, path), path);
  if (file === null) return null;
  const stored = await parts.store.readBlob(then.oid);
  if (!(await parts.git.clean(path, file.bytes)).equals(stored)) return null;
  return { sourceHash, diskHash: contentHash(file.bytes), blob: then.oid, commit };
}

async function commitOrNull(parts: EngineParts, oid: string): Promise<Commit | null> {
  try {
    return await parts.store.readCommit(oid);
  } catch (error) {
    // The end of a shallow clone.
    if (isGroveError(error, 'repository_unreadable')) return null;
    throw error;
  }
}

function split(source: string): [string, string] {
  const space = source.indexOf(' ');
  return [source.slice(0, space), source.slice(space + 1)];
}
