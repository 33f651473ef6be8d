import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { type GitStore, type GitStoreOptions, openGitStore } from './git-store.ts';
import { locateGitDir } from './repository/locate.ts';
import { type GeneratedCommit, importCommits } from './testing/fast-import.ts';

async function open(dir: string, options: GitStoreOptions = {}): Promise<GitStore> {
  return openGitStore((await locateGitDir(dir))!, options);
}

interface StoredObject {
  readonly oid: string;
  readonly type: string;
  readonly data: Buffer;
}

/** All objects, by the system's git (cat-file, "BATCH OUTPUT"). */
function objectsOf(git: SystemGit): StoredObject[] {
  const output = git.bytes('cat-file', '--batch-all-objects', '--batch');
  const objects: StoredObject[] = [];
  for (let at = 0; at < output.length; ) {
    const end = output.indexOf('\n', at);
    const [oid = '', type = '', size] = output.toString('latin1', at, end).split(' ');
    objects.push({ oid, type, data: output.subarray(end + 1, end + 1 + Number(size)) });
    at = end + 1 + Number(size) + 1;
  }
  return objects;
}

async function expectSameObjects(store: GitStore, git: SystemGit): Promise<void> {
  const objects = objectsOf(git);
  expect(objects.length).toBeGreaterThan(10);
  for (const { oid, type, data } of objects) {
    expect(await store.sizeOf(oid), oid).toBe(data.length);
    if (type === 'blob') expect((await store.readBlob(oid)).equals(data), oid).toBe(true);
    if (type === 'tree') {
      const entries = (await store.readTree(oid)).flatMap((entry) => [
        Buffer.from(`${entry.mode.toString(8)} ${entry.name}\0`),
        Buffer.from(entry.oid, 'hex'),
      ]);
      expect(Buffer.concat(entries).equals(data), oid).toBe(true);
    }
  }
  const format = '--format=%H%n%T%n%P%n%an%n%ae%n%at%n%ct%n%B%x00';
  for (const record of git.run('log', '--all', format).split('\0\n').filter(Boolean)) {
    const { oid, tree, parents, author, committer, message } = await store.readCommit(record.slice(0, 40));
    const head = [oid, tree, parents.join(' '), author.name, author.email, author.time / 1000];
    expect([...head, committer.time / 1000, message].join('\n').trimEnd()).toBe(record.trimEnd());
  }
}

/** A history with long delta chains, deep folders, and blobs of every size class. */
function variedRepository(): SystemGit {
  const git = SystemGit.init(temporaryFolder());
  let long = '';
  const commits: GeneratedCommit[] = Array.from({ length: 40 }, (_, i) => {
    long += `line ${i} ${'x'.repeat(i * 7)}\n`;
    const files = { 'Long note.md': long.repeat(20), [`Folder/${i % 3}/[x] ünï 日本.md`]: `${i}\n` };
    return { time: 1_700_000_000 + i, message: `Commit ${i}\n\nBody with ümlaut\n`, files };
  });
  const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, i) => (i * i * 31) % 251));
  importCommits(git, [...commits, { time: 1_700_001_000, files: { 'Empty.md': '', 'Bytes.bin': bytes } }]);
  git.run('reset', '-q', '--hard');
  return git;
}

