import { describe, expect, it } from 'vitest';
import type { NoteText } from '../model.ts';
import { parseNote } from '../parse.ts';

const read = (yaml: string): NoteText =>
  parseNote(`---\n${yaml}\n---\nbody\n`, { dialect: 'obsidian', path: 'a.md' });

describe('tags of the frontmatter', () => {
  it.each([
    ['tags: a', ['a']],
    ['tag: a', ['a']],
    ['Tags: a', ['a']],
    ['tags: "#a"', ['a']],
    ['tags: a, b', ['a', 'b']],
    ['tags: a b', ['a', 'b']],
    ['tags: "#a, #b/c"', ['a', 'b/c']],
    ['tags: [a, b]', ['a', 'b']],
    ['tags:\n  - a\n  - "#b"', ['a', 'b']],
    ['tags:\n- a/b/\n- 2026', ['a/b', '2026']],
    ['tags: [007, true, null, {x: y}, [z]]', ['007', 'true']],
    ['tags: 2026', ['2026']],
    ['tags: [[Topic]]', ['Topic']],
    ['tags: ["[[Topic|t]]"]', ['Topic']],
    ['tags:', []],
    ['tags: ""', []],
    ['tags: {a: b}', []],
    ['<<: {tags: [a, b]}', ['a', 'b']],
    ['<<: {tags: [a]}\ntags: [b]', ['b']],
    ['m:\n  <<: {tags: [a]}', []],
    ['other: a', []],
    ['other:\n  tags: a', []],
  ])('%j gives %j', (yaml, names) => {
    expect(read(yaml).tags.map((tag) => tag.name)).toEqual(names);
  });

  it('stand where they are written', () => {
    const note = read('tags: ["a", "#b"]\ntag: c, d');
    expect(note.tags.map((tag) => [note.text.slice(tag.start, tag.end), tag.line, tag.source])).toEqual([
      ['a', 2, 'frontmatter'],
      ['#b', 2, 'frontmatter'],
      ['c', 3, 'frontmatter'],
      ['d', 3, 'frontmatter'],
    ]);
  });
});

describe('aliases', () => {
  it.each([
    ['aliases: One', ['One']],
    ['alias: One', ['One']],
    ['aliases: One, Two', ['One', 'Two']],
    ['aliases: [One, "Two, three", 4]', ['One', 'Two, three', '4']],
    ['aliases:\n  - One\n  - One\n  - ', ['One']],
    ['aliases:', []],
  ])('%j gives %j', (yaml, aliases) => {
    expect(read(yaml).aliases).toEqual(aliases);
  });
});

describe('links of the frontmatter', () => {
  it('makes every entry of a list a link', () => {
    const note = read(
      'up:\n  - "[[A]]"\n  - "[[B#Part|b]]"\n  - [[C#^id]]\n  - plain\nnested:\n  deep: ["[[D]]"]',
    );
    expect(
      note.links.map(({ kind, target, heading, block, label, property, line }) => [
        kind,
        target,
        heading,
        block,
        label,
        property,
        line,
      ]),
    ).toEqual([
      ['frontmatter', 'A', null, null, null, 'up', 3],
      ['frontmatter', 'B', 'Part', null, 'b', 'up', 4],
      ['frontmatter', 'C', null, 'id', null, 'up', 5],
      ['frontmatter', 'D', null, null, null, 'nested', 8],
    ]);
    expect(note.links.map((link) => note.text.slice(link.start, link.end))).toEqual([
      '[[A]]',
      '[[B#Part|b]]',
      '[[C#^id]]',
      '[[D]]',
    ]);
  });

  it.each([
    ['a: "[[A]], [[B]]"', ['A', 'B']],
    ['a: [[A]]', ['A']],
    ['a: "![[pic.png]]"', ['pic.png']],
    ['a: "[text](Some%20Note.md#Part)"', ['Some Note.md']],
    ['a: "[text](https://example.org)"', []],
    ['a: "prose about [[A]]"', []],
    ['a: A', []],
    ['a: &x "[[A]]"\nb: *x', ['A']],
    ['a: &x {up: "[[A]]"}\n<<: *x', ['A']],
  ])('%j links to %j', (yaml, targets) => {
    expect(read(yaml).links.map((link) => link.target)).toEqual(targets);
  });

  it('takes the whole value for the place of a link that is written with escapes', () => {
    const note = read('a: "[[\\u0041]]"');
    expect(note.links.map((link) => [link.target, note.text.slice(link.start, link.end)])).toEqual([
      ['A', '"[[\\u0041]]"'],
    ]);
  });
});

describe('title and type', () => {
  it.each([
    ['title: Plan', 'Plan', null],
    ['title: [One, Two]\ntype: [book, x]', 'One', 'book'],
    ['title: 2026\ntype: "[[Types/Book|book]]"', '2026', 'Types/Book'],
    ['title: ""\ntype:', null, null],
    ['title: {a: b}', null, null],
    ['Title: Plan\nTYPE: book', 'Plan', 'book'],
    ['b: &b {title: Plan, type: book}\n<<: *b\ntitle: Own', 'Own', 'book'],
  ])('%j', (yaml, title, type) => {
    const note = read(yaml);
    expect([note.title, note.type]).toEqual([title, type]);
  });
});
