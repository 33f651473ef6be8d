import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { parsePathRule } from '@grove/vault';
import { afterEach, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
afterEach(() => vault.close());
const open = async (files: Record<string, string>): Promise<void> => {
  vault = await openTestVault(files, { writes: true });
};
const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
const move = (path: string, to: string, more: object = {}) =>
  vault.ok('write_note', { action: 'move', path, to, if_hash: '*', ...more });

describe('move', () => {
  it('keeps a note as private as it was', async () => {
    await open({ 'Plan.md': '# Plan\n' });
    chmodSync(join(vault.folder.root, 'Plan.md'), 0o600);
    await move('Plan.md', 'Area/Plan.md');
    expect(statSync(join(vault.folder.root, 'Area/Plan.md')).mode & 0o777).toBe(0o600);
  });

  it('leaves it as old as it was, also where its own links are written anew', async () => {
    let now = Date.parse('2026-11-30T12:00:00Z');
    vault = await openTestVault({ 'B.md': 'b\n' }, { writes: true, clock: { now: () => now } });
    await vault.ok('write_note', { path: 'sub/A.md', content: '[b](../B.md)\n' });
    // Takes up what HEAD names now.
    const ofHistory = async (path: string) => {
      await vault.ok('vault_status', { mode: 'history' });
      return await vault.ok('get', { path });
    };
    const { created } = await ofHistory('sub/A.md');
    expect(Date.parse(created)).toBe(now);
    now += 3_600_000;
    expect((await move('sub/A.md', 'New.md')).diff).toContain('+[b](B.md)');
    expect(await ofHistory('New.md')).toMatchObject({ created });
  });

  it('mends every form of link in the same commit, heading, block and label kept', async () => {
    await open({
      'Plan.md': '# Plan\n## Goals\ntext ^b1\n',
      'Links.md': [
        '---',
        'up: "[[Plan]]"',
        'list:',
        "  - '[[Plan#Goals|g]]'",
        'bare: [[Plan]]',
        '---',
        'See [[Plan]], [[Plan#Goals]], [[Plan#^b1|block]], ![[Plan]] and [[plan|p]].',
        '[a](Plan.md) [b](./Plan.md#Goals "t") [c](/Plan.md) [d](<Plan.md>) [e][ref] ![f](Plan.md)',
        '| [[Plan\\|x]] | `[[Plan]]` |',
        '',
        '[ref]: Plan.md "Title"',
        '',
      ].join('\n'),
      'sub/Deep.md': '[up](../Plan.md) and [[../Plan]] and [root](Plan.md)\n',
    });
    const answer = await move('Plan.md', 'Area/Big plan.md');
    expect(answer).toMatchObject({
      action: 'move',
      path: 'Area/Big plan.md',
      moved_from: 'Plan.md',
      mended: [
        { path: 'Links.md', links: 15 },
        { path: 'sub/Deep.md', links: 3 },
      ],
      undo: { action: 'move', path: 'Area/Big plan.md', to: 'Plan.md', if_hash: answer.source_hash },
    });
    expect(onDisk('Links.md')).toBe(
      [
        '---',
        'up: "[[Big plan]]"',
        'list:',
        "  - '[[Big plan#Goals|g]]'",
        'bare: [[Big plan]]',
        '---',
        'See [[Big plan]], [[Big plan#Goals]], [[Big plan#^b1|block]], ![[Big plan]] and [[Big plan|p]].',
        '[a](Area/Big%20plan.md) [b](./Area/Big%20plan.md#Goals "t") [c](/Area/Big%20plan.md) [d](<Area/Big plan.md>) [e][ref] ![f](Area/Big%20plan.md)',
        '| [[Big plan\\|x]] | `[[Plan]]` |',
        '',
        '[ref]: Area/Big%20plan.md "Title"',
        '',
      ].join('\n'),
    );
    expect(onDisk('sub/Deep.md')).toBe(
      '[up](../Area/Big%20plan.md) and [[../Area/Big plan]] and [root](Area/Big%20plan.md)\n',
    );
    expect((await vault.fail('get', { path: 'Plan.md' })).code).toBe('note_not_found');
    const before = onDisk('Links.md');
    await vault.ok('write_note', answer.undo);
    expect(onDisk('Links.md')).not.toBe(before);
    expect(onDisk('Links.md')).toContain('[b](./Plan.md#Goals "t")');
    expect(onDisk('Plan.md')).toBe('# Plan\n## Goals\ntext ^b1\n');
  });

  it('leaves links alone that still lead there, and mends those that would lead elsewhere', async () => {
    await open({
      'a/Plan.md': 'a\n',
      'b/Other.md': 'see [[Plan]]\n',
      'c/Link.md': '[[Other]]\n',
      'Top.md': '[[Plan]] [[a/Plan]]\n',
    });
    const answer = await move('b/Other.md', 'b/deep/');
    expect(answer).toMatchObject({ path: 'b/deep/Other.md' });
    expect(answer).not.toHaveProperty('mended');
    // A second note of the name, nearer than the first.
    await vault.ok('write_note', { path: 'c/New.md', content: 'new\n' });
    await move('c/New.md', 'b/Plan.md');
    expect(onDisk('b/deep/Other.md')).toBe('see [[Plan]]\n');
    await move('b/Plan.md', 'Plan.md');
    expect(onDisk('Top.md')).toBe('[[a/Plan]] [[a/Plan]]\n');
  });

  it('mends what the moved note itself links to, pictures too', async () => {
    await open({
      '.obsidian/app.json': '{}',
      'area/Plan.md': '[n](notes/N.md) ![p](pics/p.png) ![[pics/p.png]] [w](https://x.y/z) [g](gone/x.png)\n',
      'area/notes/N.md': 'n\n',
      'area/pics/p.png': 'png',
    });
    const answer = await move('area/Plan.md', 'Deep/er/Plan.md');
    expect(onDisk('Deep/er/Plan.md')).toBe(
      '[n](../../area/notes/N.md) ![p](../../area/pics/p.png) ![[pics/p.png]] [w](https://x.y/z) [g](gone/x.png)\n',
    );
    expect(answer.diff).toContain('../../area/notes/N.md');
    expect(answer.mended).toEqual([{ path: 'Deep/er/Plan.md', links: 2 }]);
  });

  it.each(['obsidian', 'plain'])('spells a note anew, and every link still finds it: %s', async (dialect) => {
    await open({
      '.grove/vault.yaml': `dialect: ${dialect}\n`,
      'plan.md': '# plan\n[self](plan.md#plan)\n',
      'Links.md': '[[plan]] [md](plan.md) [path](./plan.md)\n',
      'sub/Deep.md': '[up](../plan.md)\n',
    });
    const dry = await move('plan.md', 'Plan.md', { dry_run: true });
    expect(dry).toMatchObject({ path: 'Plan.md', moved_from: 'plan.md' });
    const answer = await move('plan.md', 'Plan.md');
    expect(answer).toMatchObject({ path: 'Plan.md', moved_from: 'plan.md' });
    expect(answer.mended).toEqual(dry.mended);
    const list = await vault.ok('list_notes', { sort: 'path' });
    expect(list.notes.map(({ path }: { path: string }) => path)).toEqual([
      'Links.md',
      'Plan.md',
      'sub/Deep.md',
    ]);
    for (const path of ['Links.md', 'sub/Deep.md', 'Plan.md'])
      for (const { to } of (await vault.ok('get', { path, include: ['links'] })).links)
        expect([path, to]).toEqual([path, 'Plan.md']);
    await vault.ok('write_note', answer.undo);
    expect(onDisk('Links.md')).toBe('[[plan]] [md](plan.md) [path](./plan.md)\n');
    expect(onDisk('plan.md')).toBe('# plan\n[self](plan.md#plan)\n');
  });

  it('tells in a dry run what would change, and changes nothing', async () => {
    await open({ 'A.md': 'a\n', 'B.md': '[[A]]\n', 'c/C.md': 'c\n' });
    const answer = await move('A.md', 'c/A2.md', { dry_run: true });
    expect(answer).toMatchObject({ dry_run: true, mended: [{ path: 'B.md', links: 1 }] });
    expect(answer).not.toHaveProperty('undo');
    expect(onDisk('A.md') + onDisk('B.md')).toBe('a\n[[A]]\n');
    const fail = async (to: string, more = {}) =>
      (await vault.fail('write_note', { action: 'move', path: 'A.md', to, if_hash: '*', ...more })).code;
    expect(await fail('B.md', { dry_run: true })).toBe('note_exists');
    expect(await fail('b.md', { dry_run: true })).toBe('path_taken');
    expect(await fail('b.md')).toBe('path_taken');
    expect(await fail('B.md')).toBe('note_exists');
    expect(await fail('nowhere')).toBe('bad_input');
    expect(await fail('../x.md')).toBe('bad_path');
    expect(await fail('c/A2.md', { if_hash: '0123456789abcdef' })).toBe('stale_hash');
    expect(await fail('c/A2.md', { if_hash: null })).toBe('hash_required');
    expect(await move('A.md', 'A.md')).toMatchObject({ already_there: true });
    expect(onDisk('A.md') + onDisk('B.md')).toBe('a\n[[A]]\n');
  });

  it('mends notes that the caller does not see in a commit of its own, and says nothing of it', async () => {
    await open({ 'open/A.md': 'a\n', 'open/B.md': '[[A]]\n', 'hidden/H.md': '[[A]] [x](../open/A.md)\n' });
    const rules = {
      readPaths: [parsePathRule('open')],
      writePaths: [],
      denyPaths: [],
      readOnly: false,
    };
    const scope = vault.opened.scope({ ...STDIO, kind: 'key' }, rules, { scopes: ['write'] });
    const answer = await vault.ok(
      'write_note',
      { action: 'move', path: 'open/A.md', to: 'open/Z.md', if_hash: '*' },
      scope,
    );
    expect(JSON.stringify(answer)).not.toContain('hidden');
    expect(answer.mended).toEqual([{ path: 'open/B.md', links: 1 }]);
    expect(onDisk('hidden/H.md')).toBe('[[Z]] [x](../open/Z.md)\n');
    const fail = async (to: string) =>
      (await vault.fail('write_note', { action: 'move', path: 'open/Z.md', to, if_hash: '*' }, scope)).code;
    expect(await fail('hidden/H.md')).toMatch(/not_writable|outside_read_paths/);
    expect(await fail('hidden/New.md')).toMatch(/not_writable|outside_read_paths/);
  });

  it('keeps Logseq page names, and Foam definitions in step', async () => {
    await open({
      'logseq/config.edn': '{:file/name-format :triple-lowbar}',
      'pages/Project___Grove.md': '- text\n  id:: 64b1f0a2-0000-4000-8000-000000000000\n',
      'pages/Other.md':
        '- [[Project/Grove]] and #[[Project/Grove]] and ((64b1f0a2-0000-4000-8000-000000000000))\n',
      'pages/Tagged.md':
        'tags:: project/grove, other\n\n- a #Project/Grove and `#Project/Grove` #Project/Grove2\n',
    });
    expect(vault.opened.vault.dialect).toBe('logseq');
    expect(await move('Project/Grove', 'Area/New grove')).toMatchObject({
      path: 'pages/Area___New grove.md',
    });
    expect(onDisk('pages/Other.md')).toBe(
      '- [[Area/New grove]] and #[[Area/New grove]] and ((64b1f0a2-0000-4000-8000-000000000000))\n',
    );
    expect(onDisk('pages/Tagged.md')).toBe(
      'tags:: Area/New grove, other\n\n- a #[[Area/New grove]] and `#Project/Grove` #Project/Grove2\n',
    );
    await move('Area/New grove', 'Short');
    expect(onDisk('pages/Tagged.md')).toBe(
      'tags:: Short, other\n\n- a #[[Short]] and `#Project/Grove` #Project/Grove2\n',
    );
    await vault.close();
    await open({
      '.grove/vault.yaml': 'dialect: foam\n',
      'plan.md': '# Plan\n',
      'log.md': 'See [[plan]] and [[plan]].\n\n[//begin]: # "x"\n[plan]: plan.md "Plan"\n[//end]: # "x"\n',
    });
    await move('plan.md', 'area/goals.md');
    expect(onDisk('log.md')).toBe(
      'See [[goals]] and [[goals]].\n\n[//begin]: # "x"\n[goals]: area/goals.md "Plan"\n[//end]: # "x"\n',
    );
  });

  it('goes with other operations in a batch, each on what those before it left', async () => {
    await open({ 'A.md': 'a\n', 'B.md': '[[A]]\n', 'c/C.md': '[[A]] [[B]]\n' });
    const { results } = await vault.ok('write_note', {
      operations: [
        { action: 'move', path: 'A.md', to: 'c/One.md', if_hash: '*' },
        { action: 'append', path: 'c/One.md', content: 'more' },
        { action: 'move', path: 'B.md', to: 'c/Two.md', if_hash: '*' },
        { action: 'move', path: 'c/One.md', to: 'Three.md', if_hash_from_op: 1 },
      ],
    });
    expect(results.map((item: { error?: unknown }) => item.error)).toEqual(results.map(() => undefined));
    expect(onDisk('c/C.md')).toBe('[[Three]] [[Two]]\n');
    expect(onDisk('c/Two.md')).toBe('[[Three]]\n');
    expect(onDisk('Three.md')).toBe('a\n\nmore\n');
  });

  it('answers a retry as the first call, and does nothing twice', async () => {
    await open({ 'A.md': 'a\n', 'B.md': '[[A]]\n' });
    const first = await move('A.md', 'Z.md', { idempotency_key: 'k' });
    const again = await move('A.md', 'Z.md', { idempotency_key: 'k' });
    expect(again).toMatchObject({ replayed: true, path: 'Z.md', mended: first.mended, commit: first.commit });
    expect(onDisk('B.md')).toBe('[[Z]]\n');
  });

  it('resumes a batch whose first half was done before', async () => {
    await open({ 'A.md': 'a\n', 'B.md': 'b\n', 'C.md': '[[A]] [[B]]\n' });
    const operations = [
      { action: 'move', path: 'A.md', to: 'Z.md', if_hash: '*' },
      { action: 'delete', path: 'B.md', if_hash: '*' },
    ];
    const { results } = await vault.ok('write_note', { operations, idempotency_key: 'batch' });
    const again = await vault.ok('write_note', { operations, idempotency_key: 'batch' });
    expect(again.results).toMatchObject([
      { replayed: true, commit: results[0].commit },
      { replayed: true, commit: results[1].commit, undo: results[1].undo },
    ]);
    const other = await vault.ok('write_note', { operations, idempotency_key: 'other' });
    expect(other.results).toMatchObject([
      { error: { code: 'note_not_found' } },
      { error: { code: 'note_not_found' } },
    ]);
    expect(onDisk('C.md')).toBe('[[Z]] [[B]]\n');
  });
});

describeWithPrograms('a move in git', ['git'], () => {
  it('is one commit of exactly the notes that changed, and of another for links that the caller may not write', async () => {
    vault = await openTestVault(
      { 'w/A.md': 'a\n', 'w/B.md': '[[A]]\n', 'r/C.md': '[[A]] [[B]]\n', 'r/D.md': 'd\n' },
      { writes: true, prepare: (root) => void SystemGit.init(root).commit('First') },
    );
    const git = new SystemGit(vault.folder.root);
    const rules = { readPaths: [], writePaths: [parsePathRule('w')], denyPaths: [], readOnly: false };
    const scope = vault.opened.scope(STDIO, rules, { scopes: ['write'] });
    // Somebody saved a link a moment ago.
    await vault.folder.write({ 'w/B.md': '[[A]] and [[A|again]]\n' }, new Date());
    const answer = await vault.ok(
      'write_note',
      { action: 'move', path: 'w/A.md', to: 'w/deep/Z.md', if_hash: '*' },
      scope,
    );
    expect(answer.mended).toEqual([{ path: 'w/B.md', links: 2 }]);
    expect(answer.remarks.join()).toContain('r/C.md');
    await vault.opened.writes.settled();
    const log = git.run('log', '--format=%s', '--name-status', '--no-renames').trim().split(/\n+/);
    expect(log.slice(0, 8)).toEqual([
      'Mend links to w/deep/Z.md',
      'M\tr/C.md',
      'Move w/A.md',
      'D\tw/A.md',
      'M\tw/B.md',
      'A\tw/deep/Z.md',
      expect.any(String),
      'M\tw/B.md',
    ]);
    expect(git.run('log', '-1', '--format=%B')).toContain('Grove-Mechanical');
    expect(git.run('log', '-1', '--skip=1', '--format=%B')).not.toContain('Grove-Mechanical');
    expect(onDisk('r/C.md')).toBe('[[Z]] [[B]]\n');
    expect(git.run('status', '--porcelain')).toBe('');
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('loses no link to moves, edits and saves that come at once', async () => {
    const names = Array.from({ length: 8 }, (_, at) => `N${at}`);
    vault = await openTestVault(
      Object.fromEntries(
        names.map((name, at) => [`${name}.md`, `[[N${(at + 1) % 8}]] [x](N${(at + 3) % 8}.md)\n`]),
      ),
      { writes: true, prepare: (root) => void SystemGit.init(root).commit('First') },
    );
    await Promise.all(
      names.flatMap((name, at) => [
        move(`${name}.md`, `f${at % 3}/M${at}.md`),
        vault.call('write_note', { action: 'append', path: `${name}.md`, content: `word ${at}` }),
      ]),
    );
    await vault.opened.vault.reconcile();
    const view = vault.opened.vault.ownerView();
    for (const at of names.keys()) {
      const row = view.get(`f${at % 3}/M${at}.md` as Parameters<typeof view.get>[0]);
      if (row === null) throw new Error(`the note ${at} is gone`);
      const led = view.links(row).map(({ to }) => to?.name ?? null);
      expect([at, ...led]).toEqual([at, `M${(at + 1) % 8}`, `M${(at + 3) % 8}`]);
    }
    await vault.opened.writes.settled();
    const git = new SystemGit(vault.folder.root);
    expect(git.run('status', '--porcelain')).toBe('');
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });
});
