import { folderOf, noteName, type VaultPath } from '@grove/core';
import type { Dialect, Link, NoteText } from '@grove/markdown';
import { type ImaginedMove, type NoteRow, relativePath } from '@grove/vault';
import { parseText } from '../notes/parse-text.ts';
import { isPathFirst, isPathFrom, joinPath, targetForms } from './target-forms.ts';
import { findWrittenTarget, writeTarget } from './written-target.ts';

/** A note, and what its links meant before the move. */
export interface NoteToMend {
  readonly note: NoteText;
  readonly from: NoteRow;
  readonly fromBefore: VaultPath;
  /** For each of its links the note that it led to, and where that note was; null where there was none. */
  readonly meant: readonly (Meant | null)[];
}

/** The note that a link led to before the move, and where it was. */
export interface Meant {
  readonly row: NoteRow;
  readonly pathBefore: VaultPath;
}

/** One target to be written anew. */
export interface LinkChange {
  /** Index among the note's links. */
  readonly at: number;
  readonly target: string;
  readonly start: number;
  readonly end: number;
  readonly source: string;
}

/** What must be written anew in a note, and how many links can lead nowhere else. */
export interface LinkChanges {
  readonly changes: readonly LinkChange[];
  readonly left: number;
}

export interface MendSetting {
  /** Links as they are after the move. */
  readonly world: ImaginedMove;
  /** False where names could mean notes that are not seen. */
  readonly mayUseNames: boolean;
  /** True for a file of the vault that is no note. */
  isFile(path: string): boolean;
}

/** The links of a note that the move would turn to another note, or to none, and how they are to be written. */
export function changesOfLinks(mend: NoteToMend, setting: MendSetting): LinkChanges {
  // By place: definitions share a label, and values of YAML that are met twice are written once.
  const changes = new Map<number, LinkChange>();
  let left = 0;
  for (const [at, link] of mend.note.links.entries()) {
    const target = newTarget(at, link, mend, setting);
    if (target === null) continue;
    const written = findWrittenTarget(mend.note.text, link, mend.note.dialect);
    // A reference is mended where it is defined, which is a link of its own.
    if (written === null && isReference(link, mend.note)) continue;
    if (written === null || target === 'none') {
      left += 1;
      continue;
    }
    const { start, end } = written;
    const source = writeTarget(target.path, mend.note.text.slice(start, end), written);
    const change = { at, target: target.path, start, end, source };
    changes.set(start, change);
    const label = mend.note.dialect === 'foam' ? labelChange(mend.note, link, change) : null;
    if (label !== null) changes.set(label.start, label);
  }
  return { changes: [...changes.values()].sort((a, b) => a.start - b.start), left };
}

/**
 * The text with its links written anew. What then reads as something else than it should is left as it was.
 *
 * @returns the text, how many links were written anew, and how many could not be
 */
export async function writeLinks(
  note: NoteText,
  { changes, left }: LinkChanges,
  path: string,
): Promise<{ readonly text: string; readonly links: number; readonly left: number }> {
  let kept = changes;
  for (;;) {
    const text = spliced(note.text, kept);
    const again = await parseText(text, note.dialect, path);
    const wanted = new Map(kept.map(({ at, target }) => [at, target]));
    const isSame = again.links.length === note.links.length;
    const wrong = new Set(
      kept.flatMap(({ at, target }) => (isSame && again.links[at]?.target === target ? [] : [at])),
    );
    if (wrong.size === 0) return { text, links: wanted.size, left };
    left += wrong.size;
    kept = kept.filter(({ at }) => !wrong.has(at));
  }
}

/**
 * True for a link that leads elsewhere than before the move, or only by a guess: a path that was the way from one note
 * to the other and is not any more, though Obsidian would find the note by the end of its path.
 */
