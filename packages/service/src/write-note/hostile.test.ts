import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { WRITE_ACTIONS } from '@grove/writes';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const NFD = 'Crème brûlée.md'.normalize('NFD');

let vault: TestVault;
let root: string;
beforeAll(async () => {
  vault = await openTestVault(
    {
      'Note.md': '---\nkey: value\n---\n# Note\n\n## Tasks\n\ntext\n',
      [NFD]: 'Sweet pangolin.\n',
      'Latin.md': Buffer.from('caf\u00e9\n', 'latin1'),
      'Folder.md/Inside.md': 'a folder with the name of a note\n',
    },
    { writes: true },
  );
  root = vault.folder.root;
});
afterAll(() => vault.close());

const ok = (input: object) => vault.ok('write_note', input);
const fail = (input: object) => vault.fail('write_note', input);

const hostile = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({
    unit: fc.constantFrom(...'../\\%#^[]{}()*?!|"\'`~&;:,=-+ \n\r\t\u0000\ud800é日🙂abc019'.split('')),
  }),
  fc.constantFrom(
    '[[',
    '#',
    '^',
    '@2',
    '%2e%2e%2f',
    '..%2F..',
    'CON.md',
    '.md',
    '.git/x.md',
    '.trash/x.md',
    '__proto__',
    'constructor',
    '---\na: 1\n---\n',
    '```',
    '<!--',
    '$$',
    '%%',
    '*'.repeat(500),
    '('.repeat(300),
    '漢'.repeat(2_000),
    '\ufeff',
    '{"a":{"$gt":1}}',
    '[1,2',
    'a: [',
    'weekly:9999-W99',
    '0000-00-00',
    '-'.repeat(200),
    'x\u202ey',
  ),
);

const call = fc.record(
  {
    action: fc.constantFrom(...WRITE_ACTIONS, 'other'),
    path: fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom('Note.md', 'Note', 'today', 'New/One.md', 'Note#Tasks') },
      { weight: 2, arbitrary: hostile },
    ),
    section: fc.option(fc.oneof(fc.constant('Tasks'), hostile), { nil: undefined }),
    content: fc.option(hostile, { nil: undefined }),
    frontmatter: fc.option(fc.oneof(hostile, fc.dictionary(hostile, fc.jsonValue())), { nil: undefined }),
    edits: fc.option(
      fc.array(fc.record({ find: hostile, replace: hostile, regex: fc.boolean(), all: fc.boolean() }), {
        maxLength: 3,
      }),
      { nil: undefined },
    ),
    set: fc.option(fc.dictionary(hostile, fc.oneof(hostile, fc.jsonValue())), { nil: undefined }),
    unset: fc.option(fc.array(hostile, { maxLength: 3 }), { nil: undefined }),
    add: fc.option(fc.array(hostile, { maxLength: 3 }), { nil: undefined }),
    remove: fc.option(hostile, { nil: undefined }),
    to: fc.option(hostile, { nil: undefined }),
    if_hash: fc.option(fc.oneof(fc.constant('*'), hostile), { nil: undefined }),
    reason: fc.option(hostile, { nil: undefined }),
  },
  { requiredKeys: ['action', 'path'] },
);

/** What each action takes, so that more calls get to the note. */
const KEPT: Readonly<Record<string, readonly string[]>> = {
  write: ['content', 'frontmatter', 'if_hash'],
  append: ['section', 'content', 'if_hash'],
  prepend: ['section', 'content', 'if_hash'],
  replace: ['section', 'content', 'if_hash'],
  edit: ['section', 'edits', 'if_hash'],
  frontmatter: ['set', 'unset', 'if_hash'],
  tags: ['add', 'remove', 'if_hash'],
};

