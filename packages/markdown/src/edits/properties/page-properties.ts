import { isDeepStrictEqual } from 'node:util';
import { propertyValue, readPageProperties, readProperty } from '../../dialects/logseq-properties.ts';
import { lineContentEnd, lineEnd } from '../../lines.ts';
import type { NoteText } from '../../model.ts';
import { badInput } from '../incoming.ts';
import { lineBreakOf } from '../lines/line-breaks.ts';
import { applySplices, type Splice } from '../lines/splices.ts';
import type { PropertyChange } from './change-yaml.ts';

/**
 * A Logseq page with its own properties changed: the value alone where the key is there, else a line after
 * the last property, else lines above the first bullet. Lists are written with commas. Throws `bad_input` for
 * what a line `key:: value` cannot hold.
 */
export function changePageProperties(note: NoteText, { set, unset }: PropertyChange): string {
  const { text, bodyStart } = note;
  const lineBreak = lineBreakOf(text);
  const properties = readPageProperties(text, bodyStart);
  const splices: Splice[] = [];
  const added: string[] = [];
  for (const [key, value] of set) {
    const written = propertyText(key, value);
    // Of a repeated key the last one counts.
    const property = properties.findLast((found) => found.key === key);
    if (property === undefined) added.push(`${key}:: ${written}`.trimEnd());
    else if (!isDeepStrictEqual(propertyValue(property), value)) {
      const start = property.start + key.length + 2;
      splices.push({ start, end: property.end, text: written === '' ? '' : ` ${written}` });
    }
  }
  const first = properties[0];
  const bulleted = first !== undefined && readProperty(text, startOfLine(note, first.start))!.bulleted;
  for (const property of properties) {
    if (!unset.has(property.key)) continue;
    // The bullet stays for the properties below it.
    const start = bulleted && property === first ? property.start : startOfLine(note, property.start);
    const end =
      bulleted && property === first ? lineContentEnd(text, property.end) : lineEnd(text, property.end);
    splices.push({ start, end, text: '' });
  }
  if (added.length === 0) return applySplices(text, splices);
  const last = properties.at(-1);
  if (last === undefined) {
    const gap =
      text.slice(bodyStart).trim() === '' || /^[ \t]*\r?\n/.test(text.slice(bodyStart)) ? '' : lineBreak;
    splices.push({ start: bodyStart, end: bodyStart, text: added.join(lineBreak) + lineBreak + gap });
  } else {
    const indent = bulleted ? `${/^[ \t]*/.exec(text.slice(startOfLine(note, first!.start)))![0]}  ` : '';
    const lines = added.map((line) => `${lineBreak}${indent}${line}`).join('');
    splices.push({ start: last.end, end: last.end, text: lines });
  }
  return applySplices(text, splices);
}

/** A value as a property's line holds it. */
function propertyText(key: string, value: unknown): string {
  if (readProperty(`${key}:: x`, 0)?.key !== key)
    throw badInput('set', `no property of Logseq can be called "${key}"`);
  if (value === null) return '';
  if (Array.isArray(value)) return value.map((item) => single(key, item)).join(', ');
  return single(key, value);
}

function single(key: string, value: unknown): string {
  if (typeof value === 'object')
    throw badInput(key, 'a property of Logseq holds text, numbers and lists of them');
  const text = String(value);
  if (/[\r\n]/.test(text)) throw badInput(key, 'a property of Logseq has one line');
  return text.trim();
}

function startOfLine({ text, bodyStart }: NoteText, offset: number): number {
  return Math.max(bodyStart, text.lastIndexOf('\n', offset - 1) + 1);
}
