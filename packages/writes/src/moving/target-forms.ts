import { foldCase, folderOf, type VaultPath } from '@grove/core';
import type { Dialect, Link } from '@grove/markdown';
import { type NoteRow, relativePath } from '@grove/vault';

/** A link whose target must be written anew, and the notes that it stands between. */
export interface LinkPlace {
  readonly link: Link;
  readonly dialect: Dialect;
  /** Where the linking note was and is. */
  readonly fromBefore: VaultPath;
  readonly from: VaultPath;
  /** Where the note was that the link is for, and that note as it is. */
  readonly toBefore: VaultPath;
  readonly to: NoteRow;
  /** True when no other note has its name. */
  readonly isOnlyName: boolean;
}

/**
 * Targets that could name the note, in the order in which they are wanted: what is nearest to the style in which the
 * link is written first, and of that the shortest. The first that leads there is the one to take.
 */
export function targetForms(place: LinkPlace): string[] {
  const { link, from, to, isOnlyName } = place;
  const written = link.target;
  const spelt = (path: string): string => (/\.md$/i.test(written) ? path : path.replace(/\.md$/i, ''));
  const root = spelt(to.path);
  const fromRoot = `/${root}`;
  const relative = spelt(relativePath(from, to.path));
  const dotted = relative.startsWith('../') ? relative : `./${relative}`;
  if (written.startsWith('/')) return [fromRoot];
  if (written.startsWith('./')) return [dotted, fromRoot];
  const isPath = isPathFirst(place);
  if (written.startsWith('../')) return [...(isPath ? [relative] : []), dotted, fromRoot];
  if (isPath && isPathFrom(place.fromBefore, written, place.toBefore)) return [relative, dotted, fromRoot];
  const pageName = place.dialect === 'logseq' ? [to.name] : [];
  // A Markdown link to a note at the top was a path from there.
  const isName = !written.includes('/') && !(isPath && isPathFrom('' as VaultPath, written, place.toBefore));
  const name = isOnlyName && isName ? [spelt(lastSegment(to.path))] : [];
  return [...pageName, ...name, root, fromRoot];
}

/** The path that a relative target names, seen from a note; with `..` at its start when it leaves the vault. */
export function joinPath(from: VaultPath, target: string): string {
  const folder = folderOf(from);
  const segments: string[] = folder === '' ? [] : folder.split('/');
  for (const segment of target.split('/')) {
    if (segment === '' || segment === '.') continue;
    if (segment !== '..' || segments.length === 0 || segments.at(-1) === '..') segments.push(segment);
    else segments.pop();
  }
  return segments.join('/');
}

/** True for links that are meant as a path from the note's own folder, before anything else. */
export function isPathFirst({
  link: { kind, target },
  dialect,
}: Pick<LinkPlace, 'link' | 'dialect'>): boolean {
  const isMarkdown = kind === 'markdown' || kind === 'image' || kind === 'definition';
  return isMarkdown || (dialect === 'plain' && target.includes('/'));
}

/** True when the target is the path of `to` from the folder of `from`, case and `.md` aside. */
export function isPathFrom(from: VaultPath, target: string, to: string): boolean {
  if (target.startsWith('/')) return false;
  return withoutExtension(joinPath(from, target)) === withoutExtension(to);
}

function withoutExtension(path: string): string {
  return foldCase(path.normalize('NFC').replace(/\.md$/i, ''));
}

function lastSegment(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
