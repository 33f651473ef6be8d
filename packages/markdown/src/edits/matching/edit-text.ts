import { GroveError } from '@grove/core';
import { findFences } from '../../frontmatter/fences.ts';
import { readFrontmatter } from '../../frontmatter/read.ts';
import { findLineStarts, lineAt } from '../../lines.ts';
import type { NoteText, Range } from '../../model.ts';
import { findSection } from '../../sections/find.ts';
import { acceptText, badInput } from '../incoming.ts';
import { isMixed, type LineBreak, lineBreakOf, withLineBreaks } from '../lines/line-breaks.ts';
import { applySplices, type Splice } from '../lines/splices.ts';
import { type EditResult, resultOf } from '../result.ts';
import { nearestLines, shown } from './nearest-lines.ts';
import { Patience } from './patience.ts';
import { findMatches, type Matches } from './pattern.ts';
import { PlainLines } from './plain-lines.ts';
import type { TextEdit } from './text-edit.ts';

/** Edits of one note. */
export interface TextChange {
  readonly edits: readonly TextEdit[];
  /** An address for {@link findSection} that edits are kept to; null for the whole note. */
  readonly section: string | null;
  /** The note's path, named in errors. */
  readonly path: string;
  /** What the patterns of the whole call may still take; their own when left out. */
  readonly patience?: Patience;
}

const MOST_EDITS = 200;
const SHOWN_LINES = 10;

/**
 * Finds and replaces text. Edits apply in order, each to the result of the one before, all or none; line
 * breaks match whichever way they are written, and new ones are written as the note's. `matches` counts the
 * places that each edit changed.
 *
 * Rejects with `edit_no_match` (`data.nearest`: lines that look alike; `data.elsewhere`: the scope in which it
 * would match), `edit_ambiguous` (`data.lines`), `bad_regex`, `bad_input`, `section_not_found`,
 * `section_ambiguous`, and for properties that could not be read afterwards `would_break_frontmatter`, for
 * lines of the body that would become some `second_frontmatter`.
 *
 * @example
 * (await editText(parseNote('one two\n', options), { edits: [{ find: 'two', replace: '2', … }], … })).text // 'one 2\n'
 */
export async function editText(
  note: NoteText,
  change: TextChange,
): Promise<EditResult & { readonly matches: readonly number[] }> {
  const { edits, path } = change;
  if (edits.length === 0) throw badInput('edits', 'there is none');
  if (edits.length > MOST_EDITS) throw badInput('edits', `there are more than ${MOST_EDITS}`);
  for (const edit of edits) {
    acceptText('find', edit.find);
    acceptText('replace', edit.replace);
    if (edit.find === '') throw badInput('find', 'it is empty');
  }
  const edited = new EditedText(note, change);
  const matches: number[] = [];
  for (const [index, edit] of edits.entries()) matches.push(await edited.apply(edit, index));
  refuseBreaking(note, edited.text, path);
  return { ...resultOf(note, edited.text), matches };
}

class EditedText {
  text: string;
  readonly #path: string;
  readonly #lineBreak: LineBreak;
  readonly #patience: Patience;
  #section: Range | null = null;

  constructor(note: NoteText, { section, path, edits, patience }: TextChange) {
    this.text = note.text;
    this.#path = path;
    this.#lineBreak = lineBreakOf(note.text);
    this.#patience = patience ?? new Patience();
    if (section === null) return;
    if (edits.some(({ scope }) => scope === 'frontmatter'))
      throw badInput('section', 'a section is no part of the frontmatter');
    this.#section = findSection(note, section, { path }).range;
  }

