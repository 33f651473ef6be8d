import { posix } from 'node:path';
import { GroveError, type Slices } from '@grove/core';
import { EMPTY_TREE, type Merging, type TreeLeaf } from '@grove/history';
import { copyName } from '../engine/files/conflict-file.ts';
import type { EngineParts } from '../engine/parts.ts';
import {
  attributesOf,
  type Candidate,
  findCandidates,
  type MergedTrees,
  type OutsideEdits,
} from './candidates.ts';
import { Clashes } from './clashes.ts';
import type { ConflictReason, PullConflict } from './contract.ts';
import { DiskLook } from './disk-look.ts';
import { keepPrivate } from './keep-private.ts';
import { isFile, isSameLeaf, isSubmodule } from './leaves.ts';
import { mergeFile } from './merge-file.ts';
import { type FilePlan, planFiles } from './plan-files.ts';

/** More copies than anybody would look through: such histories are merged by hand. */
const MOST_COPIES = 1_000;
const MOST_NAMES = 1_000;
const ATTRIBUTES = /(?:^|\/)\.gitattributes$/;

/** What a pull makes of the branch and of the disk. */
export interface PullPlan extends FilePlan {
  readonly outside: OutsideEdits;
  /** The tree of the branch with the outside edits, and the merged one. */
  readonly oursTree: string;
  readonly tree: string;
  readonly conflicts: readonly PullConflict[];
  /** Patterns for `info/exclude`: else the merge would have git take what it ignored here. */
  readonly excluded: readonly string[];
  /** What is not made on disk, links apart. */
  readonly leftOut: readonly Candidate[];
}

interface Clash {
  readonly path: string;
  readonly why: ConflictReason;
  readonly theirs: TreeLeaf | null;
  /** What stands in the way; their file is saved beside it. */
  readonly at: string;
}

/**
 * Works out a merge, and stores what it is made of. Nothing in the vault is changed.
 *
 * @throws GroveError `sync_unsupported`, `git_filter_unsupported`, `git_in_submodule`, `path_refused`; what the slices reject with
 */
export async function planPull(
  parts: EngineParts,
  merging: Merging,
  trees: MergedTrees,
  remote: string,
  slices: Slices,
): Promise<PullPlan> {
  const look = new DiskLook(parts.root);
  const { candidates, outside } = await findCandidates(parts, merging, look, trees, slices);
  const oursTree = await merging.tree(trees.ours ?? EMPTY_TREE, outside.edits);
  const edits = new Map<string, TreeLeaf | null>();
  const attributes = new Map<string, Buffer | null>();
  const coming = (path: string) => attributes.get(path);
  const clashes: Clash[] = [];
  for (const candidate of attributesFirst(candidates)) {
    if (slices.spent) await slices.rest();
    const { path, ours } = candidate;
    refuseOwnFolder(path);
    const rules = await merging.rules(path, coming);
    const { result, conflict } = candidate.isStuck
      ? { result: ours, conflict: 'kinds' as const }
      : await mergeFile(parts.store, merging, candidate, rules);
    if (!isSameLeaf(result, ours)) edits.set(path, result);
    if (conflict !== null) clashes.push({ path, why: conflict, theirs: savedOf(candidate), at: path });
    if (ATTRIBUTES.test(path)) attributes.set(path, await attributesOf(parts.store, result));
  }
  const known = new Map(candidates.map((candidate) => [candidate.path, candidate]));
  const room = new Clashes(parts.store, merging, look, oursTree, edits);
  for (const [path, result] of [...edits]) {
    if (slices.spent) await slices.rest();
    if (result === null) continue;
    const twin = known.get(path)?.twin ?? null;
    const isTaken = twin !== null && edits.get(twin) !== null;
    const at = isTaken ? path : await room.blocker(path, isSubmodule(result));
    if (at === null) continue;
    edits.delete(path);
    const theirs = known.get(path)?.leftOut == null ? result : null;
    clashes.push({ path, why: 'kinds', theirs, at });
  }
  const conflicts = await saveTheirs(parts, room, clashes, edits, remote);
  const excluded = await keepPrivate(parts, merging, edits, slices);
  const leftOut = candidates.filter((candidate) => candidate.leftOut !== null);
  const files = await planFiles({ parts, merging, look, room, edits, known, coming, slices });
  return {
    outside,
    oursTree,
    tree: await merging.tree(oursTree, edits),
    conflicts,
    excluded,
    leftOut,
    ...files,
  };
}

/** What is saved of theirs beside a file that stays. */
function savedOf({ theirs, leftOut }: Candidate): TreeLeaf | null {
  return leftOut === null ? theirs : null;
}

/** What they say of line ends and filters holds for what comes with it. */
function attributesFirst(candidates: readonly Candidate[]): readonly Candidate[] {
  const isFirst = ({ path }: Candidate) => ATTRIBUTES.test(path);
  return [...candidates.filter(isFirst), ...candidates.filter((candidate) => !isFirst(candidate))];
}

/** Where fresh files lie meanwhile, whatever has these names is removed. */
function refuseOwnFolder(path: string): void {
  if (/^\.grove\/tmp(?:\/|$)/i.test(path))
    throw new GroveError('sync_unsupported', { reason: `it holds "${path}", in a folder of Grove's own` });
}

/** Gives their version of each file a name beside it, in the branch too. */
async function saveTheirs(
  parts: EngineParts,
  room: Clashes,
  clashes: readonly Clash[],
  edits: Map<string, TreeLeaf | null>,
  remote: string,
): Promise<PullConflict[]> {
  const day = new Date(parts.clock.now()).toISOString().slice(0, 10);
  // Short, and in bytes that are characters: a name on disk has room for 255.
  const from = remote.replaceAll(/[^\w.-]+/g, '-').slice(0, 40) || 'remote';
  const conflicts: PullConflict[] = [];
  let copies = 0;
  for (const { path, why, theirs, at } of clashes) {
    if (!isFile(theirs)) {
      conflicts.push({ path, why, saved: null });
      continue;
    }
    copies += 1;
    if (copies > MOST_COPIES)
      throw new GroveError('sync_unsupported', {
        reason: `more than ${MOST_COPIES.toLocaleString('en')} files were changed on both sides`,
      });
    const beside = posix.join(posix.dirname(at), posix.basename(path));
    const saved = await freeName(room, beside, `${day} ${from}`);
    edits.set(saved, theirs);
    conflicts.push({ path, why, saved });
  }
  return conflicts.sort((a, b) => (a.path < b.path ? -1 : 1));
}

async function freeName(room: Clashes, path: string, mark: string): Promise<string> {
  for (let count = 1; count <= MOST_NAMES; count += 1) {
    const name = copyName(path, mark, count);
    if (!(await room.isTaken(name))) return name;
  }
  throw new GroveError('sync_unsupported', {
    reason: `"${path}" has more than ${MOST_NAMES} copies already`,
  });
}
