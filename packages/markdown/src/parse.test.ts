import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import type { Dialect, NoteText } from './model.ts';
import { parseNote, parseNoteAsync, parseNotes } from './parse.ts';

const read = (text: string, dialect: Dialect = 'obsidian'): NoteText =>
  parseNote(text, { dialect, path: 'a.md' });

/** All that a note may hold, in one line of text and as a block. */
const HIDDEN = '# Heading [[Link]] #tag [text](Note.md) ![[Embed]] ^block-id';

describe('nothing is found inside', () => {
  it.each([
    ['a fence', `\`\`\`\n${HIDDEN}\n\`\`\``],
    ['a fence with an info string', `\`\`\`md title="x"\n${HIDDEN}\n\`\`\``],
    ['a ~~~ fence', `~~~\n${HIDDEN}\n~~~`],
    ['a longer fence that holds a shorter one', `\`\`\`\`\n\`\`\`\n${HIDDEN}\n\`\`\`\n\`\`\`\``],
    ['a fence that is not closed', `\`\`\`\n${HIDDEN}\n\n${HIDDEN}`],
    ['a fence in a list', `- item\n  \`\`\`\n  ${HIDDEN}\n  \`\`\``],
    ['a fence in a quote', `> \`\`\`\n> ${HIDDEN}\n> \`\`\``],
    ['an indented block', `text\n\n    ${HIDDEN}`],
    ['inline code', `text \`${HIDDEN}\` text`],
    ['inline code with two backticks', `text \`\`a \` ${HIDDEN}\`\` text`],
    ['inline math', `text $x ${HIDDEN} y$ text`],
    ['a math block', `$$\n${HIDDEN}\n$$`],
    ['a math block with blank lines and a list', `$$\na\n\n- ${HIDDEN}\n\n${HIDDEN}\n$$`],
    ['a math block in a bullet', `- $$\n  ${HIDDEN}\n  $$`],
    ['an HTML comment', `text <!-- ${HIDDEN} --> text`],
    ['an HTML comment over several lines', `<!--\n\n${HIDDEN}\n\n-->`],
    ['an HTML comment that is not closed', `<!--\n\n${HIDDEN}`],
    ['an HTML block', `<div>\n${HIDDEN}\n</div>`],
    ['an attribute', `text <b title="#tag [[Link]]">bold</b>`],
    ['a comment', `text %%${HIDDEN}%% text`],
    ['a comment over several paragraphs', `%%\n\n${HIDDEN}\n\n- [ ] task\n\n%%`],
    ['a comment that is not closed', `text %% ${HIDDEN}\n\n${HIDDEN}`],
  ])('%s', (_, text) => {
    const { headings, links, tags, blocks, tasks } = read(`${text}\n`);
    expect({ headings, links, tags, blocks, tasks }).toEqual({
      headings: [],
      links: [],
      tags: [],
      blocks: [],
      tasks: [],
    });
  });

  it('and what follows is found again', () => {
    for (const closed of [
      '$$\n# x\n$$',
      '```\nx\n```',
      '~~~\nx\n~~~',
      '`x`',
      '$x$',
      '<!-- x -->',
      '%% x %%',
    ]) {
      const note = read(`${closed}\n\n# Heading\n\n[[Link]] #tag ^id\n`);
      expect([note.headings.length, note.links.length, note.tags.length, note.blocks.length]).toEqual([
        1, 1, 1, 1,
      ]);
    }
  });

  it('takes two dollars that open nothing for text', () => {
    expect(read('$$\n\n[[Link]]\n').links.length).toBe(1);
    expect(read('$$\n[[Link]]\n\n```\necho $$\n```\n').links.length).toBe(1);
    expect(read('US$$ for [[Link]]').links.length).toBe(1);
  });

  it('counts comments as text where they are not of the dialect', () => {
    expect(read('100%% of [[Link]] #tag', 'foam').links.length).toBe(1);
    expect(read('100%% of [[Link]] #tag', 'logseq').tags.length).toBe(1);
  });
});

