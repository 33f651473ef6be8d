import { errorCode, foldCase, GroveError } from '@grove/core';
import { LinearRegex, type RegexFlags } from '@grove/native';
import { compileGlob, expandChoices } from '@grove/vault';

/** Most globs that one with choices may stand for. */
export const MOST_CHOICES = 64;

/** Longest expression, in UTF-16 units. */
const LONGEST_PATTERN = 512;

/**
 * A regular expression over names, in linear time and ignoring case.
 *
 * @throws GroveError `bad_regex`
 */
export async function namePattern(pattern: string): Promise<(name: string) => boolean> {
  const regex = await compile(pattern.toWellFormed(), { caseInsensitive: true });
  return (name) => regex.test(name);
}

/**
 * A regular expression over texts, in linear time: case counts unless `(?i)`, `^` and `$` match at lines, as those of
 * searches do.
 *
 * @throws GroveError `bad_regex`
 */
export async function textPattern(pattern: string): Promise<(text: string) => boolean> {
  const regex = await compile(pattern.toWellFormed(), { multiLine: true });
  return (text) => regex.test(text);
}

/** True when the text holds what makes it a glob: `*`, `?` or `{a,b}`. */
export function isGlob(text: string): boolean {
  return /[*?]/.test(text) || hasChoice(text);
}

/** True when the text holds `{a,b}`; in one pass. */
export function hasChoice(text: string): boolean {
  let isOpen = false;
  let isChoice = false;
  for (const character of text) {
    if (character === '{') {
      isOpen = true;
      isChoice = false;
    } else if (character === ',') isChoice = isOpen;
    else if (character === '}') {
      if (isChoice) return true;
      isOpen = false;
    }
  }
  return false;
}

/**
 * A glob over vault paths, ignoring case: `*` and `?` stay in a segment, `**` crosses them, `{a,b}` is either.
 * Everything else, brackets too, means itself; `.md` may be left out.
 *
 * @throws GroveError `bad_filter` for one that is too long or has too many choices
 * @example pathGlob('Daily/2026-*.md')('daily/2026-11-30.md') // true
 */
export function pathGlob(glob: string): (path: string) => boolean {
  if (glob.length > 1024) throw new GroveError('bad_filter', { name: 'glob', reason: 'it is too long' });
  const plain = foldCase(glob.trim().replace(/^(?:\.?\/)+/, ''));
  const choices = expandChoices(plain, MOST_CHOICES);
  if (choices === null)
    throw new GroveError('bad_filter', { name: 'glob', reason: 'it has too many choices' });
  const globs = choices.map((choice) => compileGlob(choice, { questionMarks: true }));
  const withoutEnding = !/\.md$|\*$/.test(plain);
  return (path) => {
    const folded = foldCase(path);
    const spellings = withoutEnding ? [folded, folded.replace(/\.md$/, '')] : [folded];
    return globs.some((matches) => spellings.some(matches));
  };
}

async function compile(pattern: string, flags: RegexFlags): Promise<LinearRegex> {
  if (pattern.length > LONGEST_PATTERN)
    throw new GroveError('bad_regex', { reason: `it is longer than ${LONGEST_PATTERN} characters` });
  try {
    return await LinearRegex.compile(pattern, flags);
  } catch (cause) {
    if (errorCode(cause) !== 'bad_regex') throw cause;
    const said = cause instanceof Error ? (cause.message.split('\n').at(-1) ?? '') : '';
    // The engine's sentence, without what the error says itself.
    const reason = said.replace(/^The regular expression is wrong: /, '').replace(/\.$/, '');
    throw new GroveError('bad_regex', { reason: reason.slice(0, 200) || 'it does not parse' }, { cause });
  }
}
