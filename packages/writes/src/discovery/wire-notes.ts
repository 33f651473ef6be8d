import { isGroveError, type VaultPath } from '@grove/core';
import type { VaultSchema, View } from '@grove/vault';
import { GROVE_ITSELF } from '../engine/commit/signatures.ts';
import type { WriteEngine } from '../engine/contract.ts';
import type { Discovery } from './contract.ts';
import { DISCOVERY } from './discovery-commits.ts';
import { type LinkedNote, linkNames } from './link-names.ts';

/** What links are added by. */
export interface WiringGround {
  readonly engine: WriteEngine;
  readonly schema: () => VaultSchema;
  readonly discovery: Discovery;
}

/** Notes that got links, or would get them. */
export interface WiredNotes {
  readonly notes: readonly LinkedNote[];
  /** Null in a dry run, and where nothing was to link. */
  readonly commit: string | null;
}

export const NOTHING_WIRED: WiredNotes = { notes: [], commit: null };

/** How often a note is read again that somebody changed meanwhile. */
const TRIES = 3;

/**
 * Adds links to notes of a View, in one mechanical commit of Grove's own that keeps their source hashes: whoever read
 * or wrote them may go on with the hash that they have.
 *
 * @throws GroveError what reading the notes and the engine throw
 */
export async function wireNotes(
  { engine, schema, discovery }: WiringGround,
  view: View,
  paths: readonly VaultPath[],
  { dryRun }: { readonly dryRun: boolean },
): Promise<WiredNotes> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const trails = discovery.trailViews();
    if (trails === null) return NOTHING_WIRED;
    const linked: LinkedNote[] = [];
    for (const path of paths) {
      const served = await readShown(view, path);
      const note =
        served === null ? null : await linkNames(served, view, trails, { schema: schema(), discovery });
      if (note !== null) linked.push(note);
    }
    if (dryRun || linked.length === 0) return { notes: linked, commit: null };
    const outcome = await engine.apply({
      paths: linked.map(({ path }) => path),
      author: GROVE_ITSELF,
      idempotency: null,
      plan: (files) => {
        const isAsRead = linked.every(
          ({ path, contentHash }) => files.get(path)?.contentHash === contentHash,
        );
        return {
          changes: isAsRead
            ? linked.map(({ path, text }) => ({ path, after: Buffer.from(text, 'utf8'), keepSource: true }))
            : [],
          subject: subjectFor(linked),
          trailers: { 'Grove-Operation': DISCOVERY, 'Grove-Mechanical': 'discovery' },
          mechanical: true,
          answer: null,
        };
      },
    });
    if (outcome.commit !== null) return { notes: linked, commit: outcome.commit };
  }
  return NOTHING_WIRED;
}

async function readShown(view: View, path: VaultPath) {
  const row = view.get(path);
  try {
    return row === null ? null : await view.read(row);
  } catch (error) {
    if (isGroveError(error, 'note_not_found') || isGroveError(error, 'note_not_text')) return null;
    throw error;
  }
}

function subjectFor(linked: readonly LinkedNote[]): string {
  const [first, ...others] = linked;
  if (first === undefined || others.length > 0) return `Link names in ${linked.length} notes`;
  return `Link names in ${first.path.length <= 120 ? first.path : 'a note'}`;
}
