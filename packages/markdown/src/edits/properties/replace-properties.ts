import type { NoteText } from '../../model.ts';
import { lineBreakOf } from '../lines/line-breaks.ts';
import { changeYaml } from './change-yaml.ts';
import { changeProperties } from './edit-frontmatter.ts';

/**
 * A note's text with the given properties (JSON values) in the place of all that it has. Those that stay
 * equal keep their bytes; without any, the block goes. A block that cannot be read is written anew.
 */
export function replaceProperties(
  note: NoteText,
  wanted: Readonly<Record<string, unknown>>,
  path: string,
): string {
  const { block, yaml, status, data } = note.frontmatter;
  const set = new Map(Object.entries(wanted));
  if (block !== null && yaml !== null && (set.size === 0 || status === 'broken')) {
    const lineBreak = lineBreakOf(note.text);
    const head = note.text.slice(0, block.start);
    if (set.size === 0) return head + note.text.slice(block.end);
    const lines = changeYaml('', { set, unset: new Set() }, lineBreak, path);
    return note.text.slice(0, yaml.start) + lines + note.text.slice(yaml.end);
  }
  const unset = new Set(Object.keys(data).filter((key) => !set.has(key)));
  return changeProperties(note, { set, unset }, path);
}
