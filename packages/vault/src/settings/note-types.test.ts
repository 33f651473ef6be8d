import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import { type FieldKind, fitsKind, isEmptyValue } from './field-kinds.ts';
import { readVaultFile } from './vault-file.ts';

const GOOD = `types:
  person:
    folder: People
    template: Templates/Person
    required:
      born: date
    optional:
      knows: link
      labels: tag list
  book:
    folder: [Books, Archive/Books]
    folder_only: false
    tags_include_type: false
    required:
      status: [to-read, reading, done]
      rating: {kind: number, example: 4}
  idea:
`;

describe('types of .grove/vault.yaml', () => {
  it('are in force as soon as the file is there', async () => {
    await using folder = await temporaryVault({ '.grove/vault.yaml': GOOD, 'A.md': '' });
    const vault = await folder.open({ poll: true });
    expect(vault.health().remarks).toEqual([]);
    expect(vault.schema.types).toEqual([
      {
        name: 'person',
        folders: ['People'],
        folderOnly: true,
        template: 'Templates/Person.md',
        tagged: true,
        fields: [
          { name: 'born', kind: 'date', required: true, values: [], example: null },
          { name: 'knows', kind: 'link', required: false, values: [], example: null },
          { name: 'labels', kind: 'tags', required: false, values: [], example: null },
        ],
      },
      {
        name: 'book',
        folders: ['Books', 'Archive/Books'],
        folderOnly: false,
        template: null,
        tagged: false,
        fields: [
          {
            name: 'status',
            kind: 'enum',
            required: true,
            values: ['to-read', 'reading', 'done'],
            example: null,
          },
          { name: 'rating', kind: 'number', required: true, values: [], example: 4 },
        ],
      },
      { name: 'idea', folders: [], folderOnly: true, template: null, tagged: true, fields: [] },
    ]);
    expect([...vault.schema.templates]).toEqual(['templates/person.md']);
  });

  it('keep the last good rules when the file breaks, and take the next good one', async () => {
    await using folder = await temporaryVault({ '.grove/vault.yaml': GOOD, 'A.md': '' });
    const vault = await folder.open({ poll: true });
    await folder.write('.grove/vault.yaml', GOOD.replace('born: date', 'born: day'));
    await vault.reconcile();
    expect(vault.schema.types.map(({ name }) => name)).toEqual(['person', 'book', 'idea']);
    expect(vault.health().remarks.join()).toMatch(/line 6, key "types\.person\.required\.born": is no kind/);
    await folder.write('.grove/vault.yaml', 'types:\n  plant:\n');
    await vault.reconcile();
    expect([vault.schema.types.map(({ name }) => name), vault.health().remarks]).toEqual([['plant'], []]);
    await folder.remove('.grove/vault.yaml');
    await vault.reconcile();
    expect(vault.schema.types).toEqual([]);
  });

  it('outlast a start with a file that is not valid, until there is none', async () => {
    await using folder = await temporaryVault({ '.grove/vault.yaml': GOOD, 'A.md': '' });
    await (await folder.open({ poll: true })).close();
    await folder.write('.grove/vault.yaml', 'types: [\n');
    const again = await folder.open({ poll: true });
    expect(again.schema.types).toHaveLength(3);
    expect(again.health().remarks.join()).toContain('what was read before stays in force');
    await again.close();
    await folder.remove('.grove/vault.yaml');
    await (await folder.open({ poll: true })).close();
    await folder.write('.grove/vault.yaml', 'types: [\n');
    expect((await folder.open({ poll: true })).schema.types).toEqual([]);
  });

  it('stay when the file becomes a link, which is not followed', async () => {
    await using folder = await temporaryVault({ '.grove/vault.yaml': GOOD, 'A.md': '' });
    const vault = await folder.open({ poll: true });
    await folder.write('.grove/other.yaml', 'types:\n  plant:\n');
    await folder.remove('.grove/vault.yaml');
    await symlink('other.yaml', join(folder.root, '.grove/vault.yaml'));
    await vault.reconcile();
    expect(vault.schema.types).toHaveLength(3);
    expect(vault.health().remarks.join()).toContain('cannot be read (symlink)');
  });

  it.each([
    ['types: [a]\n', /line 1, key "types"/],
    ['types:\n  a:\n    folder: ../b\n', /line 3, key "types\.a\.folder"/],
    ['types:\n  a:\n    folder: /\n', /line 3.*whole vault/],
    ['types:\n  a:\n    template: x/\n', /line 3, key "types\.a\.template"/],
    ['types:\n  a:\n    required:\n      b: []\n', /line 4, key "types\.a\.required\.b"/],
    ['types:\n  a:\n    required:\n      b: {kind: enum}\n', /an enum has "values"/],
    ['types:\n  a:\n    required:\n      b: {kind: date, values: [x]}\n', /an enum has "values"/],
    ['types:\n  a:\n    required: {b: text}\n    optional: {B: text}\n', /both required and optional/],
    ['types:\n  a:\n  A:\n', /differ in case only/],
    ['types:\n  2024:\n    folder: 7\n', /line 3, key "types\.2024\.folder"/],
    ['types:\n  a:\n    required: 5\n', /line 3, key "types\.a\.required"/],
    ['tags_include_type: maybe\n', /line 1, key "tags_include_type"/],
  ])('are refused with line and key: %j', (text, remark) => {
    const reading = readVaultFile(text);
    expect(reading.file).toBeNull();
    expect(reading.remarks.join()).toMatch(remark);
  });

  it('tell slips in keys, with their lines', () => {
    const text =
      'types:\n  a:\n    folders: X\n    required:\n      b: {kind: text, exmaple: y}\njournal:\n  path: D\n';
    const { file, remarks } = readVaultFile(text);
    expect(file).not.toBeNull();
    expect(remarks).toEqual([
      '.grove/vault.yaml: line 7, key "journal.path" is not known and does nothing.',
      '.grove/vault.yaml: line 3, key "types.a.folders" is not known and does nothing.',
      '.grove/vault.yaml: line 5, key "types.a.required.b.exmaple" is not known and does nothing.',
    ]);
  });

  it.each(['types:\n  __proto__:\n    folder: A\n', 'types:\n  a:\n    required:\n      __proto__: text\n'])(
    'hold nothing that would change other objects: %j',
    (text) => {
      readVaultFile(text);
      expect(({} as Record<string, unknown>).folder).toBeUndefined();
    },
  );
});

