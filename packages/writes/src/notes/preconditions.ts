import { GroveError, isGroveError } from '@grove/core';
import { findSection, type NoteText, sectionHash } from '@grove/markdown';
import type { FileNow } from '../engine/contract.ts';
import type { NoteOperation, WriteAction } from './contract.ts';

/** These put something else in the place of what is there, so they need proof that it was read. */
const NEEDS_HASH: ReadonlySet<WriteAction> = new Set(['write', 'replace', 'move', 'delete', 'restore']);

/** True for an action that needs the hash of a note that is there. */
export function needsHash(action: WriteAction): boolean {
  return NEEDS_HASH.has(action);
}

/** A note as it is now, for judging what a caller knew of it. */
export interface NoteNow {
  readonly path: string;
  readonly file: FileNow;
  readonly note: NoteText;
  /** Hashes that stand for the bytes of now: of the same file, before earlier operations of the same batch. */
  readonly also: ReadonlySet<string>;
}

/**
 * Whether the hash of an operation is one that the note, or its section, has now.
 *
 * @returns `stale` when it is not: what to do about it is for the caller
 * @throws GroveError `hash_required` where the action needs one and none was sent
 */
export function judgeHash(
  { action, section, subsections }: NoteOperation,
  ifHash: string | null,
  now: NoteNow,
): 'current' | 'stale' {
  if (ifHash === null) {
    if (NEEDS_HASH.has(action)) throw new GroveError('hash_required', { path: now.path, action });
    return 'current';
  }
  if (ifHash === '*') return 'current';
  const { sourceHash, contentHash } = now.file;
  const wanted = hashesIn(ifHash);
  if (wanted.some((hash) => hash === sourceHash || hash === contentHash || now.also.has(hash)))
    return 'current';
  if (section === null) return 'stale';
  const own = hashOfSection(now, section, subsections ?? true);
  return own !== null && wanted.includes(own) ? 'current' : 'stale';
}

/**
 * Refuses an action on a whole file whose hash was not sent, or is another one now.
 *
 * @throws GroveError `hash_required`, `stale_hash`
 */
export function requireCurrent(
  { action }: NoteOperation,
  ifHash: string | null,
  { path, file, also }: Omit<NoteNow, 'note'>,
): void {
  if (ifHash === null) throw new GroveError('hash_required', { path, action });
  if (ifHash === '*') return;
  if (
    hashesIn(ifHash).some((hash) => hash === file.sourceHash || hash === file.contentHash || also.has(hash))
  )
    return;
  throw new GroveError('stale_hash', { path, reason: 'its hash is another one now' });
}

/**
 * A hash as callers write it: with the quotes of an ETag, or without.
 *
 * @example plainHash('"e3b0c44298fc1c14"') // 'e3b0c44298fc1c14'
 */
export function plainHash(hash: string): string {
  return hash
    .trim()
    .replace(/^(?:W\/)?"(.*)"$/s, '$1')
    .toLowerCase();
}

function hashesIn(ifHash: string): string[] {
  return ifHash.split(',').map((hash) => hash.trim());
}

function hashOfSection({ note, path }: NoteNow, section: string, subsections: boolean): string | null {
  try {
    return sectionHash(note, findSection(note, section, { path, subsections }));
  } catch (error) {
    // A section that is not there, or not one, is told by the change itself.
    if (isGroveError(error, 'section_not_found') || isGroveError(error, 'section_ambiguous')) return null;
    throw error;
  }
}
