import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseNote } from '../parse.ts';
import { findSection } from '../sections/find.ts';
import { logseqFileName, logseqPageName } from './logseq-names.ts';

const fixture = (name: string) => {
  const text = readFileSync(new URL(`../../fixtures/logseq/${name}`, import.meta.url), 'utf8');
  return parseNote(text, { dialect: 'logseq', path: name });
};

describe('a Logseq page', () => {
  const note = fixture('pages/Project___Grove.md');

  it('has its properties for frontmatter', () => {
    expect(note.frontmatter.status).toBe('none');
    expect(note.frontmatter.data).toEqual({
      title: 'Project/Grove',
      alias: ['Grove', 'The Grove'],
      tags: ['software', 'knowledge garden'],
      type: '[[Project]]',
      stars: 5,
    });
    expect([note.title, note.type, note.aliases]).toEqual([
      'Project/Grove',
      'Project',
      ['Grove', 'The Grove'],
    ]);
  });

  it('is tagged by properties, words and bracketed words', () => {
    expect(note.tags.map(({ name, source, line }) => [name, source, line])).toEqual([
      ['software', 'frontmatter', 3],
      ['knowledge garden', 'frontmatter', 3],
      ['open source', 'inline', 9],
      ['mcp', 'inline', 9],
      ['later', 'inline', 20],
      ['to read', 'inline', 20],
    ]);
  });

  it('links to pages and blocks', () => {
    expect(
      note.links.map(({ kind, target, block, label, line }) => [kind, target || block, label, line]),
    ).toEqual([
      ['wikilink', 'The Grove', null, 2],
      ['wikilink', 'knowledge garden', null, 3],
      ['wikilink', 'Project', null, 4],
      ['wikilink', 'open source', null, 9],
      ['wikilink', 'Manual', null, 10],
      ['markdown', 'Person/Ann', 'Ann', 13],
      ['block-ref', '65f1c1d2-0000-4000-8000-000000000002', null, 16],
      ['block-ref', '65f1c1d2-0000-4000-8000-000000000001', null, 16],
      ['wikilink', 'to read', null, 20],
    ]);
  });

  it('has blocks named by id properties, each with its tree', () => {
    expect(note.blocks.map(({ id }) => id.slice(-1))).toEqual(['1', '2']);
    const { range } = findSection(note, '^65f1c1d2-0000-4000-8000-000000000002');
    expect(note.text.slice(range.start, range.end)).toBe(
      '- TODO Write the [[Manual]]\n\t  id:: 65f1c1d2-0000-4000-8000-000000000002\n\t\t- DONE Draft\n\t\t- Ask [Ann]([[Person/Ann]])',
    );
  });

  it('has headings in bullets, whose sections are the bullets', () => {
    expect(note.headings.map(({ text, level, line }) => [text, level, line])).toEqual([
      ['Goals', 1, 7],
      ['Reading', 2, 15],
    ]);
    const { content } = findSection(note, 'Goals');
    expect(note.text.slice(content.start, content.end)).toMatch(/^\t- Notes that.*LATER Publish$/s);
  });

  it('has bullet trees for sections', () => {
    const section = findSection(note, 'Write the Manual');
    expect([section.kind, section.line]).toEqual(['bullet', 10]);
    expect(note.text.slice(section.content.start, section.content.end)).toBe(
      '\t\t- DONE Draft\n\t\t- Ask [Ann]([[Person/Ann]])',
    );
  });

  it('keeps names with # whole', () => {
    const links = parseNote('- [[C#]] [[a#b]]', { dialect: 'logseq', path: 'a.md' }).links;
    expect(links.map((link) => [link.target, link.heading])).toEqual([
      ['C#', null],
      ['a#b', null],
    ]);
  });

  it('may write its properties in its first bullet', () => {
    const note = parseNote('- alias:: One\n  tags:: a, b\n- text tags:: no\n', {
      dialect: 'logseq',
      path: 'a.md',
    });
    expect([note.aliases, note.tags.map((tag) => tag.name)]).toEqual([['One'], ['a', 'b']]);
  });

  it('may name its first bullet, which holds its properties', () => {
    const text = '- id:: one\n  tags:: a\n  text\n- two\n';
    const note = parseNote(text, { dialect: 'logseq', path: 'a.md' });
    expect(note.blocks.map(({ id, block }) => [id, text.slice(block.start, block.end)])).toEqual([
      ['one', '- id:: one\n  tags:: a\n  text'],
    ]);
    expect(note.tags.map((tag) => [tag.name, tag.source])).toEqual([['a', 'frontmatter']]);
  });

  it('names a bullet by an id below its children too', () => {
    const text = '- one\n\t- two\n\n  id:: below\n';
    const note = parseNote(text, { dialect: 'logseq', path: 'a.md' });
    expect(note.blocks.map(({ id, block }) => [id, text.slice(block.start, block.end)])).toEqual([
      ['below', text.trimEnd()],
    ]);
  });

  it('has no properties in code or after other text', () => {
    const note = parseNote('text\n\n- ```\n  tags:: a\n  id:: b\n  ```\n', {
      dialect: 'logseq',
      path: 'a.md',
    });
    expect([note.frontmatter.data, note.tags, note.blocks]).toEqual([{}, [], []]);
  });
});

describe('names of Logseq files', () => {
  it.each([
    ['Project___Grove', 'Project/Grove'],
    ['New to Logseq%3F', 'New to Logseq?'],
    ['a%2Fb', 'a/b'],
    ['Tweet___This...___', 'Tweet/This...'],
    ['100%', '100%'],
    ['Global config.edn', 'Global config.edn'],
  ])('%j holds %j', (file, page) => {
    expect(logseqPageName(file)).toBe(page);
  });

  it.each([
    ['Project.Grove', 'Project/Grove'],
    ['Project%2FGrove', 'Project/Grove'],
  ])('%j holds %j in the older format', (file, page) => {
    expect(logseqPageName(file, 'legacy')).toBe(page);
  });

  it('are read back to the page that they were written for', () => {
    const name = fc.string({ unit: fc.constantFrom(...'aB1 _/.%:?*#<>|"\\é漢🌲'), minLength: 1 });
    fc.assert(
      fc.property(name, (page) => {
        const file = logseqFileName(page);
        expect(file).not.toMatch(/[<>:"\\|?*/]|[. ]$/);
        expect(logseqPageName(file)).toBe(page);
      }),
      { numRuns: 2000 },
    );
    for (const page of ['con', 'NUL', 'lpt1']) expect(logseqPageName(logseqFileName(page))).toBe(page);
  });
});
