import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readVaultFile } from '../settings/vault-file.ts';
import { temporaryVault } from '../testing/temporary-vault.ts';
import { proposeVaultFile } from './propose-vault-file.ts';
import { readHabits } from './read-habits.ts';

const book = (at: number): string =>
  `---\ntype: Book\nauthor: "[[Author ${at}]]"\nstatus: ${at % 3 === 0 ? 'done' : 'to-read'}\nread: 2026-01-${String(at + 10)}\nrating: ${at}\n${at < 3 ? 'loan: true\n' : ''}tags: [book, x${at}]\n---\n`;

const LIBRARY = {
  ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`Library/Books/${at}.md`, book(at)])),
  'Inbox/Book.md': '---\ntype: book\nauthor: "[[B]]"\nstatus: done\nread: 2026-02-01\nrating: 3\n---\n',
  'Library/Books/Index.md': '# Index\n',
  'Templates/Book Template.md': '---\nauthor:\n---\n',
  ...Object.fromEntries(
    Array.from({ length: 4 }, (_, at) => [`Logs/2026/11/2026-11-0${at + 1}.md`, '---\ntype: log\n---\n']),
  ),
  'Once.md': '---\ntype: rare\n---\n',
};

describe('readHabits', () => {
  it('finds types with folder, common fields and kinds, template, and the journal', async () => {
    await using folder = await temporaryVault(LIBRARY);
    const vault = await folder.open({ poll: true });
    const habits = readHabits(vault.ownerView());
    expect(habits).toMatchObject({
      notes: 19,
      seldom: ['rare'],
      journal: { folder: 'Logs', format: 'YYYY/MM/YYYY-MM-DD', notes: 4, known: false },
    });
    const [books, logs] = habits.types;
    expect(books).toMatchObject({
      name: 'Book',
      notes: 13,
      tagged: 12,
      folder: { path: 'Library/Books', notes: 12, only: true },
      template: 'Templates/Book Template.md',
    });
    expect(books?.fields.map(({ name, kind, values, notes }) => [name, kind, values.join(), notes])).toEqual([
      ['author', 'link', '', 13],
      ['status', 'enum', 'to-read,done', 13],
      ['read', 'date', '', 13],
      ['rating', 'number', '', 13],
      ['tags', 'tags', '', 12],
    ]);
    expect(logs).toMatchObject({ name: 'log', tagged: 0, fields: [] });
    expect(habits.tagsIncludeType).toBe(false);
  });

  it('takes one word for no choice, and a folder of most notes for no folder of a type', async () => {
    await using folder = await temporaryVault({
      ...Object.fromEntries(
        Array.from({ length: 12 }, (_, at) => [`pages/a${at}.md`, '---\ntype: a\nstate: open\n---\n']),
      ),
      ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`pages/b${at}.md`, 'x'])),
    });
    const [habit] = readHabits((await folder.open({ poll: true })).ownerView()).types;
    expect(habit?.folder).toBeNull();
    expect(habit?.fields).toEqual([{ name: 'state', kind: 'text', values: [], notes: 12 }]);
  });

  it('finds nothing in a vault without types, and knows a journal that is set already', async () => {
    await using folder = await temporaryVault({
      '.obsidian/daily-notes.json': '{"folder": "Daily"}',
      'A.md': '# A\n',
      ...Object.fromEntries(['01', '02', '03'].map((day) => [`Daily/2026-11-${day}.md`, 'x'])),
    });
    const vault = await folder.open({ poll: true });
    const habits = readHabits(vault.ownerView());
    expect(habits).toEqual({
      notes: 4,
      types: [],
      seldom: [],
      untyped: null,
      tagsIncludeType: false,
      journal: { folder: 'Daily', format: 'YYYY-MM-DD', notes: 3, known: true },
    });
    const text = proposeVaultFile(habits);
    expect(readVaultFile(text)).toEqual({ file: {}, remarks: [] });
    const example = text.replace(/^[\s\S]*?(?=# types:)/, '').replaceAll(/^# /gm, '');
    expect(readVaultFile(example).file?.types).toHaveProperty('book');
    expect(readVaultFile(example).remarks).toEqual([]);
  });
});

describe('proposeVaultFile', () => {
  it('says what the notes do, with counts, in a file that is valid', async () => {
    await using folder = await temporaryVault(LIBRARY);
    const text = proposeVaultFile(readHabits((await folder.open({ poll: true })).ownerView()));
    expect(text).toContain(
      '  Book:\n    folder: Library/Books # 12 of 13\n    template: Templates/Book Template.md\n',
    );
    expect(text).toContain('      author: link # all 13\n      status: [to-read, done] # all 13\n');
    expect(text).toContain('# Types in use less than three times: rare\n');
    const { file, remarks } = readVaultFile(text);
    expect(remarks).toEqual([]);
    expect(Object.keys(file?.types ?? {})).toEqual(['Book', 'log']);
    expect(file?.journal).toEqual({ folder: 'Logs', format: 'YYYY/MM/YYYY-MM-DD' });
  });

  it('says that notes are sorted by another property, for which no rule can be', async () => {
    const sorted = (at: number): string =>
      `---\n${at < 4 ? 'Categories: ["[[Books]]"]' : 'categories:'}\n---\n`;
    const notes = [0, 1, 2, 3, 4].map((at) => [`${at}.md`, sorted(at)]);
    await using folder = await temporaryVault({
      ...Object.fromEntries(notes),
      'Templates/Book.md': '---\ncategories: [x]\n---\n',
    });
    const habits = readHabits((await folder.open({ poll: true })).ownerView());
    expect(habits.untyped).toEqual({ property: 'categories', notes: 4 });
    const text = proposeVaultFile(habits);
    expect(text).toContain('# 4 notes without a type say by "categories" what they are.');
    expect(readVaultFile(text).remarks).toEqual([]);
  });

  it('is valid whatever types and properties are called', async () => {
    const odd = ['yes', '12', 'a: b', '"', '#x', '- y', '[z', '{', '__proto__', 'ünï 🌳', 'null', 'a\tb'];
    const notes = odd.flatMap((name, at) =>
      [1, 2, 3].map((copy) => [
        `F ${at}/${copy}.md`,
        `---\ntype: ${JSON.stringify(name)}\n${JSON.stringify(name)}: ${JSON.stringify(name)}\n---\n`,
      ]),
    );
    await using folder = await temporaryVault(Object.fromEntries(notes));
    const habits = readHabits((await folder.open({ poll: true })).ownerView());
    expect(habits.types).toHaveLength(odd.length);
    const { file, remarks } = readVaultFile(proposeVaultFile(habits));
    expect(remarks).toEqual([]);
    for (const name of odd.filter((name) => name !== '__proto__'))
      expect(file?.types?.[name]?.required ?? {}, name).toHaveProperty([name]);
  });

  const shared = join(process.env.GROVE_TEST_DATA ?? '../shared', 'vaults');
  it.skipIf(!existsSync(shared)).each(['kepano', 'logseq'])(
    'is valid for the vault %s of the test data (GROVE_TEST_DATA)',
    async (name) => {
      await using folder = await temporaryVault({});
      const vault = await folder.open({ poll: true, root: join(shared, name) });
      const habits = readHabits(vault.ownerView());
      expect(habits.notes).toBeGreaterThan(20);
      expect(readVaultFile(proposeVaultFile(habits))).toMatchObject({
        remarks: [],
        file: expect.any(Object),
      });
    },
  );
});
