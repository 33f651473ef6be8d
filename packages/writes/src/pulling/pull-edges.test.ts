import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { contentHash, diskWriteFs, parseVaultPath, type WriteFs } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { change, committed, fetched, filesOf, openedOver, pulled, twoSides } from '../testing/two-sides.ts';

const LINES = 'one\ntwo\nthree\nfour\n';

describeWithPrograms('a pull', ['git'], () => {
  it('makes what was known of a note void: its source hash is that of the disk', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    const vault = await openedOver(sides);
    const path = parseVaultPath('A.md');
    const hash = (text: string) => contentHash(Buffer.from(text));
    await vault.engine.apply({
      paths: [path],
      plan: () => ({
        changes: [{ path, after: Buffer.from('by Grove\n'), keepSource: true }],
        subject: 'Wire',
        trailers: {},
        mechanical: true,
        answer: null,
      }),
      author: { kind: 'owner', id: 'owner', name: 'Owner', client: null },
      idempotency: null,
    });
    expect(vault.engine.sourceHashOf(path, hash('by Grove\n'))).toBe(hash('a\n'));
    sides.theirs.run('pull', '-q', sides.ours.dir, 'main');
    committed(sides.theirs, { 'A.md': 'theirs\n' });
    await pulled(vault, sides.theirs);
    committed(sides.theirs, { 'A.md': 'by Grove\n' });
    await pulled(vault, sides.theirs);
    expect(vault.engine.sourceHashOf(path, hash('by Grove\n'))).toBe(hash('by Grove\n'));
  });

  it('takes the newest of several common commits, as git merge-base does, and loses nothing', async () => {
    const sides = twoSides({ 'A.md': LINES, 'B.md': LINES });
    const vault = await openedOver(sides);
    committed(sides.ours, { 'A.md': LINES.replace('one', 'ours') });
    committed(sides.theirs, { 'B.md': LINES.replace('four', 'theirs') });
    // Each merges the other's first commit: two common commits, none above the other.
    const ours = sides.ours.run('rev-parse', 'HEAD').trim();
    const theirs = fetched(sides.ours, sides.theirs);
    sides.theirs.run('fetch', '-q', sides.ours.dir, 'main');
    sides.theirs.run('merge', '-q', '--no-edit', ours);
    sides.ours.run('merge', '-q', '--no-edit', theirs);
    committed(sides.ours, { 'A.md': LINES.replace('one', 'ours').replace('four', 'more') });
    committed(sides.theirs, { 'B.md': LINES.replace('one', 'more').replace('four', 'theirs') });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'merged', conflicts: [] });
    expect(filesOf(vault.root)).toEqual({
      'A.md': LINES.replace('one', 'ours').replace('four', 'more'),
      'B.md': LINES.replace('one', 'more').replace('four', 'theirs'),
    });
    expectSound(sides.ours);
  });

  it('takes away or replaces a link that the vault has, and makes no new one', async () => {
    const sides = twoSides({ 'A.md': 'a\n' });
    for (const name of ['gone', 'other', 'file']) symlinkSync('A.md', join(sides.ours.dir, name));
    sides.ours.commit();
    sides.theirs.run('pull', '-q', sides.ours.dir, 'main');
    const vault = await openedOver(sides);
    change(sides.theirs.dir, { gone: null, other: null, file: null });
    symlinkSync('/etc/passwd', join(sides.theirs.dir, 'other'));
    committed(sides.theirs, { file: 'a file now\n' });
    await pulled(vault, sides.theirs);
    expect(lstatSync(join(vault.root, 'gone'), { throwIfNoEntry: false })).toBeUndefined();
    expect(lstatSync(join(vault.root, 'other'), { throwIfNoEntry: false })).toBeUndefined();
    expect(vault.text('file')).toBe('a file now\n');
    expectSound(sides.ours);
  });

  it('leaves a link that a person put in the place of a file', async () => {
    const sides = twoSides({ 'A.md': 'a\n', 'B.md': 'b\n' });
    const vault = await openedOver(sides);
    rmSync(join(vault.root, 'A.md'));
    symlinkSync('B.md', join(vault.root, 'A.md'));
    committed(sides.theirs, { 'A.md': 'theirs\n' });
    const { conflicts } = await pulled(vault, sides.theirs);
    expect(conflicts).toMatchObject([{ path: 'A.md', why: 'kinds' }]);
    expect(readlinkSync(join(vault.root, 'A.md'))).toBe('B.md');
    expect(vault.text(conflicts[0]!.saved!)).toBe('theirs\n');
    expectSound(sides.ours, ['A.md']);
  });

  it('works where no file gets a second name', async () => {
    const sides = twoSides({ 'A.md': LINES, 'Gone.md': 'g\n', 'x.png': Buffer.from('\0one') });
    const link = () => Promise.reject(Object.assign(new Error('no links'), { code: 'ENOTSUP' }));
    const vault = await openedOver(sides, { fs: { ...diskWriteFs, link } });
    committed(sides.theirs, {
      'A.md': LINES.replace('one', 'ONE'),
      'Gone.md': null,
      'New.md': 'n\n',
      'x.png': Buffer.from('\0two'),
    });
    committed(sides.ours, { 'A.md': LINES.replace('four', 'FOUR') });
    await pulled(vault, sides.theirs);
    expect(filesOf(vault.root)).toEqual({
      'A.md': 'ONE\ntwo\nthree\nFOUR\n',
      'New.md': 'n\n',
      'x.png': '\0two',
    });
    expectSound(sides.ours);
  });

  it.each(['elsewhere', 'on another mount'])('works with a git dir that lies %s', async (where) => {
    const sides = twoSides({ 'A.md': LINES, 'Gone.md': 'g\n' });
    if (where === 'elsewhere') {
      const gitDir = join(memoryFolder('data'), 'git');
      renameSync(join(sides.ours.dir, '.git'), gitDir);
      sides.ours.run('--git-dir', gitDir, 'config', 'core.worktree', sides.ours.dir);
      writeFileSync(join(sides.ours.dir, '.git'), `gitdir: ${gitDir}\n`);
    }
    const isAcross = (from: string, to: string) =>
      where === 'on another mount' && from.includes('/.git/') !== to.includes('/.git/');
    const refused = (code: string) => Promise.reject(Object.assign(new Error(code), { code, syscall: 'x' }));
    const fs: WriteFs = {
      ...diskWriteFs,
      link: (from, to) => (isAcross(from, to) ? refused('EXDEV') : diskWriteFs.link(from, to)),
      rename: (from, to) => (isAcross(from, to) ? refused('EXDEV') : diskWriteFs.rename(from, to)),
    };
    const vault = await openedOver(sides, { fs });
    committed(sides.theirs, { 'A.md': LINES.replace('one', 'ONE'), 'Gone.md': null, 'New/B.md': 'b\n' });
    change(vault.root, { 'A.md': LINES.replace('four', 'FOUR') });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'merged', conflicts: [] });
    const { '.git': _, ...files } = filesOf(vault.root);
    expect(files).toEqual({ 'A.md': 'ONE\ntwo\nthree\nFOUR\n', 'New/B.md': 'b\n' });
    expect(sides.ours.run('status', '--porcelain')).toBe('');
    expect(readdirSync(join(vault.root, '.grove', 'tmp'))).toEqual(['.gitignore']);
  });

  it('is taken back where it fails before the branch has moved, and done later', async () => {
    const sides = twoSides({ 'A.md': 'a\n', 'B.md': 'b\n' });
    const stop = { on: true };
    const vault = await openedOver(sides, {
      step: (step) => {
        if (step === 'pull_settled' && stop.on) throw Object.assign(new Error('cut off'), { cutOff: true });
      },
    });
    committed(sides.theirs, { 'A.md': 'theirs\n', 'B.md': null });
    await expect(pulled(vault, sides.theirs)).rejects.toThrow('cut off');
    expect(filesOf(vault.root)).toEqual({ 'A.md': 'a\n', 'B.md': 'b\n' });
    expectSound(sides.ours);
    stop.on = false;
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward' });
    expectSound(sides.ours);
  });

  it.each([
    ['in the same process', false],
    ['in the next one', true],
  ])(
    'is ended before the next write where it could be neither done nor taken back, %s',
    async (_, isNext) => {
      const sides = twoSides({ 'A.md': 'a\n', 'B.md': 'b\n', 'Gone/C.md': 'c\n' });
      const disk = { ill: false, wasIll: false };
      const fail = (call: string) => {
        if (disk.ill) throw Object.assign(new Error('EIO'), { code: 'EIO', syscall: call });
      };
      const fs: WriteFs = {
        ...diskWriteFs,
        rename: async (from, to) => {
          fail('rename');
          return diskWriteFs.rename(from, to);
        },
        unlink: async (path) => {
          fail('unlink');
          return diskWriteFs.unlink(path);
        },
      };
      const vault = await openedOver(sides, {
        fs,
        step: (step) => {
          if (step === 'pull_placed' && !disk.wasIll) Object.assign(disk, { ill: true, wasIll: true });
        },
      });
      committed(sides.theirs, { 'A.md': 'theirs\n', 'B.md': 'theirs\n', 'Gone/C.md': null });
      await expect(pulled(vault, sides.theirs)).rejects.toMatchObject({ code: 'disk_unwritable' });
      await expect(vault.write('Later.md', 'later\n')).rejects.toThrow();
      expect(vault.text('Later.md')).toBeNull();
      disk.ill = false;
      if (isNext) await vault.again({ fs });
      await vault.write('Later.md', 'later\n');
      await vault.engine.settled();
      expectSound(sides.ours);
      await pulled(vault, sides.theirs);
      expect(filesOf(vault.root)).toEqual({ 'A.md': 'theirs\n', 'B.md': 'theirs\n', 'Later.md': 'later\n' });
      expectSound(sides.ours);
    },
  );

  it('is refused where more files are in conflict than anybody would look through', {
    timeout: 120_000,
  }, async () => {
    const many = (text: string) =>
      Object.fromEntries(Array.from({ length: 1001 }, (_, at) => [`Folder/${at}.md`, `${text} ${at}\n`]));
    const sides = twoSides(many('base'));
    const vault = await openedOver(sides);
    committed(sides.theirs, many('theirs'));
    committed(sides.ours, many('ours'));
    await expect(pulled(vault, sides.theirs)).rejects.toMatchObject({ code: 'sync_unsupported' });
    expect(filesOf(vault.root)).toEqual(many('ours'));
    expectSound(sides.ours);
  });

  it('and writes beside it come one after the other', async () => {
    const sides = twoSides({ 'A.md': LINES });
    const vault = await openedOver(sides);
    mkdirSync(join(vault.root, 'Notes'));
    committed(sides.theirs, { 'A.md': LINES.replace('one', 'ONE') });
    const done = await Promise.all([
      vault.write('Notes/1.md', '1\n'),
      pulled(vault, sides.theirs),
      vault.write('Notes/2.md', '2\n'),
      vault.write('A.md', LINES.replace('four', 'FOUR')),
    ]);
    expect(done).toHaveLength(4);
    await vault.engine.settled();
    expect(vault.text('A.md')).toBe(LINES.replace('four', 'FOUR'));
    expectSound(sides.ours);
  });
});
