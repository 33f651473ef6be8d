import { type NoteText, parseNote } from '@grove/markdown';
import { expect, it } from 'vitest';
import { otherLabels } from './other-labels.ts';

it.each([
  ['type: [book, client, "[[Journal]]"]', ['client', 'Journal'], []],
  ['type: {main: book}', ['main', 'book'], []],
  ['type: book\nType: client', ['client'], []],
  ['tags:\n  - [secret]', [], ['secret']],
  ['tags: ["work secret", plain]', [], ['work', 'secret']],
  ['tags: {secret: [deep/er]}', [], ['secret', 'deep/er']],
  ['tags: secret, other\ntype: book', [], []],
  ['tag: [a, "#b"]\nTags: c', [], []],
  ['aliases: [x]', [], []],
  ['type: "[[Types/book|A book]]"', ['Types', 'book', 'A book'], []],
  ['type: "[Book](Types/book.md)"', ['Book', 'Types', 'book'], []],
  ['type: "#book"', ['book'], []],
])('what %j may mean beside a type and tags', (front, types, tags) => {
  const note = parseNote(`---\n${front}\n---\nText.\n`, { dialect: 'obsidian', path: 'a.md' });
  expect(otherLabels(note)).toEqual({ types, tags });
});

it.each([
  ['type:: [[Types/book]]', ['Types/book', 'Types', 'book'], []],
  ['- **tags**:: secret, deep/er', [], ['secret', 'deep/er']],
  ['Words (tags:: secret) and more.', [], ['secret']],
  ['Words [tag:: [[secret]]] and more.', [], ['secret']],
  ['%% #secret #deep/er %%', [], ['secret', 'deep/er']],
  ['Words <!-- #secret, --> and more.', [], ['secret']],
  ['<!--\n#secret\n-->', [], ['secret']],
  ['`#secret` and std::type::book', [], []],
])('what %j in the text may mean', (text, types, tags) => {
  const note = parseNote(`${text}\n`, { dialect: 'obsidian', path: 'a.md' });
  expect(otherLabels(note)).toEqual({ types, tags });
});

it.each([
  ['*', []],
  ['[', []],
  ['- ', []],
  ['type::', [expect.stringMatching(/^type::type/)]],
  ['[[type:: ]] ', []],
])('looks at a long text of %j in little time', (part, types) => {
  const text = `${part.repeat(200_000)}::`;
  const note = { text, type: null, tags: [], literals: [], frontmatter: { data: {} } } as unknown as NoteText;
  expect(otherLabels(note).types).toEqual(types);
});