describeWithPrograms('GitStore', ['git'], () => {
  it('reads every object as git does: loose, packed, as deltas by offset and by id', async () => {
    const git = variedRepository();
    await using loose = await open(git.dir);
    await expectSameObjects(loose, git);
    git.run('gc', '-q', '--aggressive', '--prune=now');
    expect(readdirSync(join(git.dir, '.git/objects/pack')).length).toBeGreaterThan(1);
    // The open store finds the pack that came while it was open.
    await expectSameObjects(loose, git);
    git.run('-c', 'repack.useDeltaBaseOffset=false', 'repack', '-q', '-a', '-d', '-f', '--depth=100');
    await using packed = await open(git.dir);
    await expectSameObjects(packed, git);
    await expectSameObjects(loose, git);
  });

  it('reads from several packs and from the repository that a clone borrows from', async () => {
    const git = variedRepository();
    git.run('repack', '-q', '-d');
    const borrower = new SystemGit(temporaryFolder());
    borrower.run('clone', '-q', '--shared', git.dir, 'vault');
    const clone = new SystemGit(join(borrower.dir, 'vault'));
    clone.write('Own.md', 'own\n');
    clone.commit('Own');
    clone.run('repack', '-q', '-d', '-l');
    await using store = await open(clone.dir);
    await expectSameObjects(store, clone);
  });

  it('finds the vault and its notes in a commit, in either Unicode form', async () => {
    const git = SystemGit.init(temporaryFolder());
    const nfd = 'Café.md'.normalize('NFD');
    git.write(`vault/${nfd}`, 'coffee\n');
    git.write('vault/sub/[x].md', 'brackets\n');
    git.write('vault/run.md', 'mode\n');
    chmodSync(join(git.dir, 'vault/run.md'), 0o755);
    const commit = git.commit();
    await using store = await open(join(git.dir, 'vault'));
    expect(await store.treeAt(commit)).toBe(git.run('rev-parse', 'HEAD:vault').trim());
    const text = async (path: string) => (await store.blobAt(commit, path))?.bytes.toString('utf8');
    expect(await text('Café.md'.normalize('NFC'))).toBe('coffee\n');
    expect(await text(nfd)).toBe('coffee\n');
    expect(await text('sub/[x].md')).toBe('brackets\n');
    expect(await text('run.md')).toBe('mode\n');
    for (const path of ['sub', 'missing.md', 'sub/missing.md', 'run.md/x.md', '../vault/run.md', '']) {
      expect(await store.blobAt(commit, path), path).toBeNull();
    }
  });

  it('stores CRLF and other bytes as git converted them', async () => {
    const git = SystemGit.init();
    git.write('.gitattributes', '*.md text eol=crlf\n');
    git.write('A.md', 'one\r\ntwo\r\n');
    const commit = git.commit();
    await using store = await open(git.dir);
    expect((await store.blobAt(commit, 'A.md'))?.bytes.toString()).toBe('one\ntwo\n');
  });

  it('knows the empty tree without storing it', async () => {
    const git = SystemGit.init();
    const commit = git.commit('Empty');
    await using store = await open(git.dir);
    expect(await store.readTree((await store.readCommit(commit)).tree)).toEqual([]);
  });

  it('goes on after it was idle and after it was closed', async () => {
    const git = variedRepository();
    git.run('gc', '-q');
    const head = git.run('rev-parse', 'HEAD').trim();
    const store = await open(git.dir, { idleMs: 1 });
    for (let i = 0; i < 3; i++) {
      expect((await store.readCommit(head)).oid).toBe(head);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    await store.close();
    expect((await store.readCommit(head)).oid).toBe(head);
    await store.close();
  });

  it('reads a pack by pages: memory does not grow with the pack', async () => {
    const git = SystemGit.init();
    for (let i = 0; i < 8; i++) {
      git.write(
        `${i}.bin`,
        Buffer.from(Array.from({ length: 500_000 }, (_, k) => ((k * (i + 3)) ^ (k >> 5)) & 255)),
      );
    }
    git.write('A.md', 'a\n');
    const commit = git.commit();
    git.run('-c', 'pack.compression=0', 'repack', '-q', '-a', '-d', '-F');
    const pack = readdirSync(join(git.dir, '.git/objects/pack')).find((name) => name.endsWith('.pack'))!;
    expect(statSync(join(git.dir, '.git/objects/pack', pack)).size).toBeGreaterThan(3_900_000);
    const limits = { pages: 256 * 1024, objects: 64 * 1024, object: 200_000 };
    await using store = await open(git.dir, { limits });
    const before = process.memoryUsage().arrayBuffers;
    expect((await store.blobAt(commit, 'A.md'))?.bytes.toString()).toBe('a\n');
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(1_500_000);
    await expect(store.blobAt(commit, '3.bin')).rejects.toMatchObject({ code: 'repository_unreadable' });
  });
});

describeWithPrograms('GitStore on a damaged repository', ['git'], () => {
  const unreadable = (reason: RegExp) => ({
    code: 'repository_unreadable',
    data: { reason: expect.stringMatching(reason) },
  });
  const objectFile = (git: SystemGit, oid: string) =>
    join(git.dir, '.git/objects', oid.slice(0, 2), oid.slice(2));

  function oneNote(): { git: SystemGit; blob: string } {
    const git = SystemGit.init();
    git.write('A.md', 'some text\n'.repeat(50));
    git.commit();
    return { git, blob: git.run('rev-parse', 'HEAD:A.md').trim() };
  }

  function replace(file: string, bytes: Uint8Array): void {
    mkdirSync(dirname(file), { recursive: true });
    rmSync(file, { force: true });
    writeFileSync(file, bytes);
  }

  it('says which object is missing, and what has the wrong kind', async () => {
    const { git, blob } = oneNote();
    await using store = await open(git.dir);
    await expect(store.readTree(blob)).rejects.toMatchObject(unreadable(/is a blob, not a tree/));
    await expect(store.readBlob('HEAD')).rejects.toMatchObject(unreadable(/40 hex digits/));
    await store.close();
    rmSync(objectFile(git, blob));
    await expect(store.readBlob(blob)).rejects.toMatchObject(
      unreadable(new RegExp(`blob ${blob} is missing`)),
    );
  });

  it.each([
    ['of other content', deflateSync('blob 3\0abc')],
    ['with a wrong size', deflateSync('blob 4\0abc')],
    ['without a header', deflateSync('abc')],
    ['that is no zlib stream', Buffer.from('abc')],
    ['that is empty', Buffer.alloc(0)],
    ['that unpacks to far more than an object may have', deflateSync(Buffer.alloc(3_000_000))],
  ])('refuses a loose object %s', async (_, bytes) => {
    const { git, blob } = oneNote();
    replace(objectFile(git, blob), bytes);
    await using store = await open(git.dir, { limits: { object: 1_000_000 } });
    await expect(store.readBlob(blob)).rejects.toMatchObject(unreadable(/./));
  });

  it('refuses a pack with a flipped bit anywhere, or cut short', async () => {
    const git = variedRepository();
    git.run('gc', '-q', '--prune=now');
    const folder = join(git.dir, '.git/objects/pack');
    const pack = join(folder, readdirSync(folder).find((name) => name.endsWith('.pack'))!);
    const whole = readFileSync(pack);
    const objects = objectsOf(git);
    chmodSync(pack, 0o644);
    const readAll = async () => {
      await using store = await open(git.dir);
      let failures = 0;
      for (const { oid, type } of objects) {
        if (type !== 'blob') continue;
        const outcome = await store.readBlob(oid).catch((error: unknown) => error);
        if (!(outcome instanceof Error)) continue;
        expect(outcome).toMatchObject({ code: 'repository_unreadable' });
        failures++;
      }
      return failures;
    };
    expect(await readAll()).toBe(0);
    let refused = 0;
    for (let i = 0; i < 20; i++) {
      const bytes = Buffer.from(whole);
      const at = 12 + Math.floor(((whole.length - 32) * i) / 20);
      bytes[at] = bytes[at]! ^ 0x10;
      writeFileSync(pack, bytes);
      refused += await readAll();
    }
    expect(refused).toBeGreaterThan(0);
    writeFileSync(pack, whole);
    truncateSync(pack, whole.length >> 1);
    expect(await readAll()).toBeGreaterThan(0);
  });

  it('refuses pack indexes of other versions, cut ones, and goes on when one is mended', async () => {
    const { git, blob } = oneNote();
    git.run('gc', '-q', '--prune=now');
    const folder = join(git.dir, '.git/objects/pack');
    const index = join(folder, readdirSync(folder).find((name) => name.endsWith('.idx'))!);
    const whole = readFileSync(index);
    chmodSync(index, 0o644);
    await using store = await open(git.dir);
    for (const bytes of [Buffer.alloc(0), whole.subarray(0, 1100), Buffer.concat([Buffer.alloc(8), whole])]) {
      writeFileSync(index, bytes);
      await expect(store.readBlob(blob)).rejects.toMatchObject(unreadable(/index of a pack/));
    }
    writeFileSync(index, whole);
    expect((await store.readBlob(blob)).length).toBe(500);
    appendFileSync(index, 'x');
    expect((await store.readBlob(blob)).length).toBe(500);
  });
});