describe('literals', () => {
  it('cover code, math, comments and raw HTML, sorted and apart', () => {
    const text = '`a` $b$ %%c `d` e%% <i>f</i>\n\n```\ng\n```\n';
    const note = read(text);
    expect(note.literals.map(({ start, end }) => text.slice(start, end))).toEqual([
      '`a`',
      '$b$',
      '%%c `d` e%%',
      '<i>',
      '</i>',
      '```\ng\n```',
    ]);
  });
});

describe('the title', () => {
  it.each([
    ['# Plan\ntext', 'Plan'],
    ['\n\n# Plan *now*\n', 'Plan now'],
    ['---\na: 1\n---\n\n# Plan', 'Plan'],
    ['---\ntitle: Other\n---\n# Plan', 'Other'],
    ['Plan\n====\n', 'Plan'],
    ['text\n# Plan', null],
    ['## Plan', null],
    ['> # Plan', null],
    ['- # Plan', null],
    ['#', null],
    ['', null],
  ])('of %j is %j', (text, title) => {
    expect(read(text).title).toBe(title);
  });
});

describe('every way of parsing', () => {
  const root = new URL('../fixtures/', import.meta.url);
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.md'),
  );
  const items = files.map((path) => ({ path, text: readFileSync(new URL(encodeURI(path), root), 'utf8') }));

  it('gives the same note', async () => {
    const batch = await parseNotes(items, 'obsidian');
    expect(batch.length).toBeGreaterThan(5);
    for (const [index, { path, text }] of items.entries()) {
      const note = parseNote(text, { dialect: 'obsidian', path });
      expect(batch[index]).toEqual(note);
      expect(await parseNoteAsync(text, { dialect: 'obsidian', path })).toEqual(note);
    }
  });

  it('keeps the order of a batch larger than one job of the parser', async () => {
    const many = Array.from({ length: 150 }, (_, at) => ({ path: `${at}.md`, text: `# Note ${at}\n` }));
    const notes = await parseNotes(many, 'plain');
    expect(notes.map((note) => note.title)).toEqual(many.map((_, at) => `Note ${at}`));
  });

  it('reads a note of several megabytes', async () => {
    const text = `# Start\n\n${'word [[Link]] #tag\n\n'.repeat(100_000)}last\n`;
    const note = await parseNoteAsync(text, { dialect: 'obsidian', path: 'big.md' });
    expect([note.links.length, note.tags.length, note.words]).toEqual([100_000, 100_000, 300_002]);
  });
});

describe('offsets', () => {
  it('count a byte order mark, the frontmatter, wide characters and CRLF', () => {
    const text = '\ufeff---\r\na: 1\r\n---\r\n# 🌲 Wald\r\n\r\n🌲 [[Ziel]] #grün ^id\r\n';
    const note = read(text);
    const [heading, link, tag, block] = [note.headings[0]!, note.links[0]!, note.tags[0]!, note.blocks[0]!];
    expect(text.slice(heading.start, heading.end)).toBe('# 🌲 Wald');
    expect(text.slice(link.start, link.end)).toBe('[[Ziel]]');
    expect(text.slice(tag.start, tag.end)).toBe('#grün');
    expect(text.slice(block.start, block.end)).toBe('^id');
    expect([heading.line, link.line, tag.line, block.line]).toEqual([4, 6, 6, 6]);
    expect(text.slice(block.block.start, block.block.end)).toBe('🌲 [[Ziel]] #grün ^id');
  });

  it('stay right around NUL', () => {
    const text = 'a\0b [[Link]]\0 #tag\n';
    const note = read(text);
    expect(note.text).toBe(text);
    expect(text.slice(note.links[0]!.start, note.links[0]!.end)).toBe('[[Link]]');
    expect(note.tags.map((tag) => tag.name)).toEqual(['tag']);
  });
});
