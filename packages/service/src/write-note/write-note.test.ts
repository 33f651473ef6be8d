import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Scope } from '../contract.ts';
import { operationsFor } from '../operations.ts';
import { GARDEN } from '../testing/garden.ts';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
let ok: (input: object, scope?: Scope) => ReturnType<TestVault['ok']>;
let fail: (input: object, scope?: Scope) => ReturnType<TestVault['fail']>;
beforeAll(async () => {
  vault = await openTestVault(
    {
      ...GARDEN,
      'Templates/Day.md': '---\ntags: [day]\n---\n# {{title}}\n\nStarted {{time}}\n\n## Log\n',
      '.obsidian/daily-notes.json': '{"folder": "Journal", "template": "Templates/Day"}',
    },
    { writes: true },
  );
  ok = (input, scope) => vault.ok('write_note', input, scope);
  fail = (input, scope) => vault.fail('write_note', input, scope);
});
afterAll(() => vault.close());

const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');

/** A new note for one test. */
let count = 0;
const fresh = async (content: string): Promise<{ path: string; hash: string }> => {
  count += 1;
  const path = `Fresh/Note ${count}.md`;
  return { path, hash: (await ok({ path, content })).source_hash };
};

describe('tags', () => {
  it('that cannot be written are told apart from those that are there already', async () => {
    const { path } = await fresh('---\ntags: [soil]\n---\nText\n');
    const told = async (add: string[]) =>
      (await vault.call('write_note', { path, action: 'tags', add })).text.split('\n', 1)[0];
    expect(await told(['soil'])).toMatch(/^Already there, nothing was written: /);
    expect(await told(['two words'])).toMatch(/^Nothing was written: /);
  });
});

describe('write', () => {
  it('creates a note, which is found at once and read with the same hashes', async () => {
    const answer = await ok({
      path: 'New/Quinoa.md',
      content: '# Quinoa\n\nGrows on poor soil, says zebra.\n',
    });
    expect(answer).toMatchObject({
      action: 'write',
      path: 'New/Quinoa.md',
      created: true,
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      source_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
      size_after: onDisk('New/Quinoa.md').length,
      link: expect.stringContaining('obsidian://'),
    });
    expect(answer).not.toHaveProperty('size_before');
    expect(answer.diff).toContain('+# Quinoa');
    const { hits } = await vault.ok('query', { query: 'zebra' });
    expect(hits.map((hit: { path: string }) => hit.path)).toEqual(['New/Quinoa.md']);
    expect(await vault.ok('get', { path: 'Quinoa' })).toMatchObject({
      source_hash: answer.source_hash,
      content_hash: answer.content_hash,
    });
  });

  it('needs the hash of the note that it replaces, and keeps its frontmatter', async () => {
    const { path } = await fresh('---\nkind: old # keep me\n---\nFirst text.\n');
    expect(await fail({ path, content: 'Second.' })).toMatchObject({ code: 'hash_required', path });
    const { source_hash } = await vault.ok('get', { path });
    await ok({ path, content: 'Second text.', if_hash: source_hash });
    expect(onDisk(path)).toBe('---\nkind: old # keep me\n---\nSecond text.\n');
    expect(await fail({ path, content: 'Third.', if_hash: source_hash })).toMatchObject({
      code: 'stale_hash',
    });
    await ok({ path, content: 'Third text.', if_hash: '*' });
    expect(onDisk(path)).toContain('Third text.');
  });

  it('is refused with a pointer to edit when most of a note would go', async () => {
    const text = Array.from({ length: 30 }, (_, at) => `Line ${at} of the note.`).join('\n');
    const { path, hash } = await fresh(`${text}\n`);
    const error = await fail({ path, content: 'Line 1 of the note.\n', if_hash: hash });
    expect(error.code).toBe('would_shrink');
    expect(error.next).toContain('edit');
    expect(onDisk(path)).toBe(`${text}\n`);
    await ok({ path, content: 'Line 1 of the note.\n', if_hash: hash, overwrite: true });
    expect(onDisk(path)).toBe('Line 1 of the note.\n');
  });

  it('writes the same text twice as nothing', async () => {
    const { path, hash } = await fresh('Same.\n');
    const again = await ok({ path, content: 'Same.\n', if_hash: hash });
    expect(again).toMatchObject({ already_there: true, source_hash: hash });
    expect(again).not.toHaveProperty('commit');
  });

  it('makes frontmatter', async () => {
    count += 1;
    const path = `Fresh/Front ${count}.md`;
    await ok({ path, content: 'Body.\n', frontmatter: { type: 'plant', due: '2026-12-01' } });
    expect(await vault.ok('get', { path })).toMatchObject({
      frontmatter: { type: 'plant', due: '2026-12-01' },
      content: 'Body.\n',
    });
    const { source_hash } = await vault.ok('get', { path });
    await ok({ path, frontmatter: { type: 'bed' }, if_hash: source_hash });
    expect(onDisk(path)).toMatch(/^---\ntype: bed\n---\nBody.\n$/);
    expect((await fail({ path: 'Fresh/None.md' })).message).toContain('"content" is missing');
  });

  it('creates only where nothing is when that is asked for', async () => {
    const { path } = await fresh('One.\n');
    expect((await fail({ path, content: 'Two.', create_only: true, if_hash: '*' })).code).toBe('note_exists');
    expect((await fail({ path: 'Fresh/Nothing.md', content: 'x', if_hash: '*' })).code).toBe('stale_hash');
  });
});

