import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { NO_TRAIL_RULES } from '@grove/trails';
import { allowAll, parsePathRule } from '@grove/vault';
import { afterEach, describe, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { callChecked, type Loose, openTestVault, type TestVault } from '../testing/opened.ts';
import type { Files } from '../testing/vault-folder.ts';
import type { OpenOwnedVaultOptions } from '../workspace/opened-vault.ts';
import { discover } from './operation.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
const WRITE = { scopes: ['write'] } as const;

let vault: TestVault;
let owner: Scope;
afterEach(() => vault.close());

const NOTES: Files = {
  '.obsidian/app.json': '{}',
  'Compost.md': '# Compost\n\nAsk Ada Lovelace.\n',
  'Ada Lovelace.md': '# Ada\n',
  'Log.md': '# Log\r\n\r\nCompost from Ada Lovelace; compost.\r\n',
};

async function open(files: Files = NOTES, options: Partial<OpenOwnedVaultOptions> = {}): Promise<void> {
  vault = await openTestVault(files, { writes: true, ...options });
  owner = vault.opened.scope(OWNER, undefined, WRITE);
}

async function done(input: object, scope = owner): Promise<Loose> {
  const { structured, error, text } = await callChecked(discover, scope, input);
  expect(error, text).toBeNull();
  return structured;
}

const refused = async (input: object, scope = owner): Promise<unknown> =>
  (await callChecked(discover, scope, input)).error?.code;
const text = (path: string): Promise<string> => readFile(join(vault.folder.root, path), 'utf8');
const write = (input: object): Promise<Loose> => vault.ok('write_note', input);
const LINKED = '# Log\r\n\r\n[[Compost]] from [[Ada Lovelace]]; compost.\r\n';

describe('links on request', () => {
  it('are told in a dry run, added to one note or all, and not again', async () => {
    await open();
    const dry = await callChecked(discover, owner, { path: 'log', dry_run: true });
    expect(dry.text).toBe(
      'Would be added: 2 links in 1 note.\n- Log.md\n  - line 3: "Compost", [[Compost]]\n  - line 3: "Ada Lovelace", [[Ada Lovelace]]',
    );
    expect([dry.structured.commits, await text('Log.md')]).toEqual([[], NOTES['Log.md']]);
    const one = await done({ path: 'log' });
    expect(one).toMatchObject({
      links: 2,
      notes_total: 1,
      commits: [expect.stringMatching(/^[0-9a-f]{40}$/)],
    });
    expect(await text('Log.md')).toBe(LINKED);
    const all = await done({ all: true });
    expect(all.notes.map(({ path }: Loose) => path)).toEqual(['Compost.md']);
    expect(await done({ all: true })).toMatchObject({ links: 0, commits: [] });
    expect((await callChecked(discover, owner, { all: true })).text).toBe('There is nothing to link.');
  });

  it('keep the hash that a client has of the note', async () => {
    await open();
    const { source_hash } = await vault.ok('get', { path: 'Log.md' });
    await done({ path: 'Log.md' });
    await write({ path: 'Log.md', content: 'New.', overwrite: true, if_hash: source_hash });
    expect(await text('Log.md')).toBe('New.\r\n');
  });

  it('are for the owner alone, who has writing on', async () => {
    await open();
    const key = vault.opened.scope({ kind: 'key', id: 'k', name: 'Key' }, undefined, WRITE);
    expect(await refused({ all: true }, key)).toBe('scope_missing');
    expect(await refused({ path: 'Nothing' })).toBe('note_not_found');
    expect([await refused({}), await refused({ path: 'Log', all: true })]).toEqual([
      'bad_input',
      'bad_input',
    ]);
    await vault.opened.writes.switch(false);
    expect(await refused({ all: true })).toBe('writes_off');
    expect(await done({ all: true, dry_run: true })).toMatchObject({ links: 3 });
  });

  it('lead from no note that a trail shows to one that it hides, and are refused where nobody knows', async () => {
    const trail = { ...NO_TRAIL_RULES, allowPaths: ['Log.md', 'Compost.md'] };
    await open(NOTES, { trails: () => [trail] });
    const dry = await done({ all: true, dry_run: true });
    expect(dry.notes).toMatchObject([{ path: 'Log.md', links: [{ link: '[[Compost]]' }] }]);
    await vault.close();
    await open(NOTES, { trails: () => null });
    expect(await refused({ all: true })).toBe('writes_unavailable');
  });

  it('leave a note that git does not take, and say so', async () => {
    await open({ ...NOTES, '.gitignore': 'Ignored.md\n', 'Ignored.md': 'Compost.\n' });
    const all = await done({ all: true });
    expect(all).toMatchObject({ links: 3, left: [{ path: 'Ignored.md' }] });
    expect(await text('Ignored.md')).toBe('Compost.\n');
    expect(await text('Log.md')).toBe(LINKED);
  });

  it('leave notes that rules keep from being written, and say so', async () => {
    await open();
    const rules = { ...allowAll, writePaths: [parsePathRule('Elsewhere')] };
    const narrow = vault.opened.scope(OWNER, rules, WRITE);
    expect(await done({ path: 'Log' }, narrow)).toMatchObject({ links: 0, left: [{ path: 'Log.md' }] });
  });
});

it('many notes take several calls, each of which says where to go on', async () => {
  const many = Object.fromEntries(
    Array.from({ length: 60 }, (_, at) => [`Days/${at + 10}.md`, 'Of compost.\n']),
  );
  // Were it linked nowhere, it would be a word like others.
  const linked = Object.fromEntries(
    Array.from({ length: 30 }, (_, at) => [`Old/${at + 10}.md`, '[[Compost]]\n']),
  );
  await open({ ...NOTES, ...many, ...linked });
  const by = { view: owner.view, policy: owner.writable };
  const paths = owner.view.notes().map(({ path }) => path);
  const wish = { dryRun: false, patienceMs: 0 };
  const first = await owner.writes.notes!.discover(by, { ...wish, paths });
  expect(first.next).toBe(paths[50]);
  const second = await done({ all: true, from: first.next });
  expect(first.notes.length + second.notes_total).toBe(62);
  const back = await owner.undoDiscovery!({ ...wish, path: null, from: null });
  expect(back.next).toMatch(/^Days\//);
  expect(await done({ undo: true, from: back.next })).toMatchObject({ notes_total: 12 });
  expect(await done({ undo: true })).toMatchObject({ notes_total: 0 });
  expect(await text('Days/69.md')).toBe('Of compost.\n');
});

describe('links taken back', () => {
  it('give every byte back, in all notes or in one, and the hashes stay', async () => {
    await open();
    const { source_hash } = await vault.ok('get', { path: 'Log.md' });
    await done({ all: true });
    expect(await done({ undo: true, dry_run: true })).toMatchObject({ links: 3, commits: [] });
    expect(await text('Log.md')).toBe(LINKED);
    const one = await done({ undo: true, path: 'Log' });
    expect(one.notes).toMatchObject([{ path: 'Log.md', links_total: 2 }]);
    expect(await text('Log.md')).toBe(NOTES['Log.md']);
    expect(await text('Compost.md')).toContain('[[Ada Lovelace]]');
    await done({ undo: true });
    for (const path of ['Log.md', 'Compost.md']) expect(await text(path)).toBe(NOTES[path]);
    expect(await vault.ok('get', { path: 'Log.md' })).toMatchObject({
      source_hash,
      content_hash: source_hash,
    });
    expect(await done({ undo: true })).toMatchObject({ links: 0, commits: [] });
    const { commits } = await vault.ok('vault_status', { mode: 'history', path: 'Log.md' });
    expect(commits[0]).toMatchObject({ author: 'Grove', operation: 'undo discovery', mechanical: true });
  });

  it('leave what people wrote: links of their own, and those whose surroundings are others now', async () => {
    await open({
      ...NOTES,
      'Peat.md': '',
      'Own.md': 'See [[Compost]] and peat.\n',
      'Two.md': 'Of compost, of peat.\n',
    });
    await done({ all: true });
    await write({ path: 'Log.md', action: 'append', content: 'A [[Compost]] of mine.' });
    await write({
      path: 'Two.md',
      action: 'edit',
      edits: [{ find: 'Of [[Compost|compost]], of', replace: 'A new [[Compost|compost]]: of good' }],
    });
    const back = await done({ undo: true });
    expect(await text('Own.md')).toBe('See [[Compost]] and peat.\n');
    expect(await text('Log.md')).toBe(`${NOTES['Log.md']}\r\nA [[Compost]] of mine.\r\n`);
    expect(await text('Two.md')).toBe('A new [[Compost|compost]]: of good [[Peat|peat]].\n');
    expect(back.left).toMatchObject([
      { path: 'Two.md', reason: expect.stringContaining('[[Compost|compost]] and [[Peat|peat]]') },
    ]);
  });

  it.each([
    [
      'the same name linked at the start of another line',
      'Peat stands here first.\n',
      '[[Peat]] was linked by me.\n\n[[Peat]] stands here first.\n',
      '[[Peat]] was linked by me.\n\nPeat stands here first.\n',
      [],
    ],
    [
      'a line in the place of the linked one',
      'Peat stands here.\n',
      'Nothing here.\n[[Peat]] is mine.\n',
      'Nothing here.\n[[Peat]] is mine.\n',
      ['Note.md'],
    ],
    [
      'a list with the same end',
      '- Peat\n- other\n',
      '- my [[Peat]]\n- [[Peat]]\n',
      '- my [[Peat]]\n- Peat\n',
      [],
    ],
    [
      'a line that is the same',
      '- Peat\n- other\n',
      '- [[Peat]]\n- other\n- [[Peat]]\n',
      '- [[Peat]]\n- other\n- [[Peat]]\n',
      ['Note.md'],
    ],
    [
      'a long line that was written on, far from the link',
      `${'So many words. '.repeat(5)}Of Peat: ${'so many words. '.repeat(5)}\n`,
      `More. ${'So many words. '.repeat(5)}Of [[Peat]]: ${'so many words. '.repeat(5)}More.\n`,
      `More. ${'So many words. '.repeat(5)}Of Peat: ${'so many words. '.repeat(5)}More.\n`,
      [],
    ],
  ])('are told from what people wrote: %s', async (_, before, edited, after, left) => {
    await open({ ...NOTES, 'Peat.md': '', 'Note.md': before });
    await done({ path: 'Note' });
    expect(await text('Note.md')).toContain('[[Peat]]');
    await write({ path: 'Note.md', content: edited, overwrite: true, if_hash: '*' });
    const back = await done({ undo: true });
    expect(await text('Note.md')).toBe(after);
    expect(back.left.map(({ path }: Loose) => path)).toEqual(left);
  });

  it('do not go twice: what somebody links by hand after that stays', async () => {
    await open();
    await done({ path: 'Log' });
    await done({ undo: true });
    await write({
      path: 'Log.md',
      action: 'edit',
      edits: [{ find: 'Compost from', replace: '[[Compost]] from' }],
    });
    expect(await done({ undo: true })).toMatchObject({ links: 0 });
    await done({ path: 'Log' });
    expect(await done({ undo: true })).toMatchObject({ links: 1 });
    expect(await text('Log.md')).toBe('# Log\r\n\r\n[[Compost]] from Ada Lovelace; compost.\r\n');
  });

  it('are found where the note lies now', async () => {
    await open({ ...NOTES, 'In/Plan.md': 'Some compost. [log](../Log.md)\n' });
    await done({ all: true });
    await write({ path: 'Log.md', action: 'move', to: 'Old/Log.md', if_hash: '*' });
    await write({ path: 'In/Plan.md', action: 'move', to: 'Plan.md', if_hash: '*' });
    await done({ undo: true });
    expect(await text('Old/Log.md')).toBe(NOTES['Log.md']);
    expect(await text('Plan.md')).toBe('Some compost. [log](Old/Log.md)\n');
  });

  it('take the definitions of Foam with them', async () => {
    const marks = [
      '[//begin]: # "Autogenerated link references for markdown compatibility"',
      '[//end]: # "Autogenerated link references"',
    ];
    const files = {
      '.foam/x.json': '{}',
      'Compost.md': '# Compost\n',
      'Peat.md': '# Peat\n',
      'Log.md': `[[Peat]] and compost.\n\n${marks[0]}\n[Peat]: Peat.md "Peat"\n${marks[1]}\n`,
    };
    await open(files);
    await done({ path: 'Log.md' });
    expect(await text('Log.md')).toContain('[Compost|compost]: Compost.md "Compost"\n');
    await done({ undo: true });
    expect(await text('Log.md')).toBe(files['Log.md']);
  });

  it('leave all other definitions of Foam, used or not, and tell no trail of a note that it hides', async () => {
    const files = {
      '.foam/x.json': '{}',
      'Compost.md': '# Compost\n',
      'Hidden.md': '# The hidden title\n',
      'Log.md':
        '[[Hidden]] and compost.\n\n[//begin]: # "x"\n[Old]: Old.md "Old"\n[//end]: # "y"\n[mine]: https://me.example',
    };
    await open(files, { trails: () => [{ ...NO_TRAIL_RULES, allowPaths: ['Log.md', 'Compost.md'] }] });
    await done({ all: true });
    expect(await text('Log.md')).toBe(
      files['Log.md']
        .replace('and compost', 'and [[Compost|compost]]')
        .replace('[//end]', '[Compost|compost]: Compost.md "Compost"\n[//end]'),
    );
    await done({ undo: true });
    expect(await text('Log.md')).toBe(files['Log.md']);
  });

  it.each(['', '\n', '\r\n'])('take the definition that ends a note with them, before %j', async (end) => {
    const log = `[[Peat]] and "heap".\n\n[Peat]: Peat.md "Peat"${end}`;
    await open({
      '.foam/x.json': '{}',
      'Peat.md': '# Peat\n',
      'Heap.md': '---\ntitle: A "heap"\n---\n',
      'In/x.md': '',
      'Log.md': log,
    });
    await done({ path: 'Log' });
    expect(await text('Log.md')).toContain('[Heap|heap]: Heap.md "A \\"heap\\""');
    await write({ path: 'Log.md', action: 'move', to: 'In/Log.md', if_hash: '*' });
    expect(await text('In/Log.md')).toContain('[Heap|heap]: ../Heap.md');
    await done({ undo: true });
    expect(await text('In/Log.md')).toBe(log.replace('Peat.md', '../Peat.md'));
  });

  it('keep the definition of a link that stands elsewhere too', async () => {
    const log = '[[Peat]] and compost.\n\n[Peat]: Peat.md "Peat"\n';
    await open({ '.foam/x.json': '{}', 'Peat.md': '', 'Compost.md': '', 'Log.md': log });
    await done({ path: 'Log' });
    const edits = [{ find: 'compost]].', replace: 'compost]].\n\nMy [[Compost|compost]].' }];
    await write({ path: 'Log.md', action: 'edit', edits });
    await done({ undo: true });
    expect(await text('Log.md')).toBe(
      '[[Peat]] and compost.\n\nMy [[Compost|compost]].\n\n[Peat]: Peat.md "Peat"\n[Compost|compost]: Compost.md "Compost"\n',
    );
  });

  it('work while writing is off, and are for the owner alone who sees all', async () => {
    await open();
    await done({ all: true });
    await vault.opened.writes.switch(false);
    const rules = { ...allowAll, denyPaths: [parsePathRule('Compost.md')] };
    expect(await refused({ undo: true }, vault.opened.scope(OWNER, rules, WRITE))).toBe('writes_unavailable');
    expect(await done({ undo: true })).toMatchObject({ links: 3 });
  });
});
