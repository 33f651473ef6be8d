import { folderOf, type VaultPath } from '@grove/core';
import type { Link } from '@grove/markdown';
import type { NoteRow } from '../note-row.ts';
import type { View } from '../view.ts';

/** What a new link needs to know of the View. */
export type LinkGround = Pick<View, 'dialect' | 'resolveLink'>;

/**
 * A link from one note to another, as the dialect writes it, that shows exactly this text; null where none would lead
 * there.
 *
 * @example linkTo(view, { from, to: compost, text: 'compost' }) // '[[Compost|compost]]'
 */
export function linkTo(
  view: LinkGround,
  { from, to, text }: { readonly from: NoteRow; readonly to: NoteRow; readonly text: string },
): string | null {
  const { dialect } = view;
  if (/[[\]|\n]/.test(text)) return null;
  const leads = (kind: Link['kind'], target: string): boolean =>
    view.resolveLink({ kind, target }, from)?.id === to.id;
  if (dialect === 'plain') {
    const target = [relativePath(from.path, to.path), `/${to.path}`].find((path) => leads('markdown', path));
    return target === undefined ? null : `[${text}](${escaped(target)})`;
  }
  if (dialect === 'logseq') {
    if (leads('wikilink', text)) return `[[${text}]]`;
    return leads('wikilink', to.name) && !/[[\]]/.test(to.name) ? `[${text}]([[${to.name}]])` : null;
  }
  const path = to.path.replace(/\.md$/i, '');
  const target = [path.slice(path.lastIndexOf('/') + 1), path, `/${path}`].find(
    (form) => !/[#^|[\]]/.test(form) && leads('wikilink', form),
  );
  if (target === undefined) return null;
  return target === text ? `[[${target}]]` : `[[${target}|${text}]]`;
}

/**
 * The path of a file from the folder of a note.
 *
 * @example relativePath('Projects/Grove.md', 'Archive/Old.md') // '../Archive/Old.md'
 */
export function relativePath(from: VaultPath, to: string): string {
  const folder = folderOf(from);
  const up = folder === '' ? [] : folder.split('/');
  const down = to.split('/');
  let same = 0;
  while (same < up.length && same < down.length - 1 && up[same] === down[same]) same += 1;
  return [...up.slice(same).map(() => '..'), ...down.slice(same)].join('/');
}

/** A destination as Markdown takes it without `<>`. */
function escaped(target: string): string {
  return target.replaceAll(/[%#<>()\\\s]/g, (character) =>
    encodeURIComponent(character).replace(/^[()]$/, (paren) => (paren === '(' ? '%28' : '%29')),
  );
}
