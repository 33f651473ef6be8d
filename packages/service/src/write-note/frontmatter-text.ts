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