describe('append and prepend', () => {
  it('need no hash, and say when the text is there already', async () => {
    const { path } = await fresh('# Log\n\n- one\n');
    const first = await ok({ path, action: 'append', content: '- two' });
    expect(onDisk(path)).toBe('# Log\n\n- one\n- two\n');
    expect(first.diff).toContain('+- two');
    const again = await ok({ path, action: 'append', content: '- two' });
    expect(again).toMatchObject({ already_there: true });
    await ok({ path, action: 'append', content: '- two', repeat: true });
    expect(onDisk(path)).toBe('# Log\n\n- one\n- two\n- two\n');
  });

  it('append a text again that was taken out since, however soon', async () => {
    const { path } = await fresh('- one\n');
    await ok({ path, action: 'append', content: '- mine' });
    await ok({ path, action: 'edit', edits: [{ find: '- mine\n', replace: '' }] });
    expect(await ok({ path, action: 'append', content: '- mine' })).not.toHaveProperty('already_there');
    expect(onDisk(path)).toBe('- one\n- mine\n');
  });

  it('append a text once when it is sent twice within two minutes, though others wrote after it', async () => {
    const { path } = await fresh('- one\n');
    await ok({ path, action: 'append', content: '- mine' });
    await ok({ path, action: 'append', content: '- another' });
    expect(await ok({ path, action: 'append', content: '- mine' })).toMatchObject({ already_there: true });
    expect(onDisk(path)).toBe('- one\n- mine\n- another\n');
    const other = vault.opened.scope({ kind: 'key', id: 'k_2', name: 'two' }, undefined, {
      scopes: ['write'],
    });
    await ok({ path, action: 'append', content: '- mine' }, other);
    expect(onDisk(path)).toBe('- one\n- mine\n- another\n- mine\n');
  });

  it('a text that was refused may be sent again at once', async () => {
    const { path } = await fresh('- one\n');
    await fail({ path, action: 'append', content: '- mine', if_hash: '0000000000000000' });
    await ok({ path, action: 'append', content: '- mine', dry_run: true });
    expect(await ok({ path, action: 'append', content: '- mine' })).not.toHaveProperty('already_there');
    expect(onDisk(path)).toBe('- one\n- mine\n');
  });

  it('go into a section, which is never made by a slip', async () => {
    const { path } = await fresh('# Plan\n\n## Tasks\n\n- one\n\n## Notes\n');
    await ok({ path, action: 'append', section: 'Tasks', content: '- two' });
    await ok({ path: `${path}#Notes`, action: 'prepend', content: 'First.' });
    const before = onDisk(path);
    expect(before).toContain('- one\n- two\n\n## Notes\n\nFirst.');
    const error = await fail({ path, action: 'append', section: 'Task', content: '- three' });
    expect(error).toMatchObject({ code: 'section_not_found', nearest: expect.arrayContaining(['Tasks']) });
    expect(error.next).toContain('create_section: true');
    expect(onDisk(path)).toBe(before);
    await ok({ path, action: 'append', section: 'Later', content: '- three', create_section: true });
    expect(onDisk(path)).toContain('## Later\n\n- three\n');
  });

  it('make the daily note from its template', async () => {
    const answer = await ok({
      path: 'today',
      action: 'append',
      section: 'Log',
      content: 'Sowed beans',
      timestamp: true,
    });
    expect(answer).toMatchObject({ path: 'Journal/2026-11-30.md', created: true });
    const text = onDisk('Journal/2026-11-30.md');
    expect(text).toMatch(
      /^---\ntags: \[day\]\n---\n# 2026-11-30\n\nStarted \d\d:\d\d\n\n## Log\n\n- \d\d:\d\d Sowed beans\n$/,
    );
    await ok({ path: '2026-12-01' });
    expect(onDisk('Journal/2026-12-01.md')).toContain('# 2026-12-01');
  });

  it('make a note that has a path', async () => {
    await ok({ path: 'Fresh/Appended.md', action: 'append', content: 'First words.' });
    expect(onDisk('Fresh/Appended.md')).toBe('First words.\n');
    expect(await fail({ path: 'Tomatos', action: 'append', content: 'x' })).toMatchObject({
      code: 'note_not_found',
      nearest: ['Tomatoes.md'],
      next: expect.stringContaining('"Tomatos.md"'),
    });
  });
});