describe('fitsKind', () => {
  const good: readonly [FieldKind, readonly unknown[]][] = [
    ['text', ['a', 1984]],
    ['number', [1, 2.5]],
    ['boolean', [true, false]],
    ['date', ['2026-11-30']],
    [
      'datetime',
      ['2026-11-30T10:00', '2026-11-30 10:00:30', '2026-11-30T10:00:00Z', '2026-11-30T10:00+01:00'],
    ],
    ['list', [['a'], []]],
    ['link', ['[[Ada]]', '[[Ada|A]]', '[Ada](Ada.md)', 'https://example.org/a', ['[[A]]', '[[B]]']]],
    ['tags', [['a', 'b/c', '#d'], []]],
    ['enum', ['x', 1]],
  ];
  const bad: readonly [FieldKind, readonly unknown[]][] = [
    ['text', [true, ['a'], { a: 1 }]],
    ['number', ['1', true]],
    ['boolean', ['true', 1]],
    ['date', ['2026-02-30', '30.11.2026', '2026-11-30T10:00', 20261130]],
    ['datetime', ['2026-11-30', '2026-11-30T25:00', 'now']],
    ['list', ['a', { a: 1 }]],
    ['link', ['Ada', 'see [[Ada]]', ['[[A]]', 'B'], 7]],
    ['tags', ['a', ['a b'], [{}], ['7']]],
    ['enum', ['X', 'y', ['x']]],
  ];
  const all = (rows: typeof good) =>
    rows.flatMap(([kind, values]) => values.map((value) => [kind, value] as const));

  it.each(all(good))('%s takes %j', (kind, value) => {
    expect(fitsKind(value, kind, ['x', '1'], 'obsidian')).toBe(true);
  });

  it.each(all(bad))('%s does not take %j', (kind, value) => {
    expect(fitsKind(value, kind, ['x', '1'], 'obsidian')).toBe(false);
  });

  it('reads the text of Logseq properties', () => {
    expect(fitsKind('12.5', 'number', [], 'logseq')).toBe(true);
    expect(fitsKind('true', 'boolean', [], 'logseq')).toBe(true);
    expect(fitsKind('[[A]], [[B]]', 'link', [], 'logseq')).toBe(true);
    expect(fitsKind('a, b', 'tags', [], 'logseq')).toBe(true);
    expect(fitsKind('[[2026-11-30]]', 'date', [], 'logseq')).toBe(true);
    expect(fitsKind('soon', 'number', [], 'logseq')).toBe(false);
  });

  it('knows what says nothing', () => {
    expect([null, undefined, '', ' ', [], [''], [null]].every(isEmptyValue)).toBe(true);
    expect([0, false, 'a', ['a'], {}].some(isEmptyValue)).toBe(false);
  });
});