  /** Applies one edit; answers how many places it changed. */
  async apply(edit: TextEdit, index: number): Promise<number> {
    const range = this.#rangeOf(edit.scope);
    const lines = new PlainLines(this.text.slice(range.start, range.end));
    const matches = await findMatches(lines.plain, edit, this.#patience);
    const count = matches.offsets.length / 2;
    if (count === 0) throw await this.#noMatch(edit, index, range, lines.plain);
    if (count > 1 && !edit.all) throw this.#ambiguous(edit, index, range, lines, matches);
    const before = this.text;
    this.text = applySplices(before, this.#splicesOf(matches, lines, range));
    const grown = this.text.length - before.length;
    if (this.#section !== null) this.#section = { start: range.start, end: range.end + grown };
    if (this.#section !== null || edit.scope !== 'note')
      this.#refuseMovedFences(before, edit.scope === 'frontmatter' ? grown : 0);
    return count;
  }

  #rangeOf(scope: TextEdit['scope']): Range {
    if (this.#section !== null) return this.#section;
    if (scope === 'note') return { start: this.text.startsWith('\ufeff') ? 1 : 0, end: this.text.length };
    const { yaml, bodyStart } = findFences(this.text);
    return scope === 'body' ? { start: bodyStart, end: this.text.length } : (yaml ?? { start: 0, end: 0 });
  }

  #splicesOf({ offsets, replacements }: Matches, lines: PlainLines, { start }: Range): Splice[] {
    const mixed = isMixed(this.text);
    return replacements.map((replacement, index) => {
      const from = start + lines.original(offsets[index * 2]!);
      const to = start + lines.original(offsets[index * 2 + 1]!);
      if (mixed) return withoutCommonEnds(this.text.slice(from, to), replacement, from, this.#lineBreak);
      return { start: from, end: to, text: withLineBreaks(replacement, this.#lineBreak) };
    });
  }

  #refuseMovedFences(before: string, grown: number): void {
    const old = findFences(before);
    const now = findFences(this.text);
    if (old.status === now.status && (old.yaml?.end ?? -grown) + grown === (now.yaml?.end ?? 0)) return;
    if (old.status === 'none') throw new GroveError('second_frontmatter');
    const reason = 'it would have other lines between its two "---" than the edit names';
    throw new GroveError('would_break_frontmatter', { path: this.#path, reason });
  }

  async #noMatch(edit: TextEdit, index: number, range: Range, plain: string): Promise<GroveError> {
    const inSection = this.#section !== null;
    const elsewhere = inSection ? null : await this.#elsewhere(edit);
    const find = edit.find.replaceAll('\r\n', '\n');
    const replace = edit.replace.replaceAll('\r\n', '\n');
    const firstLine = lineAt(findLineStarts(this.text), range.start);
    const data = {
      path: this.#path,
      edit: index,
      scope: inSection ? 'section' : edit.scope,
      find: shown(edit.find),
      nearest: edit.regex ? [] : nearestLines(plain, find, firstLine),
      ...(elsewhere === null ? {} : { elsewhere }),
    };
    if (elsewhere !== null)
      return new GroveError('edit_no_match', data, {
        hint: `It stands in the ${elsewhere}: send scope: "${elsewhere}" in the edit.`,
      });
    if (edit.regex || replace.trim() === '' || !plain.includes(replace))
      return new GroveError('edit_no_match', data);
    const hint = 'The text of replace stands there already: when that is this edit, nothing is left to do.';
    return new GroveError('edit_no_match', data, { hint });
  }

  /** The other scope, when the edit would match there. */
  async #elsewhere(edit: TextEdit): Promise<'body' | 'frontmatter' | null> {
    if (edit.scope === 'note') return null;
    const other = edit.scope === 'body' ? 'frontmatter' : 'body';
    const { start, end } = this.#rangeOf(other);
    const { offsets } = await findMatches(
      new PlainLines(this.text.slice(start, end)).plain,
      edit,
      this.#patience,
    );
    return offsets.length > 0 ? other : null;
  }

  #ambiguous(edit: TextEdit, index: number, range: Range, lines: PlainLines, found: Matches): GroveError {
    const { offsets } = found;
    const lineStarts = findLineStarts(this.text);
    const shownLines: number[] = [];
    for (let at = 0; at < offsets.length && shownLines.length < SHOWN_LINES; at += 2)
      shownLines.push(lineAt(lineStarts, range.start + lines.original(offsets[at]!)));
    const scope = this.#section === null ? edit.scope : 'section';
    const count = offsets.length / 2;
    return new GroveError('edit_ambiguous', {
      path: this.#path,
      edit: index,
      scope,
      count,
      lines: shownLines,
    });
  }
}

/** In a file of two kinds of line breaks only what differs is written, so that the others stay what they are. */
function withoutCommonEnds(old: string, replacement: string, at: number, lineBreak: LineBreak): Splice {
  const tokens = (text: string) => text.match(/\r\n|[\s\S]/g) ?? [];
  const before = tokens(old);
  const after = tokens(replacement);
  const same = (a: string | undefined, b: string | undefined) =>
    a !== undefined && (a === b || (a === '\r\n' && b === '\n'));
  let head = 0;
  while (head < after.length && same(before[head], after[head])) head += 1;
  let tail = 0;
  const most = Math.min(before.length, after.length) - head;
  while (tail < most && same(before.at(-1 - tail), after.at(-1 - tail))) tail += 1;
  const start = at + before.slice(0, head).join('').length;
  const end = at + before.slice(0, before.length - tail).join('').length;
  return { start, end, text: withLineBreaks(after.slice(head, after.length - tail).join(''), lineBreak) };
}

/** Refuses edits after which properties that could be read, or were not there, cannot be read. */
function refuseBreaking(note: NoteText, text: string, path: string): void {
  const { status, error } = readFrontmatter(text).frontmatter;
  if (status === 'ok' || status === 'none' || status === note.frontmatter.status) return;
  if (note.frontmatter.status === 'broken' || note.frontmatter.status === 'unclosed') return;
  const { message = 'it is broken', line = 1 } = error ?? {};
  throw new GroveError('would_break_frontmatter', { path, reason: message, line });
}
