import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { blobId, contentHash, errorCode } from '@grove/core';
import { LARGEST_FILE, readPlainFile } from '../engine/files/read-file.ts';
import { isWorkFile } from '../engine/files/work-folder.ts';
import type { EngineParts } from '../engine/parts.ts';

/**
 * Removes fresh files that were not put in their place, and second names of those that were: a note with two names
 * would be refused. Call it before rows are recovered, which write their files anew.
 */
export async function clearFreshFiles(parts: EngineParts): Promise<void> {
  for (const folder of parts.work.folders) {
    for (const name of namesIn(folder))
      if (isWorkFile(name) && name.startsWith('temp-') && !name.endsWith('.back'))
        await parts.files.discard(join(folder, name));
  }
}

/**
 * Removes working files that no row of the journal names: of a write that was cut off before its row was written. Old
 * files with words that are nowhere else stay, and are told. Call it when the journal is empty.
 */
export async function clearWorkFolders(parts: EngineParts): Promise<void> {
  for (const folder of parts.work.folders) await clearWorkFiles(parts, folder);
}

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
  const file = readPlainFile(path, name, 2, LARGEST_FILE);
  if (file === null) return true;
  return name.endsWith(`-${contentHash(file.bytes)}`) || parts.git.has(blobId(file.bytes));
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
