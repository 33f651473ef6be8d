import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
import { VAULT_FILE } from './vault-file.ts';

/** Every file that decides the settings. */
const FILES = [
  VAULT_FILE,
  'AGENTS.md',
  '.obsidian/app.json',
  '.obsidian/daily-notes.json',
  '.obsidian/templates.json',
  '.obsidian/plugins/periodic-notes/data.json',
  'logseq/config.edn',
];

/** A text that changes when one of the settings files does: a few stats, no reads. */
export function settingsStamp(root: string): string {
  return FILES.map((file) => stamp(join(root, file))).join(' ');
}

function stamp(path: string): string {
  try {
    const stat = lstatSync(path, { bigint: true });
    return `${stat.ino}:${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}`;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return '-';
  }
}
