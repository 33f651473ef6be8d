import { blobId, contentHash, GroveError, type Slices } from '@grove/core';
import {
  type Checkout,
  type GitStore,
  type Merging,
  type PathRules,
  type TheirChange,
  type TreeLeaf,
  theirChanges,
} from '@grove/history';
import type { FileAccess } from '../engine/contract.ts';
import { type WhyLeftOut, whyLeftOut } from '../engine/left-out.ts';
import { accessOf, gitMode } from '../engine/look-at-files.ts';
import type { EngineParts } from '../engine/parts.ts';
import type { DiskLook, FoundOnDisk } from './disk-look.ts';
import { isExecutable, isFile, isLink, isSameLeaf } from './leaves.ts';
import { notesOf } from './notes-of.ts';
import type { DiskBefore } from './pull-record.ts';

/** A path that they changed, as the vault has it now. `ours` is what the branch has once outside edits are committed. */
export interface Candidate extends TheirChange {
  readonly found: FoundOnDisk['kind'];
  /**
   * What stands there is nothing that a pull may change, nor git keeps: it stays. So does a file that nobody has given to
   * git: else a remote that guesses its name would get its words. A folder that joins its remote gives its notes.
   */
  readonly isStuck: boolean;
  /** What they have is for the history alone, and not made on disk. */
  readonly leftOut: WhyLeftOut | null;
  /** The file that the disk takes for this one, by another spelling; null where there is none. */
  readonly twin: string | null;
  readonly before: DiskBefore | null;
  /** Id of the blob that git would store for what is on disk; null where there is no file. */
  readonly disk: string | null;
  /** Of the file that is there. */
  readonly access: (FileAccess & { readonly device: bigint }) | null;
  /** How its lines end, where they all end alike. */
  readonly lines: 'lf' | 'crlf' | null;
}

/** What somebody changed outside at these paths, and had not committed. */
export interface OutsideEdits {
  readonly edits: ReadonlyMap<string, TreeLeaf | null>;
  readonly saved: readonly { readonly path: string; readonly modified: number | null }[];
}

/** The trees that a merge is made of; null before the first commit. */
export interface MergedTrees {
  readonly base: string | null;
  readonly ours: string | null;
  readonly theirs: string;
}

/**
 * Looks at every path that they changed. Where the disk is not what the branch has, that is an outside edit; unless it is
 * theirs already, brought by another program.
 *
 * @throws GroveError `sync_unsupported`, `git_filter_unsupported`, `git_in_submodule`, `path_refused`
 */
export async function findCandidates(
  parts: EngineParts,
  merging: Merging,
  look: DiskLook,
  trees: MergedTrees,
  slices: Slices,
): Promise<{ readonly candidates: readonly Candidate[]; readonly outside: OutsideEdits }> {
  const candidates: Candidate[] = [];
  const edits = new Map<string, TreeLeaf | null>();
  const saved: { path: string; modified: number | null }[] = [];
  const treeOf = (oid: string) => parts.store.treeBytes(oid);
  // All of them before the disk is looked at: there may be more than a pull takes.
  for (const change of await theirChanges(treeOf, trees, slices)) {
    if (slices.spent) await slices.rest();
    const found = look.at(change.path);
    const candidate = await candidateOf(parts, merging, look, change, found, trees.ours === null);
    refuseStaged(merging, change, candidate);
    candidates.push(candidate);
    if (isSameLeaf(candidate.ours, change.ours)) continue;
    edits.set(change.path, candidate.ours);
    const modified = found.kind === 'file' ? Number(found.stat.mtimeNs / 1_000_000n) : null;
    saved.push({ path: change.path, modified });
  }
  return { candidates, outside: { edits, saved } };
}

