import { parseNote } from '@grove/markdown';
import { asObject } from '../parameters/widen.ts';

/** Longer texts are no properties of a note, in UTF-16 units. */
const LONGEST = 110_000;

/** Properties as an object, as its JSON text, or as the YAML that stands in a note, with or without its fences. */
export function asFrontmatter(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  const parsed = asObject(value);
  if (typeof parsed === 'object' && parsed !== null) return parsed;
  if (value.length > LONGEST) return value;
  const yaml = value.replace(/^\s*---[ \t]*\r?\n/, '').replace(/\r?\n---\s*$/, '');
  const { frontmatter } = parseNote(`---\n${yaml}\n---\n`, { dialect: 'plain', path: '' });
  return frontmatter.status === 'ok' ? frontmatter.data : value;
}

/**
 * The value of one property as it is typed: YAML, or plain text where it is none. What YAML would take for something
 * that nobody means by it is text too: `[[Note]]` is a link, and `#green` no comment.
 *
 * @example propertyValue('[a, 2]') // ['a', 2]
 * @example propertyValue('[[Ada Lovelace]]') // '[[Ada Lovelace]]'
 */
export function propertyValue(typed: string): unknown {
  if (/^\s*(?:#|\[\[)/.test(typed) || typed.includes('\n') || typed.length > LONGEST) return typed;
  const { frontmatter } = parseNote(`---\nvalue: ${typed}\n---\n`, { dialect: 'plain', path: '' });
  const { data, status } = frontmatter;
  return status === 'ok' && Object.hasOwn(data, 'value') ? data.value : typed;
}
