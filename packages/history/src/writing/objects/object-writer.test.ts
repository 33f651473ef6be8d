import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  utimesSync,
} from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { diskWriteFs, type WriteFs } from '@grove/core';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { ADA, commitPaths, expectSound, openWriter } from '../../testing/git-twin.ts';
import type { GitWriter } from '../git-writer.ts';
import type { BuiltCommit } from './build-commit.ts';

const OLD = new Date('2020-01-01');

function repository(): SystemGit {
  const git = SystemGit.init();
  for (let i = 0; i < 30; i++) git.write(`Folder/${i}.md`, `${'text '.repeat(20)}${i}\n`);
  git.commit();
  return git;
}

const loosePath = (git: SystemGit, oid: string) =>
  join(git.dir, '.git/objects', oid.slice(0, 2), oid.slice(2));
const isLoose = (git: SystemGit, oid: string) => existsSync(loosePath(git, oid));

async function build(writer: GitWriter, path: string, text: string): Promise<BuiltCommit> {
  const parent = await writer.tipOf('refs/heads/main');
  const changes = [{ path, bytes: Buffer.from(text) }];
  return writer.buildCommit({ parent, changes, author: ADA, committer: ADA, message: 'm' });
}

function blobOf(built: BuiltCommit): string {
  return built.changes[0]!.oid!;
}

const packs = (git: SystemGit, suffix: string) =>
  readdirSync(join(git.dir, '.git/objects/pack')).filter((name) => name.endsWith(suffix));

