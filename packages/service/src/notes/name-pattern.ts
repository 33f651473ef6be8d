import { errorCode, GroveError } from '@grove/core';
import { LinearRegex } from '@grove/native';

/**
 * A regular expression over names, in linear time and ignoring case.
 *
 * @throws GroveError `bad_regex`
 */
export function namePattern(pattern: string): (name: string) => boolean {
  const regex = compile(pattern.toWellFormed());
  return (name) => regex.test(name);
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
 * Everything else, brackets too, means itself. It runs in linear time whatever the pattern.
 *
 * @throws GroveError `bad_filter` for one that is too long
 * @example pathGlob('Daily/2026-*.md')('daily/2026-11-30.md') // true
 */
export function pathGlob(glob: string): (path: string) => boolean {
  if (glob.length > 1024) throw new GroveError('bad_filter', { name: 'glob', reason: 'it is too long' });
  const plain = glob
    .trim()
    .replace(/^(?:\.?\/)+/, '')
    .normalize('NFC')
    .toWellFormed();
  const ending = /\.md$|\*$/i.test(plain) ? '' : '(?:\\.md)?';
  const regex = compile(`^(?:${translate(plain)})${ending}$`);
  return (path) => regex.test(path);
}

function compile(pattern: string): LinearRegex {
  try {
    return new LinearRegex(pattern, { caseInsensitive: true });
  } catch (cause) {
    if (errorCode(cause) !== 'bad_regex') throw cause;
    const said = cause instanceof Error ? (cause.message.split('\n').at(-1) ?? '') : '';
    // The engine's sentence, without what the error says itself.
    const reason = said.replace(/^The regular expression is wrong: /, '').replace(/\.$/, '');
    throw new GroveError('bad_regex', { reason: reason.slice(0, 200) || 'it does not parse' }, { cause });
  }
}

function translate(glob: string): string {
  let regex = '';
  let braces = 0;
  for (let at = 0; at < glob.length; at += 1) {
    const rest = glob.slice(at, at + 3);
    if (rest === '**/') {
      regex += '(?:[^/]+/)*';
      at += 2;
    } else if (rest.startsWith('**')) {
      regex += '.*';
      at += 1;
    } else if (rest.startsWith('*')) regex += '[^/]*';
    else if (rest.startsWith('?')) regex += '[^/]';
    else if (rest.startsWith('{') && /^\{[^{}]*,[^{}]*\}/.test(glob.slice(at, at + 200))) {
      braces += 1;
      regex += '(?:';
    } else if (rest.startsWith('}') && braces > 0) {
      braces -= 1;
      regex += ')';
    } else if (rest.startsWith(',') && braces > 0) regex += '|';
    else regex += literal(glob.charAt(at));
  }
  return regex;
}

/** Characters with a meaning in the syntax of Rust's regex crate, escaped. */
function literal(character: string): string {
  return /[\\.+*?()|[\]{}^$#&\-~]/.test(character) ? `\\${character}` : character;
}
