import { findOwner } from '@grove/server';
import { type HealthAnswer, healthOf, vaultStatus } from '@grove/service';
import { callVault } from '../calls/call-vault.ts';
import { type Check, note, ok, problem, type VaultSubject } from './finding.ts';

const MEANWHILE = 'Until that is mended, search is by words; the notes that wait are embedded afterwards.';

/** The catalog, the search index and the watch over the folder, as the vault's health tells of them. */
export const index: Check<VaultSubject> = {
  name: 'Index',
  run: async ({ run, vault, dataDir }) => {
    const health = healthOf(
      await callVault(run, { vault: [vault.root], data: dataDir }, vaultStatus, { mode: 'health' }),
    );
    if (health.problem !== undefined)
      return problem(health.problem, 'Check that the folder is there and its disk is mounted.');
    if (health.index.problem !== undefined)
      return problem(health.index.problem, 'Run "grove reindex"; it builds the index anew from the notes.');
    const asides = asidesOf(health);
    const counted = `${health.index.state}: ${health.notes} ${health.notes === 1 ? 'note' : 'notes'}`;
    if (asides.length === 0) return ok(counted);
    const message = `${counted}; ${asides.join('; ')}`;
    // Where no process embeds, notes without vectors are no fault; whether one could is what the embedder's check asks.
    const embeds = (await findOwner(vault.root, { dataDir, runtimeDir: run.settings.runtimeDir })) !== null;
    return embeds && health.embedding.problem !== undefined ? problem(message, MEANWHILE) : note(message);
  },
};

/** What is no fault of the index and yet keeps notes out of answers, or makes them late. */
function asidesOf(health: HealthAnswer): string[] {
  const asides: string[] = [];
  if (health.index.rebuilt !== undefined) asides.push(`built anew: ${health.index.rebuilt}`);
  if (health.broken_frontmatter_total > 0)
    asides.push(`${health.broken_frontmatter_total} notes with frontmatter that does not parse`);
  if (health.unreadable_folders !== undefined && health.unreadable_folders.length > 0)
    asides.push(`folders that cannot be read: ${health.unreadable_folders.join(', ')}`);
  if (health.watching?.problem !== undefined) asides.push(health.watching.problem);
  const { pending = 0, total = 0, problem: stop } = health.embedding;
  if (pending > 0) asides.push(`${total - pending} of ${total} notes can be found by meaning so far`);
  if (stop !== undefined) asides.push(stop);
  return asides;
}