describe('any call', () => {
  it('is done or refused by one coded error, and never leaves the vault', async () => {
    await fc.assert(
      fc.asyncProperty(call, fc.boolean(), async (input, fitting) => {
        const kept = fitting ? KEPT[input.action] : undefined;
        const sent =
          kept === undefined
            ? input
            : Object.fromEntries(
                Object.entries(input).filter(([name]) =>
                  ['action', 'path', 'reason', ...kept].includes(name),
                ),
              );
        const { error } = await vault.call('write_note', sent);
        expect(error?.code).not.toBe('internal');
        expect(JSON.stringify(error ?? '')).not.toContain(root);
      }),
      { numRuns: 400 },
    );
    // Beside the vault lies the data folder of this test, and nothing else.
    expect(readdirSync(join(root, '..')).sort()).toEqual(['Garden', 'data']);
    // Working files of a write that is under way may lie in `.grove`.
    const hidden = readdirSync(root).filter((name) => name.startsWith('.') && name !== '.grove');
    expect(hidden).toEqual([]);
  });

  it('of deep values ends in an error', async () => {
    const deep = JSON.parse(`${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}`);
    for (const input of [
      { action: 'frontmatter', set: deep },
      { content: 'x', frontmatter: deep, if_hash: '*' },
    ])
      expect((await fail({ path: 'Note.md', ...input })).code).toBe('bad_input');
  });

  it('with a pattern that would take for ever in a backtracking engine ends', async () => {
    await ok({ path: 'Long.md', content: `${'a'.repeat(50_000)}!\n` });
    const edits = [{ find: '(a+)+$', replace: 'x', regex: true, all: true }];
    expect((await fail({ path: 'Long.md', action: 'edit', edits })).code).toBe('edit_no_match');
  });
});

describe('files that are odd', () => {
  it('a decomposed name is the same note by either form, never a twin, and found at once', async () => {
    const path = NFD.normalize('NFC');
    for (const form of [NFD, path])
      await ok({
        path: form,
        action: 'append',
        content: `by ${form === path ? 'composed' : 'decomposed'} quokka`,
      });
    expect(readdirSync(root).filter((name) => name.normalize('NFC') === path)).toEqual([NFD]);
    const { hits } = await vault.ok('query', { query: 'quokka' });
    expect(hits.map((hit: { path: string }) => hit.path)).toEqual([path]);
  });

  it('a name that differs in case only is not made', async () => {
    expect((await fail({ path: 'note.md', content: 'x' })).code).toBe('path_taken');
    expect(readdirSync(root)).not.toContain('note.md');
  });

  it('what is no UTF-8 is left alone', async () => {
    const before = readFileSync(join(root, 'Latin.md'));
    for (const input of [
      { action: 'append', content: 'x' },
      { content: 'x', if_hash: '*' },
    ])
      expect((await fail({ path: 'Latin.md', ...input })).code).toBe('note_not_text');
    expect(readFileSync(join(root, 'Latin.md'))).toEqual(before);
  });

  it('a folder, a link, or a path through a file is refused, and nothing behind it is touched', async () => {
    writeFileSync(join(root, '..', 'data', 'outside.md'), 'outside\n');
    symlinkSync(join(root, '..', 'data', 'outside.md'), join(root, 'Link.md'));
    symlinkSync(join(root, '..', 'data'), join(root, 'Way'));
    mkdirSync(join(root, 'Empty.md'));
    for (const path of [
      'Link.md',
      'Way/outside.md',
      'Way/new.md',
      'Empty.md',
      'Folder.md',
      'Note.md/below.md',
    ])
      expect(['path_refused', 'folder_is_file', 'path_taken', 'bad_path', 'note_not_found']).toContain(
        (await fail({ path, action: 'append', content: 'x' })).code,
      );
    expect(readFileSync(join(root, '..', 'data', 'outside.md'), 'utf8')).toBe('outside\n');
    expect(readdirSync(join(root, '..', 'data'))).not.toContain('new.md');
  });

  it('a file that was deleted meanwhile is not made anew by an append', async () => {
    await ok({ path: 'Gone.md', content: 'here\n' });
    rmSync(join(root, 'Gone.md'));
    expect(
      (await fail({ path: 'Gone.md', action: 'edit', edits: [{ find: 'here', replace: 'x' }] })).code,
    ).toBe('note_not_found');
    expect(readdirSync(root)).not.toContain('Gone.md');
  });
});
