import { lineAt } from '../lines.ts';
import type { Tag } from '../model.ts';
import { propertyValue, readPageProperties, splitNames } from './logseq-properties.ts';

/** What the properties that open a Logseq page say. */
export interface PageReading {
  readonly data: Readonly<Record<string, unknown>>;
  readonly title: string | null;
  readonly type: string | null;
  readonly aliases: readonly string[];
  readonly tags: readonly Tag[];
  /** Where the last of them ends; the body's start when there are none. */
  readonly end: number;
}

/** Reads the properties of a Logseq page; where a key is repeated, the last one counts, as in Logseq. */
export function readLogseqPage(text: string, bodyStart: number, lineStarts: readonly number[]): PageReading {
  const data: Record<string, unknown> = {};
  const aliases: string[] = [];
  const tags: Tag[] = [];
  let title: string | null = null;
  let type: string | null = null;
  let end = bodyStart;
  for (const property of readPageProperties(text, bodyStart)) {
    const { key, value, valueStart } = property;
    end = property.end;
    if (value === '') continue;
    const name = key.toLowerCase();
    Object.defineProperty(data, key, {
      value: propertyValue(property),
      enumerable: true,
      writable: true,
      configurable: true,
    });
    if (name === 'title') title = value;
    else if (name === 'type') type = splitNames(value)[0]?.name ?? null;
    else if (name === 'alias' || name === 'aliases') {
      for (const alias of splitNames(value)) if (!aliases.includes(alias.name)) aliases.push(alias.name);
    } else if (name === 'tags' || name === 'tag')
      for (const tag of splitNames(text.slice(valueStart, property.end)))
        tags.push({
          name: tag.name,
          source: 'frontmatter',
          start: valueStart + tag.start,
          end: valueStart + tag.end,
          line: lineAt(lineStarts, valueStart),
        });
  }
  return { data, title, type, aliases, tags, end };
}
