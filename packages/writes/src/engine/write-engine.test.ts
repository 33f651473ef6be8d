import { chmodSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { contentHash, parseVaultPath, type VaultPath } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { begun, engineOver, KEY, openedEngine, wholeWrite } from '../testing/opened-engine.ts';
import type { FileNow } from './contract.ts';

describeWithPrograms('a write', ['git'], () => {
  it('changes the file and commits exactly that path, so that git finds nothing to say', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Other.md': 'other\n' });
    const outcome = await vault.write('Plan.md', 'two\n');
    expect(vault.text('Plan.md')).toBe('two\n');
    expect(outcome).toEqual({
      commit: vault.git.run('rev-parse', 'HEAD').trim(),
      files: [
        {
          path: 'Plan.md',
          sourceHash: contentHash('two\n'),
          contentHash: contentHash('two\n'),
          sizeBefore: 4,
          sizeAfter: 4,
        },
      ],
      conflictSaved: [],
      replayed: false,
      followUp: null,
      answer: { path: 'Plan.md' },
    });
    await vault.engine.settled();
    const shown = vault.git.run('show', '--format=%an|%ae|%cn|%s', '--name-only', 'HEAD').trim().split('\n');
    expect(shown).toEqual(['Helper|key.k1@grove.invalid|Grove|Write Plan.md', '', 'Plan.md']);
    expect(vault.published).toEqual(['Plan.md']);
    expect(vault.problems).toEqual([]);
    expectSound(vault.git);
  });

  it('makes a note in new folders, with the rights of the folder above, whatever the umask', async () => {
    const vault = await openedEngine();
    mkdirSync(join(vault.root, 'Team'));
    chmodSync(join(vault.root, 'Team'), 0o2775);
    const before = process.umask(0o077);
    try {
      await vault.write('Team/New/Folder/Note.md', 'new\n');
    } finally {
      process.umask(before);
    }
    const mode = (path: string) => statSync(join(vault.root, path)).mode & 0o7777;
    expect(['Team/New', 'Team/New/Folder', 'Team/New/Folder/Note.md'].map(mode)).toEqual([
      0o2775, 0o2775, 0o664,
    ]);
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('keeps the mode of a file, on disk and in git', async () => {
    const git = begun({ 'Run.md': 'one\n' });
    chmodSync(join(git.dir, 'Run.md'), 0o750);
    git.commit('Mode');
    const vault = await engineOver(git);
    await vault.write('Run.md', 'two\n');
    expect(statSync(join(git.dir, 'Run.md')).mode & 0o777).toBe(0o750);
    expect(git.run('ls-files', '--stage', 'Run.md')).toMatch(/^100755 /);
    await vault.engine.settled();
    expectSound(git);
  });

  it('gives a file that takes the place of another its mode', async () => {
    const git = begun({ 'Run.md': 'one\n' });
    chmodSync(join(git.dir, 'Run.md'), 0o700);
    git.commit('Mode');
    const vault = await engineOver(git);
    const [from, to] = ['Run.md', 'Moved.md'] as VaultPath[];
    await vault.engine.apply({
      paths: [from!, to!],
      author: KEY,
      idempotency: null,
      plan: (files) => ({
        changes: [
          { path: to!, after: files.get(from!)!.bytes, access: files.get(from!)!.access },
          { path: from!, after: null },
        ],
        subject: 'Move Run.md',
        trailers: {},
        mechanical: false,
        answer: null,
      }),
    });
    expect(statSync(join(git.dir, 'Moved.md')).mode & 0o777).toBe(0o700);
    await vault.engine.settled();
    expect(git.run('ls-files', '--stage', 'Moved.md')).toMatch(/^100755 /);
    expectSound(git);
  });

  it.runIf(process.geteuid?.() === 0)('gives new files and folders to the owner of the folder', async () => {
    const { chownSync } = await import('node:fs');
    const git = begun({ 'Plan.md': 'one\n' });
    chownSync(git.dir, 1234, 2345);
    chownSync(join(git.dir, 'Plan.md'), 1234, 2345);
    const vault = await engineOver(git);
    await vault.write('Plan.md', 'two\n');
    await vault.write('New/Note.md', 'new\n');
    for (const path of ['Plan.md', 'New', 'New/Note.md']) {
      const { uid, gid } = statSync(join(git.dir, path));
      expect([path, uid, gid]).toEqual([path, 1234, 2345]);
    }
  });

  it('changes several files in one commit, and removes what a plan removes', async () => {
    const vault = await openedEngine({ 'A.md': 'a\n', 'Folder/B.md': 'b\n' });
    const [a, b, c] = ['A.md', 'Folder/B.md', 'C.md'].map(parseVaultPath) as [
      VaultPath,
      VaultPath,
      VaultPath,
    ];
    const outcome = await vault.engine.apply(
      wholeWrite('A.md', null, {
        paths: [a, b, c],
        plan: () => ({
          changes: [
            { path: a, after: Buffer.from('A\n') },
            { path: b, after: null },
            { path: c, after: Buffer.from('c\n') },
          ],
          subject: 'Change 3 notes',
          trailers: {},
          mechanical: false,
          answer: null,
        }),
      }),
    );
    expect(outcome.files.map(({ path, sizeBefore, sizeAfter }) => [path, sizeBefore, sizeAfter])).toEqual([
      ['A.md', 2, 2],
      ['Folder/B.md', 2, null],
      ['C.md', null, 2],
    ]);
    expect(vault.git.run('show', '--format=', '--name-status', 'HEAD')).toBe(
      'M\tA.md\nA\tC.md\nD\tFolder/B.md\n',
    );
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('commits what a person changed before, in a commit of its own and nobody else’s name', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Other.md': 'other\n' });
    vault.git.write('Plan.md', 'one\nby hand\n');
    vault.git.write('Other.md', 'not touched\n');
    await vault.write('Plan.md', 'one\nby hand\nby a key\n');
    const log = vault.git.run('log', '--format=%an: %s', '--name-only').trim().split('\n').filter(Boolean);
    expect(log.slice(0, 4)).toEqual([
      'Helper: Write Plan.md',
      'Plan.md',
      'outside edit: Outside edit: Plan.md',
      'Plan.md',
    ]);
    expect(vault.git.run('show', 'HEAD~1:Plan.md')).toBe('one\nby hand\n');
    expect(
      vault.git.run('log', '-1', '--format=%(trailers:key=Grove-Mechanical,valueonly)', 'HEAD~1').trim(),
    ).toBe('outside-edit');
    await vault.engine.settled();
    expectSound(vault.git, ['Other.md']);
    expect(vault.text('Other.md')).toBe('not touched\n');
  });

  it('commits a note that a person deleted, or never committed, before it changes it', async () => {
    const vault = await openedEngine({ 'Gone.md': 'gone\n' });
    vault.git.remove('Gone.md');
    vault.git.write('Fresh.md', 'fresh\n');
    await vault.write('Gone.md', 'again\n');
    await vault.write('Fresh.md', 'fresh and more\n');
    expect(vault.git.run('log', '--format=%s', '--name-status').trim().split('\n').filter(Boolean)).toEqual([
      'Write Fresh.md',
      'M\tFresh.md',
      'Outside edit: Fresh.md',
      'A\tFresh.md',
      'Write Gone.md',
      'A\tGone.md',
      'Outside edit: Gone.md',
      'D\tGone.md',
      'Begin',
      'A\tGone.md',
    ]);
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('answers without a commit when the plan changes no byte', async () => {
    const vault = await openedEngine();
    const head = vault.git.run('rev-parse', 'HEAD');
    const outcome = await vault.write('Plan.md', 'one\ntwo\n');
    expect(outcome.commit).toBeNull();
    expect(outcome.files[0]).toMatchObject({
      sizeBefore: 8,
      sizeAfter: 8,
      contentHash: contentHash('one\ntwo\n'),
    });
    expect(vault.git.run('rev-parse', 'HEAD')).toBe(head);
    expect(vault.published).toEqual([]);
  });

  it('changes nothing when the plan refuses, and goes on with the next write', async () => {
    const vault = await openedEngine();
    const head = vault.git.run('rev-parse', 'HEAD');
    const refusal = wholeWrite('New/Plan.md', 'x', {
      plan: () => {
        throw new Error('no');
      },
    });
    await expect(vault.engine.apply(refusal)).rejects.toThrow('no');
    const other = parseVaultPath('Other.md');
    const stray = wholeWrite('Plan.md', 'x', {
      plan: () => ({
        changes: [{ path: other, after: null }],
        subject: '',
        trailers: {},
        mechanical: false,
        answer: null,
      }),
    });
    await expect(vault.engine.apply(stray)).rejects.toThrow(TypeError);
    expect(vault.git.run('rev-parse', 'HEAD')).toBe(head);
    await vault.write('Plan.md', 'x\n');
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('makes the first commit of a repository', async () => {
    const vault = await openedEngine({});
    vault.git.write('By hand.md', 'not ours\n');
    const outcome = await vault.write('Plan.md', 'one\n');
    expect(vault.git.run('log', '--format=%H %P').trim()).toBe(`${outcome.commit}`);
    await vault.engine.settled();
    expectSound(vault.git, ['By hand.md']);
  });

  it('writes below the top of a repository, and commits nothing of the rest', async () => {
    const git = begun({ 'garden/Plan.md': 'one\n', 'code.txt': 'code\n' });
    git.write('code.txt', 'changed\n');
    git.run('add', 'code.txt');
    const vault = await engineOver(git, {}, undefined, 'garden');
    await vault.write('Deep/New.md', 'new\n');
    expect(git.run('show', '--format=', '--name-only', 'HEAD').trim()).toBe('garden/Deep/New.md');
    await vault.engine.settled();
    expectSound(git, ['code.txt']);
    expect(git.run('diff', '--cached', '--name-only').trim()).toBe('code.txt');
  });

  it('strips control characters from what the commit says, and signs it', async () => {
    const vault = await openedEngine();
    const author = { ...KEY, name: 'Evil\n<x@y>\nGrove-Mac: 1', client: 'a\r\nb' };
    const plan = wholeWrite('Plan.md', 'x\n');
    await vault.engine.apply({
      ...plan,
      author,
      plan: (files) => ({
        ...(plan.plan(files) as object as { changes: [] }),
        subject: 'One\n\nGrove-Key: owner:me',
        trailers: { 'Grove-Reason': 'because\nGrove-Key: owner:me' },
        mechanical: false,
        answer: null,
      }),
    });
    const message = vault.git.run('log', '-1', '--format=%B').trimEnd().split('\n');
    expect(message.slice(0, -1)).toEqual([
      'One Grove-Key: owner:me',
      '',
      'Grove-Key: key:k1',
      'Grove-Client: a b',
      'Grove-Reason: because Grove-Key: owner:me',
    ]);
    expect(message.at(-1)).toMatch(/^Grove-Mac: [0-9a-f]{64}$/);
    expect(vault.git.run('log', '-1', '--format=%an').trim()).not.toContain('\n');
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('keeps the source hash for a change of its own making only, until somebody changes the note', async () => {
    const vault = await openedEngine();
    const path = parseVaultPath('Plan.md');
    const { files } = await vault.write('Plan.md', 'three\n');
    const source = files[0]!.sourceHash!;
    expect(vault.engine.sourceHashOf(path, contentHash('three\n'))).toBe(source);
    const linked = wholeWrite('Plan.md', '[[three]]\n');
    const outcome = await vault.engine.apply({
      ...linked,
      plan: () => ({
        changes: [{ path, after: Buffer.from('[[three]]\n'), keepSource: true }],
        subject: 'Link',
        trailers: {},
        mechanical: true,
        answer: null,
      }),
    });
    expect(outcome.files[0]).toMatchObject({ sourceHash: source, contentHash: contentHash('[[three]]\n') });
    expect(vault.engine.sourceHashOf(path, contentHash('[[three]]\n'))).toBe(source);
    const seen: (FileNow | null)[] = [];
    await vault.engine.apply(wholeWrite('Plan.md', '[[three]]\n', { seen: (file) => seen.push(file) }));
    expect(seen[0]).toMatchObject({ sourceHash: source, contentHash: contentHash('[[three]]\n') });
    expect(Buffer.from((await vault.engine.baseOf(path, source))!).toString()).toBe('[[three]]\n');
    expect(Buffer.from((await vault.engine.sourceOf(path))!).toString()).toBe('three\n');
    expect(vault.git.run('log', '-1', '--format=%(trailers:key=Grove-Source,valueonly)').trim()).toBe(
      `${source} Plan.md`,
    );
    vault.git.write('Plan.md', 'by hand\n');
    await vault.engine.apply(wholeWrite('Plan.md', 'by hand\n', { seen: (file) => seen.push(file) }));
    expect(seen[1]!.sourceHash).toBe(contentHash('by hand\n'));
    expect(vault.engine.sourceHashOf(path, contentHash('by hand\n'))).toBe(contentHash('by hand\n'));
  });

  it('finds the bytes that a hash stood for', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n' });
    const path = parseVaultPath('Plan.md');
    const base = async (hash: string) => (await vault.engine.baseOf(path, hash))?.toString() ?? null;
    // Never written by Grove, but what HEAD has.
    expect(await base(contentHash('one\n'))).toBe('one\n');
    vault.git.write('Plan.md', 'by hand\n');
    await vault.write('Plan.md', 'two\n');
    await vault.write('Plan.md', 'three\n');
    for (const text of ['one\n', 'by hand\n', 'two\n', 'three\n'].slice(1))
      expect(await base(contentHash(text))).toBe(text);
    expect(await base('0123456789abcdef')).toBeNull();
    expect(await base(vault.git.run('rev-parse', 'HEAD:Plan.md').trim())).toBe('three\n');
    await vault.again();
    expect(await base(contentHash('two\n'))).toBe('two\n');
  });

  it('commits what changed outside, exactly the paths that are named', async () => {
    const vault = await openedEngine({
      'A.md': 'a\n',
      'B.md': 'b\n',
      'C.md': 'c\n',
      '.gitignore': 'Private/\n',
    });
    for (const path of ['A.md', 'B.md', 'Private/D.md', 'New.md']) vault.git.write(path, 'changed\n');
    vault.git.remove('C.md');
    const paths = ['A.md', 'C.md', 'Private/D.md', 'New.md'].map(parseVaultPath);
    const commit = await vault.engine.commitOutside(paths);
    expect(vault.git.run('show', '--format=%an %s', '--name-status', commit!).trim().split('\n')).toEqual([
      'outside edit Outside edit: 3 notes',
      '',
      'M\tA.md',
      'D\tC.md',
      'A\tNew.md',
    ]);
    expect(await vault.engine.commitOutside(paths)).toBeNull();
    await vault.engine.settled();
    expectSound(vault.git, ['B.md']);
    expect(readFileSync(join(vault.root, 'B.md'), 'utf8')).toBe('changed\n');
  });

  it('answers a retry with what the first try was answered, also after a restart', async () => {
    const vault = await openedEngine();
    const idempotency = { key: 'k', bodyHash: 'body' };
    let plans = 0;
    const append = wholeWrite('Plan.md', '', { idempotency });
    const request = {
      ...append,
      plan: (files: ReadonlyMap<VaultPath, FileNow | null>) => {
        plans += 1;
        const [path] = append.paths;
        const after = Buffer.concat([files.get(path!)!.bytes, Buffer.from('more\n')]);
        const changes = [{ path: path!, after }];
        return { changes, subject: 'Append', trailers: {}, mechanical: false, answer: { n: 1 } };
      },
    };
    const [first, second] = await Promise.all([vault.engine.apply(request), vault.engine.apply(request)]);
    expect(second).toEqual({ ...first, replayed: true });
    await vault.again();
    expect(await vault.engine.apply(request)).toEqual({ ...first, replayed: true });
    expect(plans).toBe(1);
    expect(vault.text('Plan.md')).toBe('one\ntwo\nmore\n');
    await expect(
      vault.engine.apply({ ...request, idempotency: { key: 'k', bodyHash: 'another' } }),
    ).rejects.toMatchObject({ code: 'idempotency_key_reused', status: 422 });
    // Another principal's key of the same name is another key.
    const other = await vault.engine.apply({ ...request, author: { ...KEY, id: 'k2' } });
    expect(other.replayed).toBe(false);
  });

  it('forgets an idempotency key after a day', async () => {
    let time = 1_750_000_000_000;
    const vault = await openedEngine({ 'Plan.md': 'one\n' }, { clock: { now: () => time } });
    const request = (text: string) =>
      wholeWrite('Plan.md', text, { idempotency: { key: 'k', bodyHash: text } });
    await vault.engine.apply(request('a\n'));
    time += 24 * 60 * 60 * 1000;
    await expect(vault.engine.apply(request('b\n'))).rejects.toMatchObject({
      code: 'idempotency_key_reused',
    });
    time += 1;
    expect((await vault.engine.apply(request('b\n'))).replayed).toBe(false);
  });
});
