import { appendFileSync, mkdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { commitPaths, expectSound, openWriter } from '../../testing/git-twin.ts';
import { emptyIndex, parseIndex } from './index-entries.ts';
import { entryHead } from './index-stat.ts';
import { patchIndex, spliceIndex } from './splice-index.ts';

const STAT = { dev: 1n, ino: 2n, uid: 3n, gid: 4n, size: 5n, mtimeNs: 6n, ctimeNs: 7n };
const OID = 'ab'.repeat(20);

function indexOf(git: SystemGit): Buffer {
  return readFileSync(join(git.dir, '.git/index'));
}

/** The bytes of each entry by its path. */
function entriesOf(bytes: Buffer): Map<string, string> {
  const { count, starts, paths, pathStarts, pathEnds } = parseIndex(bytes);
  return new Map(
    Array.from({ length: count }, (_, i) => [
      paths.toString('utf8', pathStarts[i], pathEnds[i]),
      bytes.toString('hex', starts[i], starts[i + 1]),
    ]),
  );
}

function extensionsOf(bytes: Buffer): string[] {
  return parseIndex(bytes).extensions.map(({ name }) => name);
}

describeWithPrograms('the index', ['git'], () => {
  it('keeps every entry of which it is not told, byte for byte, flags included', async () => {
    const git = SystemGit.init();
    for (const name of ['a', 'b', 'c', 'd', 'e']) git.write(`${name}.md`, `${name}\n`);
    git.commit();
    git.write('later.md', 'not yet\n');
    git.run('add', '-N', 'later.md');
    git.run('update-index', '--assume-unchanged', 'b.md');
    git.run('update-index', '--skip-worktree', 'd.md');
    const before = indexOf(git);
    expect(before.readUInt32BE(4)).toBe(3);
    await using writer = await openWriter(git.dir);
    git.write('c.md', 'changed\n');
    await commitPaths(writer, git.dir, [{ path: 'c.md', bytes: Buffer.from('changed\n') }]);
    const [old, now] = [entriesOf(before), entriesOf(indexOf(git))];
    expect([...now.keys()]).toEqual([...old.keys()]);
    for (const [path, bytes] of old) expect(now.get(path) === bytes, path).toBe(path !== 'c.md');
    expect(git.run('ls-files', '-v')).toBe('H a.md\nh b.md\nH c.md\nS d.md\nH e.md\nH later.md\n');
    expect(git.run('status', '--porcelain')).toBe(' A later.md\n');
  });

  it('drops what would be false of trees, untracked files and the monitor, and keeps undo data', async () => {
    const git = SystemGit.init();
    git.write('a.md', 'a\n');
    git.write('x/b.md', 'b\n');
    git.commit();
    git.run('checkout', '-q', '-b', 'other');
    git.write('a.md', 'theirs\n');
    git.commit();
    git.run('checkout', '-q', 'main');
    git.write('a.md', 'ours\n');
    git.commit();
    expect(() => git.run('merge', 'other')).toThrow();
    git.write('a.md', 'both\n');
    git.run('add', 'a.md');
    git.run('commit', '-q', '-m', 'merged');
    git.run('update-index', '--untracked-cache', '--force-write-index');
    git.run('status');
    expect(extensionsOf(indexOf(git))).toEqual(expect.arrayContaining(['TREE', 'REUC', 'UNTR']));
    await using writer = await openWriter(git.dir);
    git.write('x/n.md', 'n\n');
    await commitPaths(writer, git.dir, [{ path: 'x/n.md', bytes: Buffer.from('n\n') }]);
    expect(extensionsOf(indexOf(git))).toEqual(['REUC']);
    expectSound(git);
  });

  it.each(['2', '4'])('changes twenty thousand entries of version %s as git does', (version) => {
    const git = SystemGit.init();
    git.run('config', 'index.version', version);
    for (const key of ['recordEndOfIndexEntries', 'recordOffsetTable'])
      git.run('config', `index.${key}`, 'true');
    git.run('config', 'index.threads', '2');
    const long = 'l'.repeat(200);
    const paths = Array.from({ length: 20_000 }, (_, i) => `folder ${i % 40}/${long} ${i}.md`);
    const info = (path: string, mode = '100644') => `${mode} ${OID}\t${path}\n`;
    git.feed(paths.map((path) => info(path)).join(''), 'update-index', '--add', '--index-info');
    const fresh = ['folder 12/new.md', 'A.md', `${'deep/'.repeat(900)}x.md`];
    const gone = [paths[0]!, paths[777]!, paths[19_999]!];
    expect(extensionsOf(indexOf(git))).toEqual(['IEOT', 'EOIE']);
    const bytes = spliceIndex(parseIndex(indexOf(git)), [
      ...gone.map((path) => ({ path: Buffer.from(path), head: null })),
      ...fresh.map((path) => ({ path: Buffer.from(path), head: entryHead(0o100755, OID, STAT) })),
    ]);
    const added = fresh.map((path) => info(path, '100755')).join('');
    git.feed(added + gone.map((path) => info(path, '0')).join(''), 'update-index', '--add', '--index-info');
    const byGit = git.run('ls-files', '--stage');
    writeFileSync(join(git.dir, '.git/index'), bytes);
    expect(git.run('ls-files', '--stage')).toBe(byGit);
  });

  it.each([
    ['a plain one', []],
    ['one with undo data', ['REUC']],
    ['one with more flags', ['-N']],
  ])('is patched to the same bytes that splicing gives: %s', (_, extras) => {
    const git = SystemGit.init();
    const names = ['a', 'a-b', 'a.md', 'b/c', 'b/d/e', 'b0', 'é', 'z'];
    for (const name of names) git.write(name, name);
    git.commit();
    if (extras.includes('-N')) git.write('n', 'n');
    if (extras.includes('-N')) git.run('add', '-N', 'n');
    const whole = parseIndex(indexOf(git));
    const undo = Buffer.from('REUC\0\0\0\0', 'latin1');
    const extensions = extras.includes('REUC') ? [{ name: 'REUC', bytes: undo }] : [];
    const index = { ...whole, extensions };
    const head = entryHead(0o100755, OID, STAT);
    const edits = (paths: readonly string[]) => paths.map((path) => ({ path: Buffer.from(path), head }));
    const spliced = spliceIndex(index, edits(['b/d/e', 'a', 'é']));
    const patched = patchIndex(index, edits(['b/d/e', 'a', 'é']));
    if (extensions.length > 0) expect(patched).toBeNull();
    else expect(patched).toEqual(parseIndex(spliced));
    // What changes the layout is not patched.
    expect(patchIndex(index, edits(['a', 'new']))).toBeNull();
    expect(patchIndex(index, [...edits(['a']), { path: Buffer.from('z'), head: null }])).toBeNull();
    if (extras.includes('-N')) expect(patchIndex(index, edits(['n']))).toBeNull();
  });

  it.each(['2', '3', '4'])('marks a file that is left out of the work tree, in version %s', (version) => {
    const git = SystemGit.init();
    git.run('config', 'index.version', version);
    for (const name of ['a', 'b/c', 'd']) git.write(name, name);
    git.commit();
    const entries = git.run('ls-files', '--stage').trim().split('\n');
    const oid = /^\d+ (\w+)/.exec(entries[1]!)![1]!;
    const edit = { path: Buffer.from('b/c'), head: entryHead(0o120000, oid, STAT, true) };
    const index = parseIndex(indexOf(git));
    expect(patchIndex(index, [edit])).toBeNull();
    writeFileSync(join(git.dir, '.git/index'), spliceIndex(index, [edit]));
    expect(git.run('ls-files', '-t').trim().split('\n')).toEqual(['H a', 'S b/c', 'H d']);
    expect(git.run('ls-files', '--stage', 'b/c')).toMatch(/^120000 /);
    // Gone with the next change of that path.
    const plain = { path: Buffer.from('b/c'), head: entryHead(0o100644, oid, STAT) };
    writeFileSync(join(git.dir, '.git/index'), spliceIndex(parseIndex(indexOf(git)), [plain]));
    expect(git.run('ls-files', '-t').trim().split('\n')).toEqual(['H a', 'H b/c', 'H d']);
    expect(git.run('diff', '--cached', '--name-only')).toBe('');
  });

  it('has a sum where the one before had one, and zeros where git spared itself the work', async () => {
    const git = SystemGit.init();
    git.write('a.md', 'a\n');
    git.commit();
    await using writer = await openWriter(git.dir);
    const isSkipped = () => indexOf(git).subarray(-20).equals(Buffer.alloc(20));
    for (const [path, skipped] of [
      ['a.md', true],
      ['b.md', true],
      ['a.md', false],
      ['c.md', false],
    ] as const) {
      // As index.skipHash has it from git 2.40 on; older ones write a sum.
      const bytes = indexOf(git);
      if (skipped) writeFileSync(join(git.dir, '.git/index'), bytes.fill(0, bytes.length - 20));
      else git.run('update-index', '--force-write-index');
      const text = `${path} ${skipped}\n`;
      git.write(path, text);
      await commitPaths(writer, git.dir, [{ path, bytes: Buffer.from(text) }]);
      expect(isSkipped()).toBe(skipped);
      expect(git.run('status', '--porcelain')).toBe('');
    }
    expectSound(git);
  });

  it('puts a file where a folder was and a folder where a file was, as git add does', () => {
    const git = SystemGit.init();
    const paths = ['a', 'a-b', 'a.md', 'b/c', 'b/d/e', 'b0', 'c/d'];
    const info = paths.map((path) => `100644 ${OID}\t${path}\n`).join('');
    git.feed(info, 'update-index', '--add', '--index-info');
    const head = entryHead(0o100644, OID, STAT);
    const bytes = spliceIndex(parseIndex(indexOf(git)), [
      { path: Buffer.from('b'), head },
      { path: Buffer.from('a/x/y'), head },
      { path: Buffer.from('none'), head: null },
    ]);
    writeFileSync(join(git.dir, '.git/index'), bytes);
    expect(git.run('ls-files').split('\n')).toEqual(['a-b', 'a.md', 'a/x/y', 'b', 'b0', 'c/d', '']);
  });

  // git takes the stat of a.md for that of its entry: many builds compare whole seconds. It looks at the
  // content because the index is not younger than the entry.
  it.each([
    ['within one tick of the disk', 0, 0],
    ['within one second', 0.5, 0.9],
  ])('does not hide a change that git would find by looking at the content: %s', async (_, later, index) => {
    const git = SystemGit.init();
    git.write('a.md', 'one\n');
    git.write('b.md', 'b\n');
    git.commit();
    const at = (path: string, seconds: number) => {
      const time = new Date(Date.UTC(2020, 0, 1) + seconds * 1000);
      utimesSync(join(git.dir, path), time, time);
    };
    at('a.md', 0);
    git.run('update-index', '--refresh', '--force-write-index');
    at('.git/index', index);
    git.run('config', 'core.trustctime', 'false');
    writeFileSync(join(git.dir, 'a.md'), 'two\n');
    at('a.md', later);
    expect(git.run('diff-files', '--name-only')).toBe('a.md\n');
    await using writer = await openWriter(git.dir);
    git.write('b.md', 'changed\n');
    await commitPaths(writer, git.dir, [{ path: 'b.md', bytes: Buffer.from('changed\n') }]);
    expect(git.run('diff-files', '--name-only')).toBe('a.md\n');
  });

  it('does not hide a change of what was just written, made in the same second', async () => {
    const git = SystemGit.init();
    git.run('config', 'core.trustctime', 'false');
    git.write('a.md', 'one\n');
    const time = new Date(Date.now() - 2000);
    utimesSync(join(git.dir, 'a.md'), time, time);
    await using writer = await openWriter(git.dir);
    await commitPaths(writer, git.dir, [{ path: 'a.md', bytes: Buffer.from('one\n') }]);
    writeFileSync(join(git.dir, 'a.md'), 'two\n');
    utimesSync(join(git.dir, 'a.md'), time, time);
    expect(git.run('status', '--porcelain')).toBe(' M a.md\n');
  });

  it('is made anew from HEAD where it was lost, with the rest of what is there', async () => {
    const git = SystemGit.init();
    for (const path of ['a.md', 'x/b.md', 'x/y/c.md', 'x-y.md']) git.write(path, `${path}\n`);
    git.commit();
    git.remove('a.md');
    rmSync(join(git.dir, '.git/index'));
    await using writer = await openWriter(git.dir);
    git.write('x/n.md', 'n\n');
    await commitPaths(writer, git.dir, [{ path: 'x/n.md', bytes: Buffer.from('n\n') }]);
    expect(git.run('status', '--porcelain')).toBe(' D a.md\n');
    expect(git.run('diff', '--cached', '--name-only')).toBe('');
  });

  it('is refused when it is damaged, split, sparse or of an unknown kind', async () => {
    const git = SystemGit.init();
    for (const name of ['a', 'b', 'c']) git.write(`${name}/${name}.md`, `${name}\n`);
    git.commit();
    const problem = async () => (await openWriter(git.dir)).problem();
    expect(await problem()).toBeNull();
    const sound = indexOf(git);
    const index = join(git.dir, '.git/index');
    git.run('update-index', '--split-index');
    expect(await problem()).toMatch(/index is split/);
    git.run('update-index', '--no-split-index');
    expect(await problem()).toBeNull();
    git.run('sparse-checkout', 'set', '--cone', '--sparse-index', 'a');
    expect(await problem()).toMatch(/index is sparse|extension/);
    git.run('sparse-checkout', 'disable');
    expect(await problem()).toBeNull();
    const flipped = Buffer.from(sound);
    flipped[100] = flipped[100]! ^ 1;
    for (const bytes of [
      Buffer.alloc(0),
      sound.subarray(0, 90),
      flipped,
      Buffer.from('not an index at all, no'),
    ]) {
      writeFileSync(index, bytes);
      expect(await problem()).toMatch(/index is damaged/);
    }
    const newer = Buffer.from(sound);
    newer.writeUInt32BE(5, 4);
    writeFileSync(index, newer);
    expect(await problem()).toMatch(/index has version 5/);
    writeFileSync(index, sound);
    appendFileSync(index, 'x');
    expect(await problem()).toMatch(/damaged/);
    rmSync(index);
    mkdirSync(index);
    expect(await problem()).toMatch(/index cannot be read \(EISDIR\)/);
  });
});

describe('a hostile index', () => {
  it('is parsed or refused, never more', () => {
    const path = fc.string({ minLength: 1, maxLength: 30 }).map((text) => text.replaceAll('\0', '_'));
    const sound = fc.uniqueArray(path, { maxLength: 8 }).map((paths) => {
      const head = entryHead(0o100644, OID, STAT);
      return spliceIndex(
        emptyIndex(),
        paths.map((name) => ({ path: Buffer.from(name), head })),
      );
    });
    const damage = fc.array(fc.tuple(fc.nat(400), fc.nat(255)), { minLength: 1, maxLength: 8 });
    fc.assert(
      fc.property(sound, damage, fc.constantFrom(2, 3, 4), (bytes, changes, version) => {
        const hostile = Buffer.from(bytes);
        hostile.writeUInt32BE(version, 4);
        for (const [at, value] of changes) if (at < hostile.length) hostile[at] = value;
        try {
          const index = parseIndex(hostile);
          const again = parseIndex(spliceIndex(index, [{ path: Buffer.from('m'), head: null }]));
          expect(again.count).toBeLessThanOrEqual(index.count);
        } catch (error) {
          expect(error).toMatchObject({ code: 'repository_unwritable' });
        }
      }),
      { numRuns: 2000 },
    );
  });
});
