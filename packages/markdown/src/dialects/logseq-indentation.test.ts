import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';
import { outdentBullets } from './logseq-indentation.ts';

const read = (text: string) => parseNote(text, { dialect: 'logseq', path: 'a.md' });
const itemsOf = (text: string) =>
  read(text).listItems.map((item) => [item.depth, text.slice(item.start, item.end)]);

describe('a Logseq page with bullets below headings that are no bullets', () => {
  const text = readFileSync(new URL('../../fixtures/logseq/pages/Garden year.md', import.meta.url), 'utf8');
  const note = read(text);
  const blockOf = (last: string) => {
    const found = note.blocks.find(({ id }) => id.endsWith(last));
    return found === undefined ? null : text.slice(found.block.start, found.block.end);
  };

  it('has a block for every id line outside code', () => {
    expect(note.blocks.map(({ id, line }) => [id.slice(-1), line])).toEqual([
      ['a', 2],
      ['b', 5],
      ['c', 7],
      ['d', 17],
      ['e', 20],
      ['f', 22],
    ]);
  });

  it('names a bullet with its tree', () => {
    expect(blockOf('b')).toMatch(/^- \*\*When to water[\s\S]*after \[\[Fence\]\]$/);
    expect(blockOf('d')).toBe(text.slice(text.indexOf('- Peas'), text.indexOf('\n- ## Harvest')));
    expect(blockOf('f')).toBe(text.slice(text.indexOf('- Dig'), -1));
  });

  it('names a heading with the bullets below it', () => {
    expect(blockOf('a')).toBe(text.slice(0, text.indexOf('\n### Sowing')));
    expect(blockOf('e')).toBe(text.slice(text.indexOf('- ## Harvest'), -1));
  });

  it('has their links, tags and tasks, where they stand', () => {
    const places = note.links.map(({ start, end, line }) => [text.slice(start, end), line]);
    expect(places).toEqual([
      ['[[Tap water]]', 3],
      ['((65f1c1d2-0000-4000-8000-00000000000d))', 6],
      ['[[Fence]]', 13],
      ['[[March]]', 18],
      ['[[Potatoes]]', 21],
    ]);
    expect(note.tags.map(({ name, start }) => [name, start])).toEqual([
      ['watering', text.indexOf('#watering')],
    ]);
    expect(note.tasks.map(({ mark, text: task, line }) => [mark, task, line])).toEqual([
      ['TODO', 'Mend the hose', 14],
    ]);
  });

  it('has only code for literals', () => {
    expect(note.literals.map(({ start, end }) => text.slice(start, end))).toEqual([
      '`id:: no id`',
      expect.stringMatching(/^```yaml[\s\S]*```$/),
    ]);
  });
});

describe('bullets of Logseq', () => {
  it.each([
    ['at the start of a page', '\t- a\n\t\t- b\n', [0, 1]],
    ['below a heading', '# H\n\t- a\n\t\t- b\n\t- c\n', [0, 1, 0]],
    ['below a heading, by spaces', '# H\n    - a\n        - b\n', [0, 1]],
    ['below a paragraph', 'text\n\t- a\n', [0]],
    ['below a blank line', 'text\n\n\t- a\n\n\t\t- b\n', [0, 1]],
    ['two tabs too far', '- a\n\t\t\t- b\n\t\t\t\t- c\n- d\n', [0, 1, 2, 0]],
    ['with Windows line breaks', '# H\r\n\t- a\r\n\t\t- b\r\n', [0, 1]],
    ['numbered', '# H\n\t1. a\n\t2. b\n', [0, 0]],
  ])('are bullets %s', (_, text, depths) => {
    const items = itemsOf(text);
    expect(items.map(([depth]) => depth)).toEqual(depths);
    for (const [, own] of items) expect(own).toMatch(/^(?:-|\d\.) [a-d]$/);
  });

  it('keep what belongs to them', () => {
    const text = '# H\n\t- a\n\t  more\n\n\t  and more\n\t\t- b\n\t\t  of b\n';
    expect(itemsOf(text)).toEqual([
      [0, '- a\n\t  more\n\n\t  and more'],
      [1, '- b\n\t\t  of b'],
    ]);
  });

  it('are none in a fence, and indented code stays code in other dialects', () => {
    const text = '# H\n\n```\n\t- a\n```\n\n\t- b\n';
    expect(itemsOf(text)).toEqual([[0, '- b']]);
    expect(parseNote(text, { dialect: 'obsidian', path: 'a.md' }).listItems).toEqual([]);
  });

  it('are left alone where CommonMark reads them already', () => {
    const text = '- a\n\t- b\n\t\t- c\n\t\t  ```\n\t\t      code\n\t\t  ```\n- d\n';
    expect(outdentBullets(text)).toEqual({ text, offsets: null });
  });
});

describe('the text that the parser is given', () => {
  const line = fc
    .tuple(
      fc.string({ unit: fc.constantFrom('\t', ' ', '  '), maxLength: 6 }),
      fc.constantFrom('- ', '* ', '1. ', '-\t', '', '# ', '```', '~~~', '> '),
      fc.constantFrom('', 'a', 'id:: x', 'ü🌲', '`c`'),
      fc.constantFrom('\n', '\r\n', '\n\n'),
    )
    .map((parts) => parts.join(''));

  it('differs from the body in indentation alone, and every visible place leads back', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 30 }), (lines) => {
        const body = lines.join('');
        const { text, offsets } = outdentBullets(body);
        const bare = (some: string) => some.replaceAll(/^[ \t]+/gm, '');
        expect(bare(text)).toBe(bare(body));
        let last = 0;
        for (let at = 0; at <= text.length; at += 1) {
          const original = offsets?.original(at) ?? at;
          if (/[^ \t]/.test(text[at] ?? '')) expect(body[original]).toBe(text[at]);
          expect(original).toBeGreaterThanOrEqual(last);
          last = original;
        }
        expect(last).toBe(body.length);
      }),
    );
  });
});
