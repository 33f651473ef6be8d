import type { Dialect } from '../../model.ts';
import { parseNote } from '../../parse.ts';

/**
 * A tag as a caller writes it (`idea`, `#idea/new/`), without its mark; null for what no note can be tagged
 * with. Logseq's tags may hold spaces.
 */
export function readTagName(raw: string, dialect: Dialect): string | null {
  const name = raw.trim().replace(/^#+/, '').replace(/\/+$/, '').trim();
  if (name === '' || name.length > 200) return null;
  if (dialect === 'logseq') return /[[\]#,，\r\n]/.test(name) ? null : name;
  const { tags } = parseNote(`#${name}`, { dialect, path: '' });
  return tags.length === 1 && tags[0]!.name === name ? name : null;
}

/** A tag as text holds it. */
export function writtenTag(name: string, dialect: Dialect): string {
  return dialect === 'logseq' && /[^\p{L}\p{N}_\-/]/u.test(name) ? `#[[${name}]]` : `#${name}`;
}
