import { folderOf, GroveError, parseFolderPath, parseVaultPath, type VaultPath } from '@grove/core';
import { logseqFileName } from '@grove/markdown';
import type { View } from '@grove/vault';

/**
 * Where a move goes: a path that ends in `.md`, a folder that is there, or a new folder with `/` at its end. In a
 * Logseq graph also the name of a page, which keeps the folder.
 *
 * @throws GroveError `bad_input`, `bad_path`
 * @example findDestination('Archive/', 'Projects/Grove.md', view) // 'Archive/Grove.md'
 */
export function findDestination(to: string, from: VaultPath, view: View): VaultPath {
  const wanted = to.trim().normalize('NFC');
  const fileName = from.slice(from.lastIndexOf('/') + 1);
  const inFolder = (folder: string): VaultPath =>
    parseVaultPath(folder === '' ? fileName : `${folder}/${fileName}`);
  if (/\.md$/i.test(wanted)) return parseVaultPath(wanted);
  if (wanted.endsWith('/') || wanted === '.') return inFolder(parseFolderPath(wanted));
  if (view.folders().some(({ path }) => path === wanted)) return inFolder(wanted);
  if (view.dialect === 'logseq' && wanted !== '') {
    const folder = folderOf(from);
    return parseVaultPath(`${folder === '' ? '' : `${folder}/`}${logseqFileName(wanted)}.md`);
  }
  throw new GroveError('bad_input', {
    name: 'to',
    reason: '"to" is no folder of the vault; a path ends in ".md", and a new folder in "/"',
  });
}
