import type { NoteRow, View } from '@grove/vault';
import { KeptByRow } from './kept-by-row.ts';

const MOST_KEYS = 24;

/**
 * Values of the frontmatter keys that filters and lists ask for. Reading every note's properties costs hundreds of
 * times as much as comparing them, so each value is read once for each row.
 */
export class PropertyCache {
  readonly #keys = new KeptByRow<{ readonly value: unknown }>(MOST_KEYS);

  /** The value of a key, or undefined where the note has none or its frontmatter does not parse. */
  read(view: View, row: NoteRow, key: string): unknown {
    if (row.frontmatterStatus === 'broken' || row.frontmatterStatus === 'unclosed') return undefined;
    const values = this.#keys.of(key);
    const known = values.get(row);
    if (known !== undefined) return known.value;
    const value = readProperty(view.properties(row), key);
    values.set(row, { value });
    return value;
  }
}

/** A property: the exact key, then the key in another case, then a path of keys. */
function readProperty(properties: Readonly<Record<string, unknown>>, key: string): unknown {
  if (Object.hasOwn(properties, key)) return properties[key];
  const folded = key.toLowerCase();
  const other = Object.keys(properties).find((name) => name.toLowerCase() === folded);
  if (other !== undefined) return properties[other];
  const dot = key.indexOf('.');
  if (dot <= 0) return undefined;
  const parent = readProperty(properties, key.slice(0, dot));
  if (typeof parent !== 'object' || parent === null || Array.isArray(parent)) return undefined;
  return readProperty(parent as Readonly<Record<string, unknown>>, key.slice(dot + 1));
}
