import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeOutline, type OutlineRecord, outline, outlineAsync, outlineMany, textRuns } from './index.ts';

function records<K extends OutlineRecord['kind']>(text: string, kind: K) {
  return decodeOutline(outline(text)).filter(
    (record): record is Extract<OutlineRecord, { kind: K }> => record.kind === kind,
  );
}

const slices = (text: string, kind: OutlineRecord['kind']) =>
  records(text, kind).map(({ start, end }) => text.slice(start, end));

describe('headings', () => {
  it.each([
    ['# One *two* `three` [four](x) [[five]]', 1, 'One two three four five', false],
    ['###### Six ######', 6, 'Six', false],
    ['Title\nover two lines\n===', 1, 'Title over two lines', true],
    ['#tag is one\n---', 2, '#tag is one', true],
    ['# $x^2$ <b>bold</b> ![alt](i.png)', 1, 'x^2 bold alt', false],
    ['# a &amp; b\\#', 1, 'a & b#', false],
    ['#', 1, '', false],
  ])('%j', (text, level, plain, setext) => {
    const [heading] = records(text, 'heading');
    expect(heading).toMatchObject({ level, text: plain, setext, start: 0, end: text.length });
  });

  it('gives the extent of the content', () => {
    const text = '## Über 😀 *x* ##\n\ntext';
    const [heading] = records(text, 'heading');
    expect(text.slice(heading!.contentStart, heading!.contentEnd)).toBe('Über 😀 *x*');
    expect(text.slice(heading!.start, heading!.end)).toBe('## Über 😀 *x* ##');
  });
});

describe('code, math and HTML', () => {
  it('are records, and no text run lies in them', () => {
    const text =
      'a `#b` $#c$ <i title="#d">e</i>\n\n```js\n#f\n```\n\n~~~\n#g\n\n    #h\n~~~\n\n    #i\n\n<div>\n#j\n</div>\n\n$$\n#k\n$$\n';
    const runs = textRuns(outline(text)).map(({ start, end }) => text.slice(start, end));
    expect(runs.join('|')).toBe('a | | |e');
    expect(slices(text, 'codeSpan')).toEqual(['`#b`']);
    expect(slices(text, 'math')).toEqual(['$#c$', '$$\n#k\n$$']);
    expect(slices(text, 'inlineHtml')).toEqual(['<i title="#d">', '</i>']);
    expect(slices(text, 'htmlBlock')).toEqual(['<div>\n#j\n</div>']);
    expect(records(text, 'codeBlock').map((block) => [block.fenced, block.info, block.closed])).toEqual([
      [true, 'js', true],
      [true, '', true],
      [false, '', true],
    ]);
    expect(records(text, 'math').map(({ display }) => display)).toEqual([false, true]);
  });

  it.each([
    ['```\nopen\n', false],
    ['```\nopen\n``\n', false],
    ['````\nopen\n```\n', false],
    ['~~~\nclosed\n~~~~  \n', true],
    ['> ```\n> closed\n> ```\n', true],
    ['```', false],
  ])('a fence %j is closed: %j', (text, closed) => {
    expect(records(text, 'codeBlock')).toMatchObject([{ fenced: true, closed }]);
  });

  it('gives the extent of the code', () => {
    const text = '```ts\nlet a;\nlet b;\n```\n';
    const [block] = records(text, 'codeBlock');
    expect(text.slice(block!.contentStart, block!.contentEnd)).toBe('let a;\nlet b;\n');
  });
});

