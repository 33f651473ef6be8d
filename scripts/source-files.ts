import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';

const PASSED_OVER = new Set(['node_modules', 'target', 'prebuilt', 'fixtures', 'sample-vault', '.git']);

/** Source files (`.ts`, `.rs`) below the folder, as paths relative to it with `/`. */
export function sourceFiles(root: string): string[] {
  return listFolder(root, root)
    .map((path) => relative(root, path).replaceAll('\\', '/'))
    .sort();
}

function listFolder(root: string, folder: string): string[] {
  const found: string[] = [];
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) {
      if (!PASSED_OVER.has(entry.name)) found.push(...listFolder(root, path));
    } else if (/\.(?:ts|rs)$/.test(entry.name)) found.push(path);
  }
  return found;
}
