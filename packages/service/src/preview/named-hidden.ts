import { foldTitle, noteName, Slices } from '@grove/core';
import { lineAt, type NoteText, type Range } from '@grove/markdown';
import type { NoteRow, View } from '@grove/vault';
import { clip, oneLine } from '../answers/note-facts.ts';
import { readIfThere } from '../notes/read.ts';
import type { PreviewWarning, PreviewWarnings } from './contract.ts';

/** A text is looked through in parts of about so many UTF-16 units, each of whole lines. */
const PART = 16_000;
/** Places that are told of one note. */
const MOST_OF_A_NOTE = 20;

export interface NamedHiddenIn {
  readonly owner: View;
  readonly view: View;
  /** Places after which the looking ends. */
  readonly most: number;
}

/** Reads what `view` shows for places that name a note which it does not, by a link, an embed, a title or an alias. */
export async function findNamedHidden({ owner, view, most }: NamedHiddenIn): Promise<PreviewWarnings> {
  const warnings: PreviewWarning[] = [];
  const slices = new Slices();
  for (const row of view.notes()) {
    if (slices.spent) await slices.rest();
    const served = view.byId(row.id) === null ? null : await readIfThere(view, row);
    if (served === null) continue;
    warnings.push(...placesIn(served.row, served.note, owner, view).slice(0, MOST_OF_A_NOTE));
    if (warnings.length >= most) return { warnings: warnings.slice(0, most), complete: false };
  }
  return { warnings, complete: true };
}

function placesIn(row: NoteRow, note: NoteText, owner: View, view: View): PreviewWarning[] {
  const found = new Map<string, PreviewWarning>();
  const add = (at: number, text: string, how: PreviewWarning['how'], hidden: NoteRow): void => {
    const line = lineAt(note.lineStarts, at);
    const key = `${line}\n${hidden.path}`;
    if (found.has(key)) return;
    const shown = clip(oneLine(text), 200);
    found.set(key, { path: row.path, line, text: shown, how, names: hidden.path });
  };
  for (const link of note.links) {
    const to = owner.resolveLink(link, row);
    if (to === null || view.byId(to.id) !== null) continue;
    const isEmbed = link.kind === 'embed' || link.kind === 'image';
    add(
      link.start,
      link.target === '' ? note.text.slice(link.start, link.end) : link.target,
      isEmbed ? 'embed' : 'link',
      to,
    );
  }
  for (const range of partsOf(note.text))
    for (const { start, text, notes } of owner.mentions(note.text, range)) {
      // What a note that is shown is called as well tells nothing.
      if (notes.some(({ id }) => view.byId(id) !== null)) continue;
      for (const hidden of notes) add(start, text, isAlias(text, hidden) ? 'alias' : 'title', hidden);
    }
  return [...found.values()].sort((a, b) => a.line - b.line || (a.names < b.names ? -1 : 1));
}

function isAlias(text: string, { path, name, title, aliases }: NoteRow): boolean {
  const said = foldTitle(text);
  if ([noteName(path), name, title].some((own) => foldTitle(own) === said)) return false;
  return aliases.some((alias) => foldTitle(alias) === said);
}

/** Names stand on one line: the text may be cut between lines. */
function* partsOf(text: string): Generator<Range> {
  for (let start = 0; start < text.length; ) {
    const lineEnd = text.indexOf('\n', Math.min(text.length, start + PART));
    const end = lineEnd < 0 ? text.length : lineEnd + 1;
    yield { start, end };
    start = end;
  }
}
