import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

const RULES = `zone: Europe/Berlin
types:
  book:
    folder: Books
    template: Templates/Book
    required:
      author: link
    optional:
      rating: number
  person:
    folder: People
    folder_only: false
    template: Templates/Person.md
  idea:
`;

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(
    {
      '.obsidian/app.json': '{}',
      '.grove/vault.yaml': RULES,
      'Templates/Book.md':
        '---\n# as the club wants it\ntype: book\ntags: [book]\nauthor:\nadded: {{date}}\n---\n# {{title}}\n\nAdded on {{date:dddd}} at {{time}}.\n',
      'Templates/Person.md': '---\ntype: person\ntags: person\n---\nBorn\n',
    },
    { writes: true },
  );
});
afterAll(() => vault.close());

const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
const ok = (input: object, scope?: TestVault['scope']) => vault.ok('write_note', input, scope);
const fail = (input: object, scope?: TestVault['scope']) => vault.fail('write_note', input, scope);

it('a note that is made without text begins with the template of its type, and the properties sent win', async () => {
  const frontmatter = { author: '[[Frank Herbert]]', rating: 5 };
  const made = await ok({ path: 'Books/Dune.md', frontmatter });
  expect(made.remarks).toEqual(['It was made from the template Templates/Book.md.']);
  expect(made.diff).toContain('+# Dune');
  expect(onDisk('Books/Dune.md')).toBe(
    '---\n# as the club wants it\ntype: book\ntags: [book]\nauthor: "[[Frank Herbert]]"\nadded: 2026-11-30\nrating: 5\n---\n# Dune\n\nAdded on Monday at 13:00.\n',
  );
});

it('what the template leaves open is refused as in any note', async () => {
  const error = await fail({ path: 'Books/Emma.md' });
  expect([error.code, error.breaches.map(({ field }: { field: string }) => field)]).toEqual([
    'schema_violation',
    ['author'],
  ]);
});

it('the property "type" names it, and so does a folder that one type has for itself', async () => {
  await ok({ path: 'People/Ada.md', frontmatter: { type: ['Person'] } });
  expect(onDisk('People/Ada.md')).toBe('---\ntype:\n  - Person\ntags: person\n---\nBorn\n');
  // Other notes may lie there too.
  expect((await fail({ path: 'People/Bo.md' })).code).toBe('bad_input');
  expect((await fail({ path: 'Ideas.md' })).code).toBe('bad_input');
  await ok({ path: 'Idea.md', frontmatter: { type: 'idea', tags: ['idea'] } });
  expect(onDisk('Idea.md')).toBe('---\ntype: idea\ntags:\n  - idea\n---\n');
});

it('text that is sent is all of the note, and one that is there keeps its text', async () => {
  const content = '---\ntype: book\ntags: book\nauthor: "[[Ada]]"\n---\nMine.\n';
  const { source_hash } = await ok({ path: 'Books/Own.md', content });
  expect(onDisk('Books/Own.md')).toBe(content);
  expect((await fail({ path: 'Books/Own.md', if_hash: source_hash })).code).toBe('bad_input');
  expect(onDisk('Books/Own.md')).toBe(content);
});

it('a template that the caller does not see is none', async () => {
  const rules = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Templates')], readOnly: false };
  const scope = vault.opened.scope(STDIO, rules, { scopes: ['write'] });
  expect((await fail({ path: 'Books/Hidden.md' }, scope)).code).toBe('bad_input');
  const frontmatter = { type: 'book', tags: 'book', author: '[[A]]' };
  expect((await ok({ path: 'Books/Hidden.md', frontmatter }, scope)).remarks).toEqual([]);
  expect(onDisk('Books/Hidden.md')).toBe('---\ntype: book\ntags: book\nauthor: "[[A]]"\n---\n');
});
