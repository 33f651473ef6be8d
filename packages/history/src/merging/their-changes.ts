import { GroveError, type Slices } from '@grove/core';
import { isFolder, TreeCursor } from '../objects/tree.ts';
import { refuseName } from '../writing/objects/refuse-name.ts';

/** What a tree holds at a path that is no folder: a file, a link or a submodule. */
export interface TreeLeaf {
  /** Octal bits as a number, as in a TreeEntry. */
  readonly mode: number;
  readonly oid: string;
}

/** A path that they changed, and what the three trees hold there. */
export interface TheirChange {
  /** From the top of the work tree, with `/` between names. */
  readonly path: string;
  readonly base: TreeLeaf | null;
  readonly ours: TreeLeaf | null;
  readonly theirs: TreeLeaf | null;
}

/** Ids of the three trees of one folder; null where it is none. */
export interface ThreeTrees {
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string | null;
}

/** More than any vault has, folders included. */
const MOST_PATHS = 200_000;
/** In characters; systems take fewer. */
const LONGEST_PATH = 4096;
const UTF8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Every path at which theirs is neither what the base has nor what ours has, by folders. Folders that are alike are not
 * read. A path that no work tree may hold is refused, wherever it would lead, and so are more of them than any vault
 * has: a few trees that name each other are enough for more paths than anybody could look at.
 *
 * @throws GroveError `sync_unsupported`, `repository_unreadable`; what the slices reject with
 */
export async function theirChanges(
  readTree: (oid: string) => Promise<Buffer>,
  trees: ThreeTrees,
  slices: Slices,
): Promise<readonly TheirChange[]> {
  const walk: Walk = { readTree, slices, found: [], looked: 0 };
  await addBelow(walk, trees, '');
  return walk.found;
}

interface Walk {
  readonly readTree: (oid: string) => Promise<Buffer>;
  readonly slices: Slices;
  readonly found: TheirChange[];
  /** Changed paths so far, folders included. */
  looked: number;
}

async function addBelow(walk: Walk, trees: ThreeTrees, folder: string): Promise<void> {
  const base = await entriesOf(walk, trees.base);
  const ours = await entriesOf(walk, trees.ours);
  const theirs = await entriesOf(walk, trees.theirs);
  for (const name of new Set([...base.keys(), ...theirs.keys()])) {
    if (walk.slices.spent) await walk.slices.rest();
    const three = { base: base.get(name), ours: ours.get(name), theirs: theirs.get(name) };
    if (isSame(three.theirs, three.base) || isSame(three.theirs, three.ours)) continue;
    walk.looked += 1;
    if (walk.looked > MOST_PATHS) throw tooMany();
    const path = pathOf(folder, name);
    const leaves = { base: leaf(three.base), ours: leaf(three.ours), theirs: leaf(three.theirs) };
    if (!isSame(leaves.theirs, leaves.base) && !isSame(leaves.theirs, leaves.ours))
      walk.found.push({ path, ...leaves });
    const below = { base: tree(three.base), ours: tree(three.ours), theirs: tree(three.theirs) };
    if (below.theirs !== below.base && below.theirs !== below.ours) await addBelow(walk, below, path);
  }
}

/** Entries by their name, its bytes as Latin-1. */
async function entriesOf(
  { readTree, slices }: Walk,
  oid: string | null,
): Promise<ReadonlyMap<string, TreeLeaf>> {
  const entries = new Map<string, TreeLeaf>();
  if (oid === null) return entries;
  const cursor = new TreeCursor(await readTree(oid));
  while (cursor.next()) {
    const name = cursor.bytes.toString('latin1', cursor.nameStart, cursor.nameEnd);
    entries.set(name, { mode: cursor.mode, oid: cursor.oid() });
    if (slices.spent) await slices.rest();
  }
  return entries;
}

function pathOf(folder: string, latin1: string): string {
  const bytes = Buffer.from(latin1, 'latin1');
  let name: string;
  try {
    name = UTF8.decode(bytes);
  } catch {
    throw unfit(folder, bytes.toString('utf8'), 'its name is not valid UTF-8');
  }
  const path = folder === '' ? name : `${folder}/${name}`;
  if (path.length > LONGEST_PATH) throw unfit(folder, name, 'no path may be that long');
  // A tree that git itself would not write: the name would lead elsewhere.
  if (name.includes('/') || (process.platform === 'win32' && /[\\:]/.test(name)))
    throw unfit(folder, name, 'no file may have that name');
  try {
    refuseName(name, path);
  } catch (cause) {
    throw unfit(folder, name, 'git allows no such name', cause);
  }
  return path;
}

function unfit(folder: string, name: string, why: string, cause?: unknown): GroveError {
  const path = `${folder === '' ? '' : `${folder}/`}${name}`.replaceAll(/\p{C}/gu, '\u{fffd}').slice(0, 200);
  const reason = `it holds "${path}", and ${why}`;
  return new GroveError('sync_unsupported', { reason }, cause === undefined ? {} : { cause });
}

function tooMany(): GroveError {
  const reason = `it would change more than ${MOST_PATHS.toLocaleString('en')} files and folders at once`;
  return new GroveError('sync_unsupported', { reason });
}

function leaf(entry: TreeLeaf | undefined): TreeLeaf | null {
  return entry === undefined || isFolder(entry.mode) ? null : entry;
}

function tree(entry: TreeLeaf | undefined): string | null {
  return entry !== undefined && isFolder(entry.mode) ? entry.oid : null;
}

function isSame(one: TreeLeaf | null | undefined, other: TreeLeaf | null | undefined): boolean {
  return (one?.oid ?? null) === (other?.oid ?? null) && (one?.mode ?? null) === (other?.mode ?? null);
}