describeWithPrograms('objects written by Grove', ['git'], () => {
  it('are read-only files whose times say that they are new, and nothing is written before it is asked', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    const built = await build(writer, 'Folder/new.md', 'new\n');
    expect([...built.objects.keys()].some((oid) => isLoose(git, oid))).toBe(false);
    expect(await writer.has(built.oid)).toBe(false);
    await writer.writeObjects(built);
    for (const oid of built.objects.keys()) {
      expect(statSync(loosePath(git, oid)).mode & 0o777).toBe(0o444);
      utimesSync(loosePath(git, oid), OLD, OLD);
    }
    expect(await writer.has(built.oid)).toBe(true);
    await writer.writeObjects(built);
    for (const oid of built.objects.keys()) {
      expect(statSync(loosePath(git, oid)).mtimeMs).toBeGreaterThan(OLD.getTime());
    }
    await writer.syncObjects([built]);
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
    expect(git.run('cat-file', 'blob', blobOf(built))).toBe('new\n');
    expect(readdirSync(join(git.dir, '.git/objects'), { recursive: true }).join()).not.toContain('tmp_obj');
  });

  it('that a pack holds are not written again, only the pack counts as new', async () => {
    const git = repository();
    git.run('gc', '-q');
    const pack = join(git.dir, '.git/objects/pack', packs(git, '.pack')[0]!);
    utimesSync(pack, OLD, OLD);
    await using writer = await openWriter(git.dir);
    const built = await build(writer, 'Copy.md', `${'text '.repeat(20)}3\n`);
    await writer.writeObjects(built);
    expect(isLoose(git, blobOf(built))).toBe(false);
    expect(statSync(pack).mtimeMs).toBeGreaterThan(OLD.getTime());
    await writer.syncObjects([built]);
  });

  it('that only a cruft pack holds are written loose: gc removes that pack some day', async () => {
    const git = repository();
    const lost = git.feed('lost\n', 'hash-object', '-w', '--stdin').trim();
    git.run('repack', '-q', '--cruft', '-d');
    expect(packs(git, '.mtimes').length).toBe(1);
    expect(isLoose(git, lost)).toBe(false);
    await using writer = await openWriter(git.dir);
    const built = await build(writer, 'Lost.md', 'lost\n');
    expect(blobOf(built)).toBe(lost);
    await writer.writeObjects(built);
    expect(isLoose(git, lost)).toBe(true);
  });

  it('that an alternate holds are found there', async () => {
    const source = repository();
    const dir = join(temporaryFolder(), 'clone');
    source.run('clone', '-q', '--shared', source.dir, dir);
    const git = new SystemGit(dir);
    await using writer = await openWriter(dir);
    git.write('Folder/1.md', 'changed\n');
    await commitPaths(writer, dir, [{ path: 'Folder/1.md', bytes: Buffer.from('changed\n') }]);
    expectSound(git);
  });

  it('that a crash left damaged are written again where that is asked', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    const built = await build(writer, 'n.md', 'note '.repeat(100));
    await writer.writeObjects(built);
    const [whole, empty, cut] = [...built.objects.keys()].map((oid) => loosePath(git, oid));
    for (const path of [whole!, empty!, cut!]) chmodSync(path, 0o644);
    truncateSync(empty!, 0);
    truncateSync(cut!, 20);
    const before = statSync(whole!).ino;
    await writer.writeObjects(built, { repair: true });
    expect(statSync(whole!).ino).toBe(before);
    await writer.moveRef({
      ref: 'refs/heads/main',
      from: built.parent,
      to: built.oid,
      reflog: 'x',
      who: ADA,
    });
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
  });

  it('survive every gc between two writes', async () => {
    const git = repository();
    await using writer = await openWriter(git.dir);
    for (let i = 0; i < 4; i++) {
      const text = `round ${i}\n`;
      git.write(`Folder/${i}.md`, text);
      const changes = [{ path: `Folder/${i}.md`, bytes: Buffer.from(text) }];
      await commitPaths(writer, git.dir, changes);
      git.run('gc', '-q', '--prune=now');
    }
    expect(git.run('count-objects', '-v')).toContain('count: 0\n');
    expectSound(git);
  });

  it('are written though gc takes their folder away whenever it finds it empty', async () => {
    const git = repository();
    let taken = 0;
    const fs: WriteFs = {
      ...diskWriteFs,
      async mkdir(path) {
        await diskWriteFs.mkdir(path);
        if (/objects.[0-9a-f]{2}$/.test(path) && taken++ < 3) await diskWriteFs.rmdir(path);
      },
    };
    await using writer = await openWriter(git.dir, { fs });
    for (let i = 0; i < 20 && taken < 3; i++) {
      const text = `note ${i}\n`;
      git.write(`${i}.md`, text);
      await commitPaths(writer, git.dir, [{ path: `${i}.md`, bytes: Buffer.from(text) }]);
    }
    expect(taken).toBeGreaterThanOrEqual(3);
    expectSound(git);
  });

  it('have the permissions and the compression that are configured', async () => {
    const git = repository();
    git.run('config', 'core.sharedRepository', 'group');
    git.run('config', 'core.looseCompression', '0');
    await using writer = await openWriter(git.dir);
    mkdirSync(join(git.dir, '.git/grove'));
    git.write('n.md', 'n'.repeat(500));
    const built = await commitPaths(writer, git.dir, [{ path: 'n.md', bytes: Buffer.from('n'.repeat(500)) }]);
    const blob = readFileSync(loosePath(git, blobOf(built)));
    expect(blob.length).toBeGreaterThan(500);
    expect(inflateSync(blob).toString()).toBe(`blob 500\0${'n'.repeat(500)}`);
    const mode = (path: string) => statSync(join(git.dir, '.git', path)).mode & 0o7777;
    expect(mode(`objects/${built.oid.slice(0, 2)}/${built.oid.slice(2)}`)).toBe(0o444);
    for (const file of ['index', 'refs/heads/main', 'logs/HEAD'])
      expect(mode(file) & 0o660, file).toBe(0o660);
    const fresh = readdirSync(join(git.dir, '.git/objects')).filter((name) => /^..$/.test(name));
    expect(fresh.some((name) => (mode(`objects/${name}`) & 0o2070) === 0o2070)).toBe(true);
  });
});
