import { errorCode, GroveError, isGroveError } from '@grove/core';
import { LinearRegex } from '@grove/native';
import type { Patience } from './patience.ts';
import type { TextEdit } from './text-edit.ts';

/** Where an edit matches a text, and what is to stand in each place. */
export interface Matches {
  /** UTF-16 pairs (start, end), in order. */
  readonly offsets: Uint32Array;
  readonly replacements: readonly string[];
}

const WORD = /[\p{L}\p{M}\p{N}_]/u;
const MOST = 100_000;
/** UTF-16 units that replacements may have in all. */
const LARGEST = 8 * 1024 * 1024;

/**
 * Finds what an edit names in a text with `\n` line breaks, in time linear in the text. `^` and `$` of a
 * regular expression match at lines. Rejects with `bad_regex`, and with `bad_input` when the replacements
 * would be larger than any note.
 *
 * @param patience what patterns may still take
 */
export async function findMatches(text: string, edit: TextEdit, patience: Patience): Promise<Matches> {
  const find = edit.find.replaceAll('\r\n', '\n');
  const replace = edit.replace.replaceAll('\r\n', '\n');
  if (!edit.regex && edit.case && !edit.wholeWord && !edit.flexibleWhitespace) {
    const offsets = occurrences(text, find);
    refuseLarge((offsets.length / 2) * replace.length);
    return { offsets, replacements: Array<string>(offsets.length / 2).fill(replace) };
  }
  const pattern = edit.regex ? find : literalPattern(find, edit);
  try {
    const regex = await patience.spend(() =>
      LinearRegex.compile(bounded(pattern, edit), { caseInsensitive: !edit.case, multiLine: true }),
    );
    const found = await patience.spend(() => regex.matchesAsync(text, MOST + 1));
    const offsets = withoutLastLine(text, found);
    if (offsets.length / 2 > MOST) throw tooLarge();
    const template = edit.regex ? replace : replace.replaceAll('$', '$$$$');
    refuseLarge(largest(offsets, template));
    return {
      offsets,
      replacements: await patience.spend(() => expand(regex, text, template, offsets.length / 2)),
    };
  } catch (cause) {
    if (isGroveError(cause)) throw cause;
    const code = errorCode(cause);
    if (code === 'regex_timeout')
      throw new GroveError(
        'bad_regex',
        { name: 'find', reason: 'it takes too long in this note' },
        { cause },
      );
    if (code !== 'bad_regex' || !(cause instanceof Error)) throw cause;
    // The engine's sentence, without what the error says itself.
    const said = cause.message.split('\n').at(-1) ?? '';
    const reason = said
      .replace(/^The regular expression is wrong: /, '')
      .replace(/\.$/, '')
      .slice(0, 200);
    throw new GroveError('bad_regex', { name: 'find', reason: reason || 'it does not parse' }, { cause });
  }
}

function occurrences(text: string, find: string): Uint32Array {
  const offsets: number[] = [];
  for (let at = text.indexOf(find); at >= 0; at = text.indexOf(find, at + find.length))
    offsets.push(at, at + find.length);
  return Uint32Array.from(offsets);
}

function literalPattern(find: string, { flexibleWhitespace }: TextEdit): string {
  if (!flexibleWhitespace) return escapePattern(find);
  return find
    .split(/(\s+)/u)
    .filter((part) => part !== '')
    .map((part) => (/^\s/u.test(part) ? '\\s+' : escapePattern(part)))
    .join('');
}

function escapePattern(text: string): string {
  return text.replace(/[\\.+*?()|[\]{}^$#&\-~]/g, '\\$&');
}

/** No word goes on at the two sides of what is found: asked only where it starts or ends in a word itself. */
function bounded(pattern: string, { find, regex, wholeWord }: TextEdit): string {
  if (!wholeWord) return pattern;
  if (regex) return `\\b(?:${pattern})\\b`;
  const characters = [...find];
  const starts = WORD.test(characters[0] ?? '');
  const ends = WORD.test(characters.at(-1) ?? '');
  return `${starts ? '\\b' : ''}${pattern}${ends ? '\\b' : ''}`;
}

/** Without a match of nothing after the last line break, where no line is. */
function withoutLastLine(text: string, offsets: Uint32Array): Uint32Array {
  const last = offsets.length - 2;
  return last > 0 && text.endsWith('\n') && offsets[last] === text.length
    ? offsets.subarray(0, last)
    : offsets;
}

/** The replacement of each match: all are made at once, between marks that neither text nor template holds. */
async function expand(regex: LinearRegex, text: string, template: string, count: number): Promise<string[]> {
  if (!template.includes('$')) return Array<string>(count).fill(template);
  let mark = '\ue000';
  while (text.includes(mark) || template.includes(mark)) mark += '\ue001';
  const replaced = await regex.replaceAllAsync(text, `${mark}${template}${mark}`);
  const pieces = replaced.split(mark).filter((_, index) => index % 2 === 1);
  return pieces.slice(0, count);
}

function largest(offsets: Uint32Array, template: string): number {
  let matched = 0;
  for (let at = 0; at < offsets.length; at += 2) matched += offsets[at + 1]! - offsets[at]!;
  const references = template.split('$').length - 1;
  return (offsets.length / 2) * template.length + references * matched;
}

function refuseLarge(size: number): void {
  if (size > LARGEST) throw tooLarge();
}

function tooLarge(): GroveError {
  return new GroveError('bad_input', { name: 'edits', reason: 'edits: the note would become too large' });
}
