import type { Slices } from '@grove/core';
import type { ComingRules, Merging, TreeLeaf } from '@grove/history';
import type { EngineParts } from '../engine/parts.ts';
import { type Candidate, checkoutOf } from './candidates.ts';
import type { Clashes, TreeEdits } from './clashes.ts';
import { accessOfNew, type DiskLook, foldersOf, outermostFirst, withRunBits } from './disk-look.ts';
import { isExecutable, isFile, isSubmodule } from './leaves.ts';
import type { PulledFile, PullRecord } from './pull-record.ts';

/** What becomes of the disk. */
export type FilePlan = Pick<PullRecord, 'files' | 'madeFolders' | 'emptiedFolders'>;

/** Content hash of nothing, in the working names of new files. */
const NOTHING = 'e3b0c44298fc1c14';

interface Surroundings {
  readonly parts: EngineParts;
  readonly merging: Merging;
  readonly look: DiskLook;
  readonly room: Clashes;
  readonly edits: TreeEdits;
  /** What was there before, by path; a copy has none. */
  readonly known: ReadonlyMap<string, Candidate>;
  readonly coming: ComingRules;
  readonly slices: Slices;
}

/** Plans the files of a merge. A link that it brings is in the branch, and never made on disk: it could lead anywhere. */
export async function planFiles(around: Surroundings): Promise<FilePlan> {
  const { look, room, edits, known, slices } = around;
  const files: PulledFile[] = [];
  const made = new Set<string>();
  const emptied = new Set<string>();
  const needed = new Set<string>();
  for (const [path, result] of edits) {
    if (slices.spent) await slices.rest();
    const old = known.get(path) ?? null;
    files.push(await planFile(around, path, result, old));
    if (old?.leftOut != null) continue;
    if (isFile(result) || isSubmodule(result)) {
      for (const folder of foldersOf(path)) needed.add(folder);
      for (const folder of look.newPlace(path).missing) made.add(folder);
      if (isSubmodule(result) && old?.found === 'none') made.add(path);
      if (isFile(result)) for (const folder of room.emptiedAt(path)) emptied.add(folder);
    } else if (old?.before != null) {
      for (const folder of foldersOf(path).slice(1)) emptied.add(folder);
    }
  }
  return {
    files,
    madeFolders: outermostFirst(made),
    emptiedFolders: outermostFirst([...emptied].filter((folder) => !needed.has(folder))),
  };
}

async function planFile(
  { parts, merging, look, coming }: Surroundings,
  path: string,
  result: TreeLeaf | null,
  old: Candidate | null,
): Promise<PulledFile> {
  const runs = isFile(result) && isExecutable(result);
  const { access = null, before = null, ours = null } = old ?? {};
  const isNew = access === null;
  const place = isNew ? look.newPlace(path) : null;
  const { permissions, owner } = place === null ? access! : accessOfNew(place, runs && merging.fileMode);
  const device = place === null ? access!.device : place.folder.dev;
  const names = await parts.work.names(device, before?.hash ?? NOTHING);
  const rules = isFile(result) ? await merging.rules(path, coming) : null;
  return {
    path,
    ours,
    result,
    before,
    ...(old?.leftOut == null ? {} : { isLeftOut: true }),
    checkout: rules === null ? 'as_is' : checkoutOf(rules, old?.lines ?? null),
    permissions: isNew || !merging.fileMode || !isFile(result) ? permissions : withRunsAs(permissions, runs),
    owner,
    ...names,
  };
}

/** The permissions that a file has, unless git says otherwise of the right to run it. */
function withRunsAs(permissions: number, runs: boolean): number {
  return ((permissions & 0o100) !== 0) === runs ? permissions : withRunBits(permissions, runs);
}
