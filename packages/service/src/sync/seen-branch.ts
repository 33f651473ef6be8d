import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, Slices, writeDurably } from '@grove/core';
import { type GitStore, mergeBases } from '@grove/history';
import { z } from 'zod';
import type { RemoteOfVault } from './remote-of-vault.ts';

const SEEN_FILE = 'sync-seen.json';
/** Branches that are kept: of remotes that were chosen at some time. */
const MOST_KEPT = 50;

const ENTRY = z.object({
  name: z.string(),
  url: z.string(),
  branch: z.string(),
  tip: z.string().nullable(),
  mayCreate: z.boolean(),
});
type Entry = z.infer<typeof ENTRY>;

/** What is known of a branch of a remote before it is looked at. */
export interface Seen {
  /** What was taken of it, or given to it, last; null where nothing was. */
  readonly tip: string | null;
  /** Whether it may be made at a remote that has other branches. */
  readonly mayCreate: boolean;
}

/**
 * What the vault has had of the branch: what git's tracking ref says where that goes on from what was kept here, so that
 * a push by another program counts, and a branch that was set back does not.
 */
export async function readSeen(stateDir: string, store: GitStore, remote: RemoteOfVault): Promise<Seen> {
  const entries = await readEntries(stateDir);
  const tracked = await store.resolveRef(trackingRef(remote));
  const known = entries.find((entry) => isOf(entry, remote));
  if (known === undefined) {
    // Under another address the same name is another remote.
    const isOther = entries.some(({ name, url }) => name === remote.name && url !== remote.url);
    const tip = isOther ? null : tracked;
    await keepSeen(stateDir, remote, { tip });
    return { tip, mayCreate: false };
  }
  const { tip, mayCreate } = known;
  const isLater = tip !== null && tracked !== null && (await goesOn(store, tip, tracked));
  return { tip: isLater ? tracked : tip, mayCreate };
}

/** Keeps it, durable when this resolves. */
export async function keepSeen(
  stateDir: string,
  { name, url, branch }: RemoteOfVault,
  { tip, mayCreate = false }: { readonly tip: string | null; readonly mayCreate?: boolean },
): Promise<void> {
  const entries = await readEntries(stateDir);
  const others = entries.filter((entry) => !isOf(entry, { name, url, branch }));
  const kept = [{ name, url, branch, tip, mayCreate }, ...others].slice(0, MOST_KEPT);
  if (JSON.stringify(kept) === JSON.stringify(entries)) return;
  await writeDurably(join(stateDir, SEEN_FILE), `${JSON.stringify(kept)}\n`, 0o600);
}

/**
 * True when the remote dropped commits of the branch that the vault has: a merge or a push would bring them back. Where
 * somebody took them out of the vault too, all is well.
 */
export async function isSetBack(
  store: GitStore,
  seen: string | null,
  tip: string,
  signal: AbortSignal,
): Promise<boolean> {
  if (seen === null || (await goesOn(store, seen, tip, signal))) return false;
  const { oid } = await store.resolveHead();
  if (oid === null || !(await store.has(seen))) return false;
  for (const common of await mergeBases(store, oid, seen, new Slices(signal)))
    if (!(await goesOn(store, common, tip, signal))) return true;
  return false;
}

/**
 * Takes a branch that was set back for what it is now.
 *
 * @returns false where it was not
 */
export async function acceptSetBack(
  stateDir: string,
  store: GitStore,
  remote: RemoteOfVault,
  signal: AbortSignal,
): Promise<boolean> {
  const { tip: seen } = await readSeen(stateDir, store, remote);
  const tip = await store.resolveRef(trackingRef(remote));
  if (tip === null || !(await isSetBack(store, seen, tip, signal))) return false;
  await keepSeen(stateDir, remote, { tip });
  return true;
}

async function goesOn(store: GitStore, from: string, to: string, signal?: AbortSignal): Promise<boolean> {
  if (from === to) return true;
  if (!(await store.has(from)) || !(await store.has(to))) return false;
  return (await mergeBases(store, from, to, new Slices(signal))).includes(from);
}

function trackingRef({ name, branch }: RemoteOfVault): string {
  return `refs/remotes/${name}/${branch}`;
}

function isOf(entry: Entry, { name, url, branch }: RemoteOfVault): boolean {
  return entry.name === name && entry.url === url && entry.branch === branch;
}

/** A file that is not there or cannot be understood knows of nothing. */
async function readEntries(stateDir: string): Promise<Entry[]> {
  try {
    return z.array(ENTRY).parse(JSON.parse(await readFile(join(stateDir, SEEN_FILE), 'utf8')));
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof z.ZodError || errorCode(error) === 'ENOENT')
      return [];
    throw error;
  }
}
