import { lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blobId, contentHash, errorCode } from '@grove/core';
import { readPlainFile } from '../engine/files/read-file.ts';
import { isWorkFile } from '../engine/files/work-folder.ts';
import type { EngineParts } from '../engine/parts.ts';
import type { RecoveredRow } from './recover-rows.ts';
import { recoverRows } from './recover-rows.ts';

/**
 * Finishes or takes back all that a killed process, or a power loss, left in the middle, and syncs it. Git's locks
 * that were ours must be gone before.
 */
export async function recoverJournal(parts: EngineParts): Promise<void> {
  const { git, ledger, clock } = parts;
  const rows = ledger.journalRows();
  if (rows.length > 0) {
    const recovered = await recoverRows(parts, rows, async (entries) => {
      if (entries.length === 0) return;
      const lock = await git.lockIndex();
      try {
        await lock.commit(entries);
      } finally {
        await lock.release();
      }
    });
    await sync(parts, recovered);
    ledger.finish(
      rows.map(({ id }) => id),
      clock.now(),
    );
  }
  for (const folder of parts.work.folders) await clearWorkFiles(parts, folder);
}

async function sync(parts: EngineParts, rows: readonly RecoveredRow[]): Promise<void> {
  const { git, fs, root } = parts;
  const folders = new Set<string>();
  const refs = new Set<string>();
  for (const { row, stands, built } of rows) {
    if (!stands) continue;
    for (const commit of built) await git.syncObjects(commit);
    refs.add(row.record.ref);
    for (const { diskPath } of row.record.files) folders.add(dirname(join(root, diskPath)));
    for (const folder of row.record.madeFolders) folders.add(dirname(join(root, folder)));
  }
  for (const ref of refs) await git.syncRef(ref);
  if (refs.size > 0 && isThere(join(parts.location.gitDir, 'index'))) await git.syncIndex();
  for (const folder of folders) if (isThere(folder)) await fs.sync(folder);
}

/** Working files that no row names: of a write that was cut off before its row was written. */
async function clearWorkFiles(parts: EngineParts, folder: string): Promise<void> {
  for (const name of namesIn(folder)) {
    if (!isWorkFile(name)) continue;
    const path = join(folder, name);
    if (name.startsWith('temp-') || (await isKnown(parts, path, name))) await parts.files.discard(path);
    else
      parts.report({
        what: 'recovery',
        path: null,
        message: `The file "${name}" in Grove's folder for files under way holds words that are nowhere else.`,
        cause: null,
      });
  }
}

/** True when an old file is what was looked at when it was kept, or git has it. */
async function isKnown(parts: EngineParts, path: string, name: string): Promise<boolean> {
  const file = readPlainFile(path, name, 2);
  if (file === null) return true;
  return name.endsWith(`-${contentHash(file.bytes)}`) || parts.git.has(blobId(file.bytes));
}

function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    const code = errorCode(error);
    if (code === 'ENOENT' || code === 'ENOTDIR') return [];
    throw error;
  }
}
