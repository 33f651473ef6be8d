import { chmodSync, chownSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
let ok: (input: object) => ReturnType<TestVault['ok']>;
let fail: (input: object) => ReturnType<TestVault['fail']>;
beforeAll(async () => {
  vault = await openTestVault(
    {
      'Plan.md': '# Plan\n\nquinoa\n',
      'Linker.md': 'See [[Plan]].\n',
      'Deep/er/Note.md': 'deep\r\n',
      'Two.md': 'two\n',
    },
    { writes: true },
  );
  ok = (input) => vault.ok('write_note', input);
  fail = (input) => vault.fail('write_note', input);
});
afterAll(() => vault.close());

const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
const isThere = (path: string): boolean => existsSync(join(vault.folder.root, path));
const hashOf = async (path: string): Promise<string> => (await vault.ok('get', { path })).source_hash;

describe('delete', () => {
  it('needs the hash, and takes the note to the trash, from where the undo call brings it back', async () => {
    expect((await fail({ action: 'delete', path: 'Plan.md' })).code).toBe('hash_required');
    expect((await fail({ action: 'delete', path: 'Plan.md', if_hash: '0123456789abcdef' })).code).toBe(
      'stale_hash',
    );
    const answer = await ok({ action: 'delete', path: 'Plan.md', if_hash: await hashOf('Plan.md') });
    expect(answer).toMatchObject({
      action: 'delete',
      path: 'Plan.md',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      undo: { action: 'restore', path: 'Plan.md', from: { batch: expect.any(String) } },
    });
    expect(answer).not.toHaveProperty('source_hash');
    expect(answer.remarks.join()).toContain('Linker.md');
    expect(isThere('Plan.md')).toBe(false);
    expect(onDisk(`.trash/${answer.undo.from.batch}/Plan.md`)).toBe('# Plan\n\nquinoa\n');
    expect((await vault.fail('get', { path: 'Plan.md' })).code).toBe('note_not_found');
    const found = await vault.ok('query', { query: 'quinoa' });
    expect(found.hits).toEqual([]);
    const back = await ok(answer.undo);
    expect(back).toMatchObject({ action: 'restore', created: true, undo: { action: 'delete' } });
    expect(onDisk('Plan.md')).toBe('# Plan\n\nquinoa\n');
    expect((await ok(answer.undo === back.undo ? {} : { ...back.undo })).action).toBe('delete');
    await ok({ action: 'restore', path: 'Plan.md' });
    expect(onDisk('Plan.md')).toBe('# Plan\n\nquinoa\n');
  });

  it('changes nothing in a dry run', async () => {
    const hash = await hashOf('Two.md');
    const before = isThere('.trash') ? readdirSync(join(vault.folder.root, '.trash')) : [];
    const answer = await ok({ action: 'delete', path: 'Two.md', if_hash: hash, dry_run: true });
    expect(answer).toMatchObject({ dry_run: true, size_before: 4 });
    expect(answer).not.toHaveProperty('undo');
    expect(isThere('Two.md')).toBe(true);
    expect(isThere('.trash') ? readdirSync(join(vault.folder.root, '.trash')) : []).toEqual(before);
  });

  it('puts what one call deletes into one batch, and leaves atomic batches to changes of text', async () => {
    await ok({ path: 'Gone/A.md', content: 'a\n' });
    await ok({ path: 'Gone/B.md', content: 'b\n' });
    const operations = ['Gone/A.md', 'Gone/B.md'].map((path) => ({ action: 'delete', path, if_hash: '*' }));
    expect((await fail({ operations, atomic: true })).code).toBe('batch_refused');
    const { results } = await ok({ operations });
    expect(results[0].undo.from.batch).toBe(results[1].undo.from.batch);
    for (const { undo } of results) await ok(undo);
    expect(onDisk('Gone/A.md') + onDisk('Gone/B.md')).toBe('a\nb\n');
  });
});

describe('what the owner lets become of deleted notes', () => {
  it('deletes: deny refuses, and touches nothing', async () => {
    const kept = await openTestVault(
      { '.grove/vault.yaml': 'deletes: deny\n', 'A.md': 'a\n' },
      { writes: true },
    );
    try {
      for (const dry_run of [false, true])
        expect(
          (await kept.fail('write_note', { action: 'delete', path: 'A.md', if_hash: '*', dry_run })).code,
        ).toBe('delete_denied');
      expect(existsSync(join(kept.folder.root, 'A.md'))).toBe(true);
      expect(existsSync(join(kept.folder.root, '.trash'))).toBe(false);
      // Moving is another matter, and whoever may only add is offered neither.
      await kept.ok('write_note', { action: 'move', path: 'A.md', to: 'Old/', if_hash: '*' });
      const adding = kept.opened.scope(STDIO, undefined, { scopes: ['append'] });
      for (const input of [
        { action: 'delete', path: 'Old/A.md', if_hash: '*' },
        { action: 'move', path: 'Old/A.md', to: 'B.md', if_hash: '*' },
        { action: 'restore', path: 'Old/A.md', if_hash: '*' },
      ])
        expect((await kept.fail('write_note', input, adding)).code).toBe('scope_missing');
      const added = await kept.ok('write_note', { path: 'New.md', content: 'x' }, adding);
      expect(added).not.toHaveProperty('undo');
    } finally {
      await kept.close();
    }
  });
});

describe('restore', () => {
  it('takes no note out of a trash that has none, nor from outside of it', async () => {
    const path = 'Never.md';
    expect((await fail({ action: 'restore', path })).code).toBe('not_in_trash');
    for (const batch of ['../..', '..', 'x', '20261130-120000-abcdef'])
      expect((await fail({ action: 'restore', path, from: { batch } })).code).toBe('not_in_trash');
    for (const revision of ['0000000', 'main', '--all', 'HEAD~90000'])
      expect((await fail({ action: 'restore', path, from: { revision } })).code).toBe('revision_not_found');
    expect((await fail({ action: 'restore', path, from: { other: 'x' } })).code).toBe('bad_input');
  });

  it('takes a commit by its first digits, by HEAD and by what came before, and refuses digits of several', async () => {
    const path = 'Versions.md';
    const made = await ok({ path, content: 'one\n' });
    const second = await ok({ path, action: 'append', content: 'two' });
    const back = async (revision: string, input: object = {}) =>
      await ok({ action: 'restore', path, from: { revision }, if_hash: '*', ...input });
    const digits = second.commit.slice(0, 9);
    expect((await back(`${digits}^`)).content_hash).toBe(made.content_hash);
    expect((await back(digits.toUpperCase())).content_hash).toBe(second.content_hash);
    expect((await back('HEAD^')).content_hash).toBe(made.content_hash);
    expect((await back('head~2')).already_there).toBe(true);
    const { results } = await ok({
      operations: [
        { action: 'restore', path, from: { revision: '0123456' }, if_hash: '*' },
        { action: 'append', path: 'Two.md', content: 'beside' },
      ],
    });
    expect(results[0].error.code).toBe('revision_not_found');
    expect(results[1].commit).toBeDefined();
    await ok(results[1].undo);
  });

  it('answers a repeated call as it did, also where HEAD is another commit by then', async () => {
    const path = 'Again.md';
    await ok({ path, content: 'one\n' });
    await ok({ path, action: 'append', content: 'two' });
    const call = {
      action: 'restore',
      path,
      from: { revision: 'HEAD^' },
      if_hash: '*',
      idempotency_key: 'k-1',
    };
    const first = await ok(call);
    expect(await ok(call)).toMatchObject({ replayed: true, commit: first.commit });
  });

  it('needs the hash of what is there now', async () => {
    const written = await ok({ action: 'append', path: 'Two.md', content: 'more' });
    const from = written.undo.from;
    expect((await fail({ action: 'restore', path: 'Two.md', from })).code).toBe('hash_required');
    await ok({ action: 'append', path: 'Two.md', content: 'and more' });
    expect((await fail(written.undo)).code).toBe('stale_hash');
    const now = await hashOf('Two.md');
    expect(await ok({ action: 'restore', path: 'Two.md', from, if_hash: now })).toMatchObject({
      size_after: 4,
      diff: expect.stringContaining('-and more'),
    });
    expect(onDisk('Two.md')).toBe('two\n');
  });

  it('is what undoes every change of a note, byte for byte', async () => {
    const path = 'Deep/er/Note.md';
    const before = onDisk(path);
    for (const change of [
      { action: 'append', content: 'x' },
      { action: 'edit', edits: [{ find: 'deep', replace: 'high' }] },
      { action: 'frontmatter', set: { a: 1 } },
      { action: 'write', content: 'all new', if_hash: '*' },
    ]) {
      const { undo } = await ok({ path, ...change });
      expect(onDisk(path)).not.toBe(before);
      await ok(undo);
      expect(onDisk(path)).toBe(before);
    }
    const { undo } = await ok({ path: 'Fresh.md', content: 'new' });
    expect(undo).toMatchObject({ action: 'delete' });
    await ok(undo);
    expect(isThere('Fresh.md')).toBe(false);
  });

  it('undoes all that an atomic batch did to a note', async () => {
    const before = onDisk('Two.md');
    const { results } = await ok({
      atomic: true,
      operations: [
        { path: 'Batch.md', content: 'new\n' },
        { path: 'Batch.md', action: 'append', content: 'more' },
        { path: 'Two.md', action: 'append', content: 'one' },
        { path: 'Two.md', action: 'append', content: 'two' },
      ],
    });
    const undos = results.flatMap(({ undo }: { undo?: object }) => undo ?? []);
    expect(undos).toHaveLength(2);
    for (const undo of undos) await ok(undo);
    expect(isThere('Batch.md')).toBe(false);
    expect(onDisk('Two.md')).toBe(before);
  });

  it('says so when nothing is to do', async () => {
    const { commit } = await ok({ path: 'Still.md', content: 'still\n' });
    const again = await ok({
      action: 'restore',
      path: 'Still.md',
      from: { revision: commit.slice(0, 10) },
      if_hash: '*',
    });
    expect(again.already_there).toBe(true);
    expect(again).not.toHaveProperty('undo');
  });
});

describe('a note that comes back', () => {
  const at = (path: string) => join(vault.folder.root, path);
  const modeOf = (path: string): number => statSync(at(path)).mode & 0o777;

  it.each([0o600, 0o640, 0o755, 0o444])('has the mode that it had when it was deleted: %o', async (mode) => {
    const path = `Modes/${mode}.md`;
    await ok({ path, content: 'x\n' });
    chmodSync(at(path), mode);
    const { undo } = await ok({ action: 'delete', path, if_hash: '*' });
    // Nobody else may look into the folder that it lies in.
    expect(modeOf(`.trash/${undo.from.batch}`)).toBe(0o700);
    expect(modeOf(`.trash/${undo.from.batch}/${path}`)).toBe(mode);
    await ok(undo);
    expect(modeOf(path)).toBe(mode);
  });

  it('is executable where its commit has it so, and else as its folder has it', async () => {
    mkdirSync(at('Shared'));
    chmodSync(at('Shared'), 0o2775);
    for (const [path, mode] of [
      ['Shared/Run.md', 0o700],
      ['Shared/Read.md', 0o600],
    ] as const) {
      await ok({ path, content: 'x\n' });
      chmodSync(at(path), mode);
      const { commit } = await ok({ path, action: 'append', content: 'y' });
      await ok({ action: 'delete', path, if_hash: '*' });
      await ok({ action: 'restore', path, from: { revision: commit } });
    }
    expect(modeOf('Shared/Run.md')).toBe(0o775);
    expect(modeOf('Shared/Read.md')).toBe(0o664);
  });

  it.runIf(process.geteuid?.() === 0)('belongs to whom it belonged', async () => {
    const path = 'Owned.md';
    await ok({ path, content: 'x\n' });
    chownSync(at(path), 1234, 2345);
    const { undo } = await ok({ action: 'delete', path, if_hash: '*' });
    await ok(undo);
    expect(statSync(at(path))).toMatchObject({ uid: 1234, gid: 2345 });
  });
});

describeWithPrograms('the trash and git', ['git'], () => {
  it('keeps the trash out of the history, and the repository in order', async () => {
    const tracked = await openTestVault(
      { 'A.md': 'a\n', 'b/B.md': 'b\n' },
      { writes: true, prepare: (root) => void SystemGit.init(root).commit('First') },
    );
    try {
      const git = new SystemGit(tracked.folder.root);
      const { undo } = await tracked.ok('write_note', { action: 'delete', path: 'b/B.md', if_hash: '*' });
      await tracked.opened.writes.settled();
      expect(git.run('status', '--porcelain')).toBe('');
      expect(git.run('ls-tree', '-r', '--name-only', 'HEAD').trim()).toBe('A.md');
      await tracked.ok('write_note', undo);
      await tracked.opened.writes.settled();
      expect(git.run('status', '--porcelain')).toBe('');
      expect(git.run('log', '--format=%s', '-2').trim()).toBe('Restore b/B.md\nDelete b/B.md');
      expect(git.run('log', '--name-only', '--format=')).not.toContain('trash');
      expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
    } finally {
      await tracked.close();
    }
  });
});
