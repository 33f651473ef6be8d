import { type NoteText, parseNote } from '@grove/markdown';
import { expect, it } from 'vitest';
import { saysPrivate } from './says-private.ts';

it.each([
  ['---\nprivate: true\n---\nx', true],
  ['---\nPRIVATE : yes # why\n---\nx', true],
  ['---\nprivate: ""\n---\nx', true],
  ['---\nprivate: "false"\n---\nx', true],
  ['---\n"private ": true\n---\nx', true],
  ['---\n\uff50rivate: 1\n---\nx', true],
  ['---\nPrivate: true\nprivate: false\n---\nx', true],
  ['---\nprivate: false\n---\nx', false],
  ['---\nprivate:\n---\nx', false],
  ['---\nprivate: ~\n---\nx', false],
  ['---\n# private: true\n---\nx', false],
  ['---\nmeta: {private: true}\n---\nx', false],
  ['---\nown: &own {private: true}\n<<: *own\n---\nx', true],
  ['---\nown: &own\n  Private: yes\nall: &all {<<: *own}\n<<: [{a: 1}, *all]\n---\nx', true],
  ['---\n<<: {private: true}\nPrivate: false\n---\nx', true],
  ['---\n<<: {private: true}\nprivate: false\n---\nx', false],
  ['---\nmeta: {<<: {private: true}}\n---\nx', false],
  // What only looks like frontmatter.
  ['+++\nprivate = true\n+++\nx', true],
  ['+++\nprivate = false\n+++\nx', false],
  ['\n---\nprivate: true\n---\nx', true],
  [' ---\ntags: [a]\nprivate: yes\n---\nx', true],
  ['\u200b---\n"private": 1\n---', true],
  ['---\rprivate: true\r---\rx', true],
  ['\n---\nprivate:\n---\nx', false],
  ['\n---\nprivate: null # for now\n---\nx', false],
  ['Before.\n\n---\nprivate: true\n---\nx', false],
  ['\n---\nA private: matter\n---\nx', false],
  ['---\ntags: [a]\n---\n\n---\nprivate: true\n---\nx', false],
  ['', false],
  // Fields in the text.
  ['private:: true\nx', true],
  ['---\ntags: [a]\n---\nx\n- **Private**:: yes', true],
  ['Words (private:: 1) and more.', true],
  ['private:: false\nx', false],
  ['private::\nx', false],
  ['[private:: null] x', false],
  ['std::private::word', false],
])('%j says private: %s', (text, isSaid) => {
  expect(saysPrivate(parseNote(text, { dialect: 'obsidian', path: 'a.md' }))).toBe(isSaid);
});

it.each([
  ['private ', false],
  ['*', false],
  ['[', false],
  ['private::', true],
  ['[private:: ', true],
])('looks at a long text of %j in little time', (part, isSaid) => {
  const text = `\n---\n${part.repeat(200_000)}::`;
  const note = { text, frontmatter: { status: 'none', data: {} } } as unknown as NoteText;
  expect(saysPrivate(note)).toBe(isSaid);
});
