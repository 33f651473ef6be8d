import type { VaultPath } from '@grove/core';
import type { VaultSchema, View } from '@grove/vault';
import { GROVE_ITSELF } from '../engine/commit/signatures.ts';
import type { WriteEngine } from '../engine/contract.ts';
import type { Discovery } from './contract.ts';
import { DISCOVERY } from './discovery-commits.ts';
import { type LinkedNote, linkNames } from './link-names.ts';
import { isStillShown, readShown } from './read-shown.ts';

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

/** How often notes are read again where they, or what they come to link to, were changed meanwhile. */
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
      plan: async (files) => {
        const isAsRead = linked.every(
          ({ path, contentHash }) => files.get(path)?.contentHash === contentHash,
        );
        return {
          changes:
            isAsRead && (await mayStillLink(linked, view, discovery))
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

/** Judges what is linked to again, by what is on disk and by the trails as they are now. */
async function mayStillLink(
  linked: readonly LinkedNote[],
  view: View,
  discovery: Discovery,
): Promise<boolean> {
  const targets = new Set(linked.flatMap(({ links }) => links.map(({ path }) => path)));
  for (const path of targets) if (!(await isStillShown(view, { path }))) return false;
  const trails = discovery.trailViews();
  if (trails === null) return false;
  return linked.every(({ path, links }) => {
    const showing = trails.filter((trail) => trail.get(path) !== null);
    return links.every((link) => showing.every((trail) => trail.get(link.path) !== null));
  });
}

function subjectFor(linked: readonly LinkedNote[]): string {
  const [first, ...others] = linked;
  if (first === undefined || others.length > 0) return `Link names in ${linked.length} notes`;
  return `Link names in ${first.path.length <= 120 ? first.path : 'a note'}`;
}