describe('links', () => {
  it.each([
    ['[[Note]]', 'wikilink', false, 'Note', 'Note', 'Note'],
    ['[[Note#H|text]]', 'wikilink', false, 'Note#H', 'Note#H', 'text'],
    ['![[a b.png|20]]', 'wikilink', true, 'a b.png', 'a b.png', '20'],
    ['[t](a%20b.md "T")', 'inline', false, 'a%20b.md', 'a%20b.md', 't'],
    ['[t](<a b.md>)', 'inline', false, 'a b.md', 'a b.md', 't'],
    ['[t](a\\(b.md)', 'inline', false, 'a(b.md', 'a\\(b.md', 't'],
    ['[t](a(b)c.md)', 'inline', false, 'a(b)c.md', 'a(b)c.md', 't'],
    ['![*alt*](i.png)', 'inline', true, 'i.png', 'i.png', '*alt*'],
    ['[t]()', 'inline', false, '', '', 't'],
    ['<https://a.b/c>', 'autolink', false, 'https://a.b/c', 'https://a.b/c', 'https://a.b/c'],
    ['<a@b.c>', 'email', false, 'a@b.c', 'a@b.c', 'a@b.c'],
  ])('%s', (source, type, embed, destination, written, inner) => {
    const text = `é ${source} z`;
    const [link, ...rest] = records(text, 'link');
    expect(rest).toEqual([]);
    expect(link).toMatchObject({ type, embed, destination });
    expect(text.slice(link!.start, link!.end)).toBe(source);
    expect(text.slice(link!.destinationStart!, link!.destinationEnd!)).toBe(written);
    expect(text.slice(link!.textStart, link!.textEnd)).toBe(inner);
  });

  it('by reference carry their label, and definitions say where they stand', () => {
    const text = '[a][Foo] [foo][] [foo] ![foo] [bar]\n\n[Foo]: <x y.md> "Title"\n[unused]:\n  other.md\n';
    expect(records(text, 'link').map(({ type, label, embed, title }) => [type, label, embed, title])).toEqual(
      [
        ['reference', 'Foo', false, 'Title'],
        ['collapsed', 'foo', false, 'Title'],
        ['shortcut', 'foo', false, 'Title'],
        ['shortcut', 'foo', true, 'Title'],
      ],
    );
    expect(
      records(text, 'definition').map((found) => [
        found.label,
        found.destination,
        found.title,
        text.slice(found.destinationStart!, found.destinationEnd!),
      ]),
    ).toEqual([
      ['Foo', 'x y.md', 'Title', 'x y.md'],
      ['unused', 'other.md', null, 'other.md'],
    ]);
  });

  it('in tables drop the backslash before the pipe', () => {
    const text = '| a |\n|---|\n| [[Note\\|text]] ![[i.png\\|20]] |\n';
    expect(records(text, 'link').map((link) => link.destination)).toEqual(['Note', 'i.png']);
    const [link] = records(text, 'link');
    expect(text.slice(link!.destinationStart!, link!.destinationEnd!)).toBe('Note');
  });

  it('are not found in code or math', () => {
    expect(records('`[[a]]` $[[b]]$\n\n```\n[[c]] [d](e)\n```\n\n    [[f]]\n', 'link')).toEqual([]);
  });
});

describe('blocks', () => {
  it('have extents of whole lines', () => {
    const text =
      '> quote\n> > inner\n\n1. one\n   - two\n\n---\n\n| a |\n|---|\n| b |\n\npara\nmore\n\n[^n]: foot\n\nsee [^n]\n';
    expect(records(text, 'blockQuote').map(({ depth }) => depth)).toEqual([1, 2]);
    expect(slices(text, 'blockQuote')).toEqual(['> quote\n> > inner', '> inner']);
    expect(slices(text, 'list')).toEqual(['1. one\n   - two', '- two']);
    expect(slices(text, 'thematicBreak')).toEqual(['---']);
    expect(slices(text, 'table')).toEqual(['| a |\n|---|\n| b |']);
    expect(slices(text, 'paragraph')).toContain('para\nmore');
    expect(records(text, 'footnoteDefinition').map(({ label }) => label)).toEqual(['n']);
    expect(slices(text, 'footnoteReference')).toEqual(['[^n]']);
  });

  it('tell items and their tasks', () => {
    const text = '- [ ] a\n- [x] b\n- [/] c\n- [ab] d\n- [x]e\n- plain\n7) numbered\n-\n';
    const items = records(text, 'listItem');
    expect(items.map(({ task }) => task)).toEqual([' ', 'x', '/', null, null, null, null, null]);
    expect(text.slice(items[2]!.taskOffset!, items[2]!.taskOffset! + 1)).toBe('/');
    expect(items.map(({ ordered, number }) => [ordered, number])[6]).toEqual([true, 7]);
    expect(text.slice(items[5]!.contentStart, items[5]!.end)).toBe('plain');
  });
});

