import { parseNote } from '@grove/markdown';
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
])('what %j may mean beside a type and tags', (front, types, tags) => {
  const note = parseNote(`---\n${front}\n---\nText.\n`, { dialect: 'obsidian', path: 'a.md' });
  expect(otherLabels(note)).toEqual({ types, tags });
});