describe('replace', () => {
  it('takes the hash of the section, and changes nothing else', async () => {
    const { path } = await fresh('# A\r\n\r\n## One\r\n\r\nold\r\n\r\n## Two\r\n\r\nkeep  \r\n');
    const { section_hash } = await vault.ok('get', { path, section: 'One' });
    await ok({ path, action: 'replace', section: 'One', content: 'new', if_hash: section_hash });
    expect(onDisk(path)).toBe('# A\r\n\r\n## One\r\n\r\nnew\r\n\r\n## Two\r\n\r\nkeep  \r\n');
    expect(
      (await fail({ path, action: 'replace', section: 'One', content: 'x', if_hash: section_hash })).code,
    ).toBe('stale_hash');
    expect((await fail({ path, action: 'replace', section: 'One', content: 'x' })).code).toBe(
      'hash_required',
    );
  });

  it('names the candidates among equal headings, as reading does', async () => {
    const error = await fail({
      path: 'Tomatoes',
      action: 'replace',
      section: 'Tasks',
      content: 'x',
      if_hash: '*',
    });
    const read = await vault.fail('get', { path: 'Tomatoes', section: 'Tasks' });
    expect(error.code).toBe('section_ambiguous');
    expect(error.candidates).toEqual(read.candidates);
  });

  it('does not drop subsections unless told', async () => {
    const { path, hash } = await fresh('# A\n\n## One\n\ntext\n\n### Sub\n\ndeep\n');
    const call = { path, action: 'replace', section: 'One', content: 'new', if_hash: hash };
    expect((await fail(call)).code).toBe('would_drop_subsections');
    await ok({ ...call, subsections: false });
    expect(onDisk(path)).toBe('# A\n\n## One\n\nnew\n\n### Sub\n\ndeep\n');
  });
});

describe('edit, frontmatter and tags', () => {
  it('edit what they name', async () => {
    const { path } = await fresh('---\ncolor: red\n---\nThe red barn.\n');
    expect((await ok({ path, action: 'edit', edits: [{ find: 'red', replace: 'blue' }] })).diff).toContain(
      '+The blue barn.',
    );
    expect(onDisk(path)).toBe('---\ncolor: red\n---\nThe blue barn.\n');
    const miss = await fail({ path, action: 'edit', edits: [{ find: 'The blu barn', replace: 'x' }] });
    expect(miss.code).toBe('edit_no_match');
    expect(JSON.stringify(miss.nearest)).toContain('The blue barn.');
    expect((await fail({ path, action: 'edit', edits: [{ find: 'b', replace: 'x' }] })).code).toBe(
      'edit_ambiguous',
    );
  });

  it('change one key and leave the others as they are written', async () => {
    const { path } = await fresh("---\na: 'x' # why\ndate: 2026-01-02\nlist: [1,  2]\n---\nBody\n");
    await ok({ path, action: 'frontmatter', set: { date: '2026-03-04' }, unset: ['nothing'] });
    expect(onDisk(path)).toBe("---\na: 'x' # why\ndate: 2026-03-04\nlist: [1,  2]\n---\nBody\n");
    expect((await fail({ path: 'Broken', action: 'frontmatter', set: { a: 1 } })).code).toBe(
      'frontmatter_broken',
    );
  });

  it('change tags and tell what was done', async () => {
    const { path } = await fresh('---\ntags: [one]\n---\nBody\n');
    const answer = await ok({ path, action: 'tags', add: ['two', 'one'], remove: ['none'] });
    expect(answer.applied).toEqual([{ tag: 'two', action: 'add', location: 'frontmatter' }]);
    expect(answer.skipped.map(({ tag, reason }: Record<string, string>) => [tag, reason])).toEqual([
      ['none', 'not_there'],
      ['one', 'already_there'],
    ]);
    expect((await vault.ok('get', { path })).tags).toEqual(['one', 'two']);
  });
});

