import type { Dialect } from '@grove/markdown';

// Copies that Logseq keeps for itself: https://docs.logseq.com (backups, recycled and older file versions).
const LOGSEQ_COPIES = new Set(['logseq/bak', 'logseq/.recycle', 'logseq/version-files']);

// Tool folders that never hold a person's notes; other hidden names are told to the owner.
const TOOL_FOLDERS = new Set(['.git', '.obsidian', '.grove', '.foam', '.vscode']);

/** How a name found in a folder is met: walked or read, left out and told, or left out silently. */
export type Admission = 'open' | 'ignored' | 'silent';

/** Whether a folder is walked. `diskPath` is vault-relative. */
export function admitFolder(diskPath: string, dialect: Dialect): Admission {
  const name = diskPath.slice(diskPath.lastIndexOf('/') + 1);
  if (TOOL_FOLDERS.has(name)) return 'silent';
  if (name.startsWith('.')) return 'ignored';
  return dialect === 'logseq' && LOGSEQ_COPIES.has(diskPath) ? 'ignored' : 'open';
}

/** True when a path lies in a hidden or ignored folder, or is hidden itself. */
export function isOutOfReach(diskPath: string, dialect: Dialect): boolean {
  for (let slash = diskPath.indexOf('/'); slash >= 0; slash = diskPath.indexOf('/', slash + 1)) {
    if (admitFolder(diskPath.slice(0, slash), dialect) !== 'open') return true;
  }
  return admitFolder(diskPath, dialect) !== 'open';
}