async function candidateOf(
  parts: EngineParts,
  merging: Merging,
  look: DiskLook,
  change: TheirChange,
  found: FoundOnDisk,
  isJoining: boolean,
): Promise<Candidate> {
  const bare = {
    ...change,
    found: found.kind,
    isStuck: false,
    leftOut: null,
    twin: null,
    before: null,
    disk: null,
    access: null,
    lines: null,
  };
  const { path, ours } = change;
  const leftOut = isFile(change.theirs) ? await whyLeftOut(parts, path, change.theirs) : null;
  if (leftOut !== null) {
    const isNew = found.kind === 'none' && isSameLeaf(change.base, ours);
    return { ...bare, leftOut, isStuck: !isNew };
  }
  switch (found.kind) {
    case 'blocked':
      return bare;
    case 'other':
      return { ...bare, isStuck: true };
    case 'none':
    case 'folder': {
      const isGone = isFile(ours) && (await whyLeftOut(parts, path, ours)) === null;
      return { ...bare, ours: isGone ? null : ours };
    }
    case 'link': {
      const isOurs = isLink(ours) && blobId(Buffer.from(found.target)) === ours.oid;
      const hash = contentHash(found.target);
      return isOurs
        ? { ...bare, disk: ours.oid, before: { kind: 'link', hash, checkout: 'as_is' } }
        : { ...bare, isStuck: true };
    }
    case 'file': {
      const twin = ours === null ? look.otherSpelling(path) : null;
      if (twin !== null) return { ...bare, twin };
      const rules = await merging.rules(path, () => undefined);
      const stored = await parts.git.clean(path, found.bytes);
      const leaf = leafOf(merging, change, blobId(stored), Number(found.stat.mode));
      const isTheirs = isSameLeaf(leaf, change.theirs) && isSameLeaf(change.base, ours);
      const isForGit = !rules.ignored && isJoining && notesOf([path]).length > 0;
      const isTold = !rules.ignored && leaf.oid === change.theirs?.oid;
      if (ours === null && !isTheirs && !isTold && !isForGit) return { ...bare, isStuck: true };
      const isKept = isSameLeaf(leaf, ours) || isTheirs || (isLink(ours) && leaf.oid === ours.oid);
      if (!isKept) await merging.blob(stored);
      const lines = linesOf(found.bytes);
      const checkout = lines === 'crlf' && rules.eol !== 'binary' ? 'text' : 'as_is';
      return {
        ...bare,
        ours: isKept ? ours : leaf,
        disk: leaf.oid,
        before: { kind: 'file', hash: found.hash, checkout },
        access: { ...accessOf(found.stat), device: found.stat.dev },
        lines,
      };
    }
  }
}

/** What a person has staged lies nowhere else: a pull would put its own in the index in its place. */
function refuseStaged(merging: Merging, change: TheirChange, candidate: Candidate): void {
  const { path, ours, theirs } = change;
  if (candidate.isStuck || candidate.twin !== null) return;
  const staged = merging.staged(path);
  if (staged === undefined) return;
  const known = [ours?.oid ?? null, theirs?.oid ?? null, candidate.disk];
  if (known.includes(staged?.oid ?? null)) return;
  const reason = `"${path}" is staged with another text than it has on disk ("git commit" keeps that, "git restore --staged" lets it go)`;
  throw new GroveError('git_in_operation', { reason, path });
}

/** What git would store for a file. Where the disk cannot tell whether it may be run, that is as it was. */
function leafOf(
  { fileMode }: Merging,
  { ours, theirs }: TheirChange,
  oid: string,
  permissions: number,
): TreeLeaf {
  const known = isFile(ours) ? ours : isFile(theirs) ? theirs : null;
  if (!fileMode) return { oid, mode: known?.mode ?? 0o100644 };
  const mode = Number.parseInt(gitMode(permissions), 8);
  // Very old repositories have other modes for the same.
  const isSame = isFile(ours) && isExecutable(ours) === ((mode & 0o100) !== 0);
  return { oid, mode: isSame ? ours.mode : mode };
}

function linesOf(bytes: Buffer): Candidate['lines'] {
  let windows = 0;
  let all = 0;
  for (let at = bytes.indexOf(0x0a); at >= 0; at = bytes.indexOf(0x0a, at + 1)) {
    all += 1;
    if (bytes[at - 1] === 0x0d) windows += 1;
  }
  if (all === 0) return null;
  return windows === 0 ? 'lf' : windows === all ? 'crlf' : null;
}

/** How a file is checked out: with the line breaks that it has on disk, else as git would. */
export function checkoutOf(rules: PathRules, lines: Candidate['lines']): Checkout {
  if (rules.eol === 'binary') return 'as_is';
  const crlf = lines === null ? rules.crlf : lines === 'crlf';
  return crlf ? rules.eol : 'as_is';
}

/** Reads of git what a .gitattributes of the merge says. */
export async function attributesOf(store: GitStore, leaf: TreeLeaf | null): Promise<Buffer | null> {
  return isFile(leaf) ? store.readBlob(leaf.oid) : null;
}