describe('the tools that read', () => {
  it('change nothing, not even for a note that is not there', async () => {
    await vault.opened.vault.reconcile();
    const before = await vault.ok('list_notes', { sort: 'path', limit: 200 });
    for (const [name, input] of [
      ['get', { path: 'tomorrow' }],
      ['get', { path: 'Nothing/Here.md' }],
      ['multi_get', { paths: ['Tomatoes', 'Nothing.md'] }],
      ['query', { query: 'compost' }],
      ['list_notes', { of: 'tags' }],
      ['vault_status', {}],
    ] as const)
      await vault.call(name, input);
    await vault.opened.vault.reconcile();
    expect(await vault.ok('list_notes', { sort: 'path', limit: 200 })).toEqual(before);
  });
});

describe('a dry run', () => {
  it('tells what would be and changes nothing', async () => {
    const { path } = await fresh('# A\n');
    const answer = await ok({ path, action: 'append', content: 'More.', dry_run: true });
    expect(answer).toMatchObject({ dry_run: true, diff: expect.stringContaining('+More.') });
    expect(answer).not.toHaveProperty('commit');
    expect(answer).not.toHaveProperty('source_hash');
    expect(onDisk(path)).toBe('# A\n');
    const made = await ok({ path: 'Fresh/Never.md', content: 'x', dry_run: true });
    expect(made).toMatchObject({ created: true, dry_run: true });
    expect((await vault.fail('get', { path: 'Fresh/Never.md' })).code).toBe('note_not_found');
    expect((await fail({ path: 'tomatoes.md', content: 'x', dry_run: true })).code).toBe('path_taken');
  });

  it('is refused whatever the write would be refused', async () => {
    writeFileSync(join(vault.folder.root, '.gitignore'), 'Ignored/\n');
    writeFileSync(join(vault.folder.root, '.gitattributes'), 'Filtered/** filter=lfs\n');
    const { path } = await fresh('x\n');
    for (const [other, code] of [
      ['Ignored/New.md', 'git_ignored'],
      ['Filtered/New.md', 'git_filter_unsupported'],
      [`${path}/New.md`, 'folder_is_file'],
    ] as const)
      for (const dry_run of [true, false]) {
        expect([other, (await fail({ path: other, content: 'x', dry_run })).code]).toEqual([other, code]);
        const move = { action: 'move', path, to: other, if_hash: '*', dry_run };
        expect([other, (await fail(move)).code]).toEqual([other, code]);
      }
    rmSync(join(vault.folder.root, '.gitignore'));
    rmSync(join(vault.folder.root, '.gitattributes'));
  });
});

describe('the list of tools', () => {
  const names = (scope: Scope) => operationsFor(scope).map(({ name }) => name);
  const actions = (scope: Scope) => {
    const schema = operationsFor(scope).find(({ name }) => name === 'write_note')?.inputSchema;
    return (schema?.properties as { action?: { enum: string[] } } | undefined)?.action?.enum;
  };
  const scopeOf = (...scopes: ('read' | 'append' | 'write' | 'admin')[]) =>
    vault.opened.scope(STDIO, undefined, { scopes });

  it('shows write_note to who may write, with what they may do', () => {
    expect(names(scopeOf('write'))).toEqual([
      'query',
      'get',
      'multi_get',
      'write_note',
      'list_notes',
      'vault_status',
    ]);
    expect(actions(scopeOf('append', 'read'))).toEqual(['write', 'append', 'prepend']);
    expect(actions(scopeOf('write'))).toEqual(expect.arrayContaining(['edit', 'move', 'delete', 'restore']));
    for (const scope of [scopeOf(), scopeOf('read'), scopeOf('admin'), vault.opened.scope(STDIO)])
      expect(names(scope)).not.toContain('write_note');
  });
});