export function isTurned(
  link: Link,
  { row, pathBefore }: Meant,
  {
    dialect,
    from,
    fromBefore,
    world,
  }: {
    readonly dialect: Dialect;
    readonly from: NoteRow;
    readonly fromBefore: VaultPath;
    readonly world: ImaginedMove;
  },
): boolean {
  if (world.resolveLink(link, from)?.id !== row.id) return true;
  if (!isPathFirst({ link, dialect }) || link.target === '') return false;
  // From the top, a path may as well have been meant as one from the top.
  if (folderOf(fromBefore) === '' && (dialect === 'obsidian' || dialect === 'logseq')) return false;
  const to = row.id === world.row.id ? world.row.path : row.path;
  return isPathFrom(fromBefore, link.target, pathBefore) && !isPathFrom(from.path, link.target, to);
}

function spliced(text: string, changes: readonly LinkChange[]): string {
  let from = 0;
  const parts: string[] = [];
  for (const { start, end, source } of changes) {
    parts.push(text.slice(from, start), source);
    from = end;
  }
  return [...parts, text.slice(from)].join('');
}

/** Null where the link still leads where it led; `none` where no target leads there. */
function newTarget(
  at: number,
  link: Link,
  mend: NoteToMend,
  setting: MendSetting,
): { readonly path: string } | 'none' | null {
  const { note, from, fromBefore, meant } = mend;
  const { world, mayUseNames } = setting;
  if (link.kind === 'block-ref' || link.target === '') return null;
  const led = meant[at] ?? null;
  if (led === null) return fileTarget(link, mend, setting);
  if (!isTurned(link, led, { dialect: note.dialect, from, fromBefore, world })) return null;
  const to = led.row.id === world.row.id ? world.row : led.row;
  const place = {
    link,
    dialect: note.dialect,
    fromBefore,
    from: from.path,
    toBefore: led.pathBefore,
    to,
    isOnlyName: mayUseNames && world.namedCount(noteName(to.path)) === 1,
  };
  const path = targetForms(place).find(
    (form) => world.resolveLink({ kind: link.kind, target: form }, from)?.id === to.id,
  );
  return path === undefined ? 'none' : { path };
}

/**
 * A relative link of the moved note to a picture or another file that is no note, or to nothing: it must name the same
 * path as before, and no note that happens to lie there now.
 */
function fileTarget(
  link: Link,
  { note: { dialect }, from, fromBefore }: NoteToMend,
  { world, isFile }: MendSetting,
): { readonly path: string } | null {
  const { target } = link;
  const isDotted = /^\.\.?\//.test(target);
  if (from.path === fromBefore || target.startsWith('/')) return null;
  if (!isDotted && !isPathFirst({ link, dialect })) return null;
  const file = joinPath(fromBefore, target);
  if (file === '' || joinPath(from.path, target) === file) return null;
  const found = world.resolveLink(link, from);
  // What finds the moved note by its new name is as good as any link to a new note.
  const isMisled = found !== null && found.id !== world.row.id;
  if (!isMisled && !isDotted && !isFile(file)) return null;
  const relative = relativePath(from.path, file);
  const needsDot = isMisled || isDotted || !isPathFirst({ link, dialect });
  return { path: needsDot && !relative.startsWith('../') ? `./${relative}` : relative };
}

function isReference(link: Link, { text }: NoteText): boolean {
  return (
    (link.kind === 'markdown' || link.kind === 'image') && !text.slice(link.start, link.end).endsWith(')')
  );
}

/** Foam names its definitions as the links that they stand for. */
function labelChange({ links, text }: NoteText, link: Link, change: LinkChange): LinkChange | null {
  if (link.kind !== 'wikilink') return null;
  const definition = links.find(
    ({ kind, label }) => kind === 'definition' && label?.toLowerCase() === link.target.toLowerCase(),
  );
  if (definition === undefined || !text.startsWith(`[${link.target}]:`, definition.start)) return null;
  const start = definition.start + 1;
  return { ...change, start, end: start + link.target.length, source: change.target };
}
