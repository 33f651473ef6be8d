import { GroveError, isGroveError, type VaultPath } from '@grove/core';
import type { View } from '@grove/vault';
import { PASSING } from '../moving/mend-behind.ts';
import type { WritePolicy } from '../notes/write-policy.ts';
import { AT_ONCE, type DiscoveredNote, type DiscoverOutcome, type LeftAlone } from './contract.ts';
import { type WiringGround, wireNotes } from './wire-notes.ts';

/** Which notes get links. */
export interface DiscoverWish {
  /** In this order. */
  readonly paths: readonly VaultPath[];
  readonly dryRun: boolean;
  /** After so many milliseconds no more notes are begun; some are always seen to. */
  readonly patienceMs: number;
}

/**
 * Adds links to these notes of a View because somebody asked for it, whatever the vault's setting is.
 *
 * @throws GroveError `writes_unavailable` where nobody knows what trails show, and what passes by itself, such as `git_busy`
 */
export async function discoverLinks(
  ground: WiringGround,
  { view, policy }: { readonly view: View; readonly policy: WritePolicy },
  { paths, dryRun, patienceMs }: DiscoverWish,
): Promise<DiscoverOutcome> {
  if (ground.discovery.trailViews() === null)
    throw new GroveError('writes_unavailable', {
      reason: 'the trails that may not be told of notes are not known.',
    });
  await ground.discovery.ready();
  const begin = performance.now();
  const notes: DiscoveredNote[] = [];
  const commits: string[] = [];
  const left: LeftAlone[] = [];
  const wire = async (some: readonly VaultPath[]): Promise<void> => {
    try {
      const wired = await wireNotes(ground, view, some, { dryRun });
      for (const { path, links } of wired.notes) notes.push({ path, links });
      if (wired.commit !== null) commits.push(wired.commit);
    } catch (error) {
      if (!isGroveError(error) || PASSING.some((code) => error.code === code)) throw error;
      const [first, ...others] = some;
      if (first === undefined) throw error;
      if (others.length === 0) left.push({ path: first, reason: error.message });
      else for (const path of some) await wire([path]);
    }
  };
  const open = paths.filter((path) => {
    const refusal = policy.refusal(path);
    if (refusal !== null) left.push({ path, reason: refusal.message });
    return refusal === null;
  });
  for (let start = 0; start < open.length; start += AT_ONCE) {
    const next = open[start];
    if (next !== undefined && start > 0 && performance.now() - begin >= patienceMs)
      return { notes, commits, left, next };
    await wire(open.slice(start, start + AT_ONCE));
  }
  return { notes, commits, left, next: null };
}
