import { foldCase, isGroveError } from '@grove/core';
import type { NoteText } from '../../model.ts';
import { parseNote } from '../../parse.ts';
import { acceptText, badInput } from '../incoming.ts';
import { lineBreakOf } from '../lines/line-breaks.ts';
import { changeProperties, refuseBroken } from '../properties/edit-frontmatter.ts';
import { type EditResult, resultOf } from '../result.ts';
import { addInlineTag, inlineUses, removeInlineTag } from './inline-tags.ts';
import { addPageTag, removePageTag } from './page-tags.ts';
import { readTagName } from './tag-name.ts';
import { addYamlTag, removeYamlTag } from './yaml-tags.ts';

/** Tags to add to a note and to take out of it, without or with their `#`. */
export interface TagChange {
  readonly add: readonly string[];
  readonly remove: readonly string[];
  /** `frontmatter`: the `tags` property; `inline`: `#tag` in the text; `both`. */
  readonly location: 'frontmatter' | 'inline' | 'both';
  /** The note's path, named in errors. */
  readonly path: string;
}

/** One tag at one place. */
export interface TagOutcome {
  readonly tag: string;
  readonly action: 'add' | 'remove';
  readonly location: 'frontmatter' | 'inline';
}

/** Why a tag was not added or taken out. */
export interface SkippedTag extends TagOutcome {
  /**
   * `already_there`, `not_there`; `not_a_tag`: no tag can be written so; `cannot_change`: its line would become
   * a heading or a list, or the property holds no list of tags.
   */
  readonly reason: 'already_there' | 'not_there' | 'not_a_tag' | 'cannot_change';
}

/** A change of tags, and what became of each. */
export interface TagResult extends EditResult {
  readonly applied: readonly TagOutcome[];
  readonly skipped: readonly SkippedTag[];
}

const MOST = 100;

/**
 * Adds tags to a note and takes them out, compared without regard to case; `a/b` is a tag of its own beside
 * `a`. In the frontmatter the form of the tags stays (list, `[a, b]`, text with commas) and so do entries that
 * are no text; inline, a tag goes with at most one space, and never out of code, links or comments. Throws
 * `bad_input`, `frontmatter_broken`, and `unclosed_block` as {@link insertText} does.
 *
 * @example
 * editTags(parseNote('---\ntags: [a]\n---\n', options), { add: ['b'], remove: [], location: 'frontmatter', … }).text
 * // '---\ntags: [a, b]\n---\n'
 */
export function editTags(note: NoteText, change: TagChange): TagResult {
  const { add, remove, location } = change;
  if (add.length + remove.length === 0) throw badInput('add', 'there is no tag to add or to remove');
  if (add.length + remove.length > MOST) throw badInput('add', `there are more than ${MOST} tags`);
  const names = new Set(add.map((tag) => foldCase(tag.trim().replace(/^#+/, ''))));
  const twice = remove.find((tag) => names.has(foldCase(tag.trim().replace(/^#+/, ''))));
  if (twice !== undefined) throw badInput('remove', `"${twice}" is to be added and to be removed`);
  const tagged = new TaggedNote(note, change.path);
  const places = location === 'both' ? (['frontmatter', 'inline'] as const) : [location];
  for (const place of places) {
    for (const tag of remove) tagged.change(tag, 'remove', place);
    for (const tag of add) tagged.change(tag, 'add', place);
  }
  const { applied, skipped } = tagged;
  return { ...resultOf(note, tagged.note.text), applied, skipped };
}

class TaggedNote {
  note: NoteText;
  readonly applied: TagOutcome[] = [];
  readonly skipped: SkippedTag[] = [];
  readonly #path: string;

  constructor(note: NoteText, path: string) {
    this.note = note;
    this.#path = path;
  }

  change(raw: string, action: TagOutcome['action'], location: TagOutcome['location']): void {
    acceptText(action, raw);
    const name = readTagName(raw, this.note.dialect);
    const tag = name ?? raw.trim();
    const skip = (reason: SkippedTag['reason']) => this.skipped.push({ tag, action, location, reason });
    if (name === null) return void skip('not_a_tag');
    if (location === 'frontmatter') refuseBroken(this.note, this.#path);
    const there = this.#has(name, location);
    if (action === 'add' && there) return void skip('already_there');
    if (action === 'remove' && !there) return void skip('not_there');
    const text = this.#changed(name, action, location);
    if (text === null || text === this.note.text) return void skip('cannot_change');
    this.applied.push({ tag, action, location });
    this.note = parseNote(text, { dialect: this.note.dialect, path: this.#path });
  }

  #has(name: string, location: TagOutcome['location']): boolean {
    if (location === 'inline') return inlineUses(this.note, name).length > 0;
    return this.note.tags.some(
      (tag) => tag.source === 'frontmatter' && foldCase(tag.name) === foldCase(name),
    );
  }

  #changed(name: string, action: TagOutcome['action'], location: TagOutcome['location']): string | null {
    const { note } = this;
    if (location === 'inline') {
      if (action === 'add') return addInlineTag(note, name, this.#path);
      const { text, kept } = removeInlineTag(note, name, this.#path);
      if (kept > 0 && text !== note.text)
        this.skipped.push({ tag: name, action, location, reason: 'cannot_change' });
      return text;
    }
    const { yaml } = note.frontmatter;
    if (yaml === null) {
      if (note.dialect === 'logseq')
        return action === 'add' ? addPageTag(note, name) : removePageTag(note, name);
      return changeProperties(note, { set: new Map([['tags', [name]]]), unset: new Set() }, this.#path);
    }
    const source = note.text.slice(yaml.start, yaml.end);
    const context = { lineBreak: lineBreakOf(note.text), path: this.#path };
    try {
      const next =
        action === 'add' ? addYamlTag(source, name, context) : removeYamlTag(source, name, context);
      return note.text.slice(0, yaml.start) + next + note.text.slice(yaml.end);
    } catch (error) {
      if (isGroveError(error, 'frontmatter_entangled')) return null;
      throw error;
    }
  }
}
