import type { Dirent } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, GroveError, type Slices } from '@grove/core';
import {
  EXCLUDE_FILE,
  exactPattern,
  excludeWith,
  type GitStore,
  type Merging,
  type PathRules,
} from '@grove/history';
import type { EngineParts } from '../engine/parts.ts';
import { attributesOf } from './candidates.ts';
import type { TreeEdits } from './clashes.ts';
import { notesOf } from './notes-of.ts';

/** More than anybody would look through. */
const MOST_PATTERNS = 1_000;
const RULES = /(?:^|\/)\.git(?:ignore|attributes)$/i;
const SPELLED = /(?:^|\/)\.git(?:ignore|attributes)$/;

type RuleFiles = ReadonlyMap<string, Buffer | null>;

/**
 * Rules of git's that a merge takes away must not give to the remote what they kept from it.
 *
 * @returns the patterns that keep ignored, once they are in `info/exclude`, what of the notes git ignores now
 * @throws GroveError `sync_unsupported` where they would not be enough, or a filter goes that notes pass on their way to
 * git; what the slices reject with
 */
export async function keepPrivate(
  parts: EngineParts,
  merging: Merging,
  edits: TreeEdits,
  slices: Slices,
): Promise<readonly string[]> {
  const files = await comingRules(parts.store, edits);
  if (files.size === 0) return [];
  const coming = (path: string) => files.get(path);
  const told: string[] = [];
  const patterns = new Set<string>();
  for await (const path of notesOnDisk(parts.root, slices)) {
    const before = await merging.allRules(path);
    if (before.otherRepository !== null || edits.has(path)) continue;
    if (!before.ignored && !isFiltered(before)) continue;
    const after = await merging.allRules(path, coming);
    if (isFiltered(before) && !isFiltered(after)) throw unsafe(path, 'passes a filter of git');
    if (!before.ignored || after.ignored) continue;
    told.push(path);
    for (const pattern of patternsFor(before.ignoredAt!, path)) patterns.add(pattern);
    if (patterns.size > MOST_PATTERNS) throw unsafe(path, 'is ignored by git, as are many more');
  }
  const exclude = patterns.size === 0 ? null : excludeWith(parts.location, [...patterns]);
  const kept = (path: string) => (path === EXCLUDE_FILE ? exclude : files.get(path));
  // What a .gitignore names with "!" wins over them.
  for (const path of told)
    if (!(await merging.allRules(path, kept)).ignored) throw unsafe(path, 'is ignored by git');
  return [...patterns];
}

/** The rule files that a merge brings, changes or takes away. */
async function comingRules(store: GitStore, edits: TreeEdits): Promise<RuleFiles> {
  const files = new Map<string, Buffer | null>();
  for (const [path, leaf] of edits) {
    if (!RULES.test(path)) continue;
    // A disk that ignores case finds rules in it, and another does not.
    if (leaf !== null && !SPELLED.test(path))
      throw new GroveError('sync_unsupported', {
        reason: `it holds "${path}", a name of git's own spelled otherwise`,
      });
    files.set(path, await attributesOf(store, leaf));
  }
  return files;
}

/** Notes as the disk spells them; no link is followed. */
async function* notesOnDisk(root: string, slices: Slices): AsyncGenerator<string> {
  const waiting = [''];
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const entry of await entriesOf(join(root, folder))) {
      if (slices.spent) await slices.rest();
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (entry.name.startsWith('.')) continue;
      if (entry.isDirectory()) waiting.push(path);
      else if (entry.isFile() && notesOf([path]).length > 0) yield path;
    }
  }
}

/** None of a folder that went, or that nobody here may read: nothing of it is committed either. */
async function entriesOf(folder: string): Promise<Dirent[]> {
  try {
    return await readdir(folder, { withFileTypes: true });
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return [];
    throw error;
  }
}

/** In the spelling of the disk, and in that of git where it is another. */
function patternsFor(ignoredAt: string, path: string): readonly string[] {
  return [ignoredAt, ignoredAt.normalize('NFC')].map((at) => exactPattern(at, ignoredAt !== path));
}

function isFiltered({ filter, ident, workingTreeEncoding }: PathRules): boolean {
  return filter !== null || ident || workingTreeEncoding !== null;
}

function unsafe(path: string, why: string): GroveError {
  const reason = `it changes git's rules (.gitignore, .gitattributes), and "${path}" here, which ${why}, would be given away`;
  return new GroveError('sync_unsupported', { reason });
}
