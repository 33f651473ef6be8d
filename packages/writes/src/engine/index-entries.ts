import { join } from 'node:path';
import { blobId, isGroveError, Slices } from '@grove/core';
import { type IndexChange, type IndexStat, UNKNOWN_STAT } from '@grove/history';
import { LARGEST_FILE, readPlainFile } from './files/read-file.ts';
import { statAt } from './files/stat-at.ts';
import { isAbsent } from './left-out.ts';
import type { EngineParts } from './parts.ts';

const FOLDER = '40000';

/**
 * What git's index has to say of these paths (as the disk spells them) once HEAD stands at `tip`. The stat of a file
 * goes in only where the file holds what `tip` has, looked at after its stat: what somebody saves later shows.
 */
export async function indexEntries(
  parts: EngineParts,
  tip: string | null,
  diskPaths: Iterable<string>,
): Promise<IndexChange[]> {
  const entries: IndexChange[] = [];
  const slices = new Slices();
  for (const path of diskPaths) {
    if (slices.spent) await slices.rest();
    const entry = await parts.git.entryAt(tip, path);
    // A folder may have taken the place of a file.
    if (entry === null || entry.mode === FOLDER) entries.push({ path, removed: true });
    else if (await isAbsent(parts, path, { oid: entry.oid, mode: Number.parseInt(entry.mode, 8) }))
      entries.push({ path, oid: entry.oid, mode: entry.mode, stat: UNKNOWN_STAT, absent: true });
    else entries.push({ path, oid: entry.oid, mode: entry.mode, stat: await statOf(parts, path, entry.oid) });
  }
  return entries;
}

async function statOf(parts: EngineParts, diskPath: string, oid: string): Promise<IndexStat> {
  const absolute = join(parts.root, diskPath);
  const stat = statAt(absolute);
  if (!stat?.isFile()) return UNKNOWN_STAT;
  const bytes = bytesAt(absolute, diskPath);
  if (bytes === null) return UNKNOWN_STAT;
  return blobId(bytes) === oid || blobId(await parts.git.clean(diskPath, bytes)) === oid
    ? stat
    : UNKNOWN_STAT;
}

/** Null for what is no plain file, or too large, or was made a link meanwhile: git looks for itself then. */
function bytesAt(absolute: string, diskPath: string): Buffer | null {
  try {
    return readPlainFile(absolute, diskPath, 2, LARGEST_FILE)?.bytes ?? null;
  } catch (error) {
    if (isGroveError(error, 'path_refused') || isGroveError(error, 'note_too_large')) return null;
    throw error;
  }
}
