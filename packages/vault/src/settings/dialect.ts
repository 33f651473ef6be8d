import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import { readSettingsFile } from './settings-file.ts';

/**
 * Whose folder this is, by what its tool leaves in it: `.obsidian/`, `logseq/config.edn`, `.foam/` or
 * `.vscode` settings that name Foam; a folder of none is plain.
 */
export async function detectDialect(root: string): Promise<Dialect> {
  if (isFolder(join(root, '.obsidian'))) return 'obsidian';
  if ((await readSettingsFile(root, 'logseq/config.edn')) !== null) return 'logseq';
  if (isFolder(join(root, '.foam'))) return 'foam';
  for (const file of ['.vscode/settings.json', '.vscode/extensions.json']) {
    // Read as text: VS Code's files are JSON with comments.
    if (/\bfoam[.-]/i.test((await readSettingsFile(root, file)) ?? '')) return 'foam';
  }
  return 'plain';
}

function isFolder(path: string): boolean {
  try {
    return lstatSync(path).isDirectory();
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}