describe('text runs', () => {
  it('tell where they stand', () => {
    const text = '# h\n\n[l](x) ![i](y) \\#e a_b\n\n|c|\n|-|\n';
    const named = textRuns(outline(text)).map(({ start, end, ...flags }) => [
      text.slice(start, end),
      ...Object.entries(flags).flatMap(([name, on]) => (on ? [name] : [])),
    ]);
    expect(named).toEqual([
      ['h', 'inHeading'],
      ['l', 'inLink'],
      [' '],
      ['i', 'inImage'],
      [' '],
      ['#e a_b', 'escaped'],
      ['c', 'inTable'],
    ]);
  });
});

describe('any text', () => {
  const markdown = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc
      .array(
        fc.constantFrom(
          ...[
            '#',
            ' ',
            '\n',
            '\r\n',
            '> ',
            '- ',
            '1. ',
            '[',
            ']',
            '[[',
            ']]',
            '(',
            ')',
            '!',
            '|',
            '`',
            '```',
          ],
          ...[
            '~~~',
            '$',
            '$$',
            '*',
            '_',
            '<',
            '>',
            '\\',
            ':',
            '^',
            '[^',
            'a',
            'é',
            '😀',
            '\ud83d',
            '\0',
            '\t',
          ],
        ),
        { maxLength: 60 },
      )
      .map((parts) => parts.join('')),
  );

  it('gives ordered records inside the text', () => {
    fc.assert(
      fc.property(markdown, (text) => {
        const events = outline(text);
        let last = 0;
        for (const record of decodeOutline(events)) {
          expect(record.start).toBeGreaterThanOrEqual(last);
          expect(record.end).toBeGreaterThanOrEqual(record.start);
          expect(record.end).toBeLessThanOrEqual(text.length);
          last = record.start;
          for (const [name, value] of Object.entries(record))
            if (/(?:Start|End|Offset)$/.test(name) && value !== null) {
              expect(value, name).toBeGreaterThanOrEqual(record.start);
              expect(value, name).toBeLessThanOrEqual(text.length);
            }
        }
        let end = 0;
        for (const run of textRuns(events)) {
          expect(run.start).toBeGreaterThanOrEqual(end);
          expect(run.end).toBeGreaterThan(run.start);
          end = run.end;
        }
        expect(end).toBeLessThanOrEqual(text.length);
      }),
      { numRuns: 2000 },
    );
  });

  it.each([
    ['quotes 10,000 deep', '> '.repeat(10_000)],
    ['lists 10,000 deep', '- '.repeat(10_000)],
    ['a megabyte of [', '['.repeat(1 << 20)],
    ['a megabyte of [[', '[['.repeat(1 << 19)],
    ['a megabyte of ![[', '![['.repeat(350_000)],
    ['a megabyte of *', '*a '.repeat(350_000)],
    ['a megabyte of $', '$a'.repeat(1 << 19)],
    ['a megabyte of `', '`a'.repeat(1 << 19)],
    ['half-closed wikilinks', `${'[['.repeat(100_000)}${'|'.repeat(100_000)}${']]'.repeat(100_000)}`],
    ['one line of 300 KB', 'word '.repeat(60_000)],
  ])('%s', async (_, text) => {
    const events = await outlineAsync(text);
    expect(events.records.length % 12).toBe(0);
  });

  it('is parsed alike on and off the calling thread', async () => {
    const texts = Array.from({ length: 150 }, (_, at) => `# ${at}\n\n[[${at}]]\n`);
    expect(await outlineMany(texts)).toEqual(texts.map((text) => outline(text)));
  });
});
