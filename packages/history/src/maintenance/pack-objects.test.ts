import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { diskWriteFs, systemClock, type WriteFs } from '@grove/core';
import { collect, describeWithPrograms, type SystemGit, spawnScript } from '@grove/testing';
import { expect, it } from 'vitest';
import { openGitStore } from '../git-store.ts';
import { locateGitDir } from '../repository/locate.ts';
import { newRepository } from '../testing/opened-history.ts';
import { NO_USER_SETTINGS } from '../writing/rules/user-settings.ts';
import { readGitDirState } from './git-dir-state.ts';
import { type PackingOptions, type PackingOutcome, packObjects } from './pack-objects.ts';

const killedScript = fileURLToPath(new URL('../testing/pack-until-killed.ts', import.meta.url));

/** A repository of so many commits, all of it loose. */
function edited(commits: number): SystemGit {
  const git = newRepository();
  git.run('config', 'gc.auto', '0');
  for (let at = 0; at < 40; at++)
    git.write(`Folder/Note ${at}.md`, `# Note ${at}\n\n${'words '.repeat(60)}\n`);
  for (let at = 0; at < commits; at++) {
    git.write(`Folder/Note ${at % 7}.md`, `# Note\n\n${'words '.repeat(60)}\nLine ${at}\n`);
    git.commit(`Change ${at}`);
  }
  return git;
}

function copyOf(git: SystemGit): SystemGit {
  const copy = newRepository();
  cpSync(git.dir, copy.dir, { recursive: true, preserveTimestamps: true });
  copy.run('update-index', '-q', '--refresh');
  return copy;
}

async function pack(git: SystemGit, options: Partial<PackingOptions> = {}): Promise<PackingOutcome> {
  const location = (await locateGitDir(git.dir))!;
  return packObjects(location, { clock: systemClock, user: NO_USER_SETTINGS, ...options });
}

async function state(git: SystemGit) {
  return readGitDirState((await locateGitDir(git.dir))!);
}

/** Every object, reachable or not, as git itself lists them. */
function objectsOf(git: SystemGit): string[] {
  const format = '--batch-check=%(objectname) %(objecttype) %(objectsize)';
  return git.run('cat-file', '--batch-all-objects', format).trim().split('\n');
}

function expectWhole(git: SystemGit, objects: readonly string[]): void {
  expect(objectsOf(git)).toEqual(objects);
  expect(git.run('fsck', '--strict', '--full', '--no-dangling', '--no-progress')).toBe('');
  expect(git.run('status', '--porcelain')).toBe('');
}

function objectPath(git: SystemGit, oid: string): string {
  return join(git.dir, '.git', 'objects', oid.slice(0, 2), oid.slice(2));
}

/** A disk that stops doing anything at its call with this number, as a killed process does. */
function dyingFs(at: number): { readonly fs: WriteFs; calls(): number } {
  let calls = 0;
  const pass = () => {
    calls += 1;
    if (calls >= at) throw Object.assign(new Error('killed'), { code: 'KILLED' });
  };
  const fs = new Proxy(diskWriteFs, {
    get: (disk, name: keyof WriteFs) => {
      const call = disk[name] as (...args: unknown[]) => Promise<unknown>;
      return async (...args: unknown[]) => {
        pass();
        const result = await call(...args);
        if (name !== 'create') return result;
        const handle = result as Awaited<ReturnType<WriteFs['create']>>;
        return {
          ...handle,
          write: async (bytes: Uint8Array) => {
            pass();
            return handle.write(bytes);
          },
          sync: async () => {
            pass();
            return handle.sync();
          },
        };
      };
    },
  });
  return { fs, calls: () => calls };
}

describeWithPrograms('packing loose objects', ['git'], () => {
  it('leaves every object in one pack that git finds sound, and takes a fraction of the place', async () => {
    const git = edited(60);
    const objects = objectsOf(git);
    const before = await state(git);
    expect(before).toMatchObject({ looseObjects: objects.length, packs: 0 });
    expect(await pack(git)).toEqual({ packed: objects.length, joined: 0, declined: null });
    const after = await state(git);
    expect(after).toMatchObject({ looseObjects: 0, packs: 1 });
    expect(after.bytes).toBeLessThan(before.bytes / 3);
    expectWhole(git, objects);
  });

  it('keeps what no commit reaches', async () => {
    const git = edited(2);
    const lost = git.feed('nobody names this\n', 'hash-object', '-w', '--stdin').trim();
    await pack(git);
    expect(existsSync(objectPath(git, lost))).toBe(false);
    expect(git.run('cat-file', 'blob', lost)).toBe('nobody names this\n');
  });

  it('changes nothing the second time', async () => {
    const git = edited(5);
    await pack(git);
    const files = readdirSync(join(git.dir, '.git', 'objects', 'pack'));
    expect(await pack(git)).toEqual({ packed: 0, joined: 0, declined: null });
    expect(readdirSync(join(git.dir, '.git', 'objects', 'pack'))).toEqual(files);
  });

  it('removes what a pack holds already, and packs it no second time', async () => {
    const git = edited(5);
    git.run('repack', '-q', '-a');
    const objects = objectsOf(git);
    expect((await state(git)).looseObjects).toBe(objects.length);
    expect((await pack(git)).packed).toBe(objects.length);
    expect(await state(git)).toMatchObject({ looseObjects: 0, packs: 1 });
    expectWhole(git, objects);
  });

  it('does not count on a cruft pack, whose objects git removes', async () => {
    const git = edited(3);
    const lost = git.feed('left over\n', 'hash-object', '-w', '--stdin').trim();
    git.run('gc', '-q', '--cruft', '--prune=never');
    expect(
      readdirSync(join(git.dir, '.git', 'objects', 'pack')).some((name) => name.endsWith('.mtimes')),
    ).toBe(true);
    git.feed('left over\n', 'hash-object', '-w', '--stdin');
    writeFileSync(join(git.dir, 'Use.md'), 'left over\n');
    git.commit('Use what was left over');
    await pack(git);
    git.run('prune', '--expire=now');
    git.run('gc', '-q', '--prune=now');
    expect(git.run('cat-file', 'blob', lost)).toBe('left over\n');
  });

  it('leaves a file alone that somebody has freshened since', async () => {
    const git = edited(3);
    const head = git.run('rev-parse', 'HEAD').trim();
    const fs: WriteFs = {
      ...diskWriteFs,
      rename: async (from, to) => {
        if (to.endsWith('.idx')) utimesSync(objectPath(git, head), new Date(), new Date());
        return diskWriteFs.rename(from, to);
      },
    };
    const objects = objectsOf(git);
    expect((await pack(git, { fs })).packed).toBe(objects.length - 1);
    expect(existsSync(objectPath(git, head))).toBe(true);
    expectWhole(git, objects);
  });

  it('packs all but the object that is damaged, and leaves that one for a repair', async () => {
    const git = edited(3);
    const blob = git.run('rev-parse', 'HEAD:Folder/Note 0.md').trim();
    const whole = readFileSync(objectPath(git, blob));
    const objects = objectsOf(git);
    const other = git.feed('other\n', 'hash-object', '-w', '--stdin').trim();
    const damaged = readFileSync(objectPath(git, other));
    replaceFile(objectPath(git, blob), damaged);
    expect((await pack(git)).packed).toBe(objects.length);
    expect((await state(git)).looseObjects).toBe(1);
    replaceFile(objectPath(git, blob), whole);
    expect(git.run('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
  });

  it('leaves a very large object as it is', async () => {
    const git = edited(1);
    git.write('film.bin', randomBytes(17 * 1024 * 1024));
    git.commit('A film');
    const objects = objectsOf(git);
    expect((await pack(git)).packed).toBe(objects.length - 1);
    expect((await state(git)).looseObjects).toBe(1);
    expectWhole(git, objects);
  });

  it('joins small packs once they are many, and leaves one that is kept by hand', async () => {
    const git = edited(1);
    await pack(git);
    const [kept = ''] = readdirSync(join(git.dir, '.git', 'objects', 'pack')).filter((name) =>
      name.endsWith('.pack'),
    );
    writeFileSync(join(git.dir, '.git', 'objects', 'pack', kept.replace('.pack', '.keep')), '');
    for (let at = 0; at < 4; at++) {
      git.write('Folder/Note 1.md', `Another ${at}\n`);
      git.commit(`More ${at}`);
      expect((await pack(git, { joinFrom: 4 })).joined).toBe(0);
    }
    const objects = objectsOf(git);
    expect((await state(git)).packs).toBe(5);
    git.write('Folder/Note 1.md', 'Last\n');
    git.commit('Last');
    expect(await pack(git, { joinFrom: 4 })).toEqual({ packed: 4, joined: 4, declined: null });
    expect((await state(git)).packs).toBe(2);
    expectWhole(git, objectsOf(git));
    expect(objectsOf(git).length).toBe(objects.length + 4);
    expect(existsSync(join(git.dir, '.git', 'objects', 'pack', kept))).toBe(true);
  });

  it('is found by a store that read the repository before', async () => {
    const git = edited(3);
    const location = (await locateGitDir(git.dir))!;
    await using store = await openGitStore(location, { limits: { objects: 1 } });
    const blob = git.run('rev-parse', 'HEAD:Folder/Note 0.md').trim();
    const { length } = await store.readBlob(blob);
    await pack(git);
    expect((await store.readBlob(blob)).length).toBe(length);
  });

  it('makes packs that a group may read where the repository is shared', async () => {
    const git = edited(1);
    git.run('config', 'core.sharedRepository', 'group');
    await pack(git);
    for (const name of readdirSync(join(git.dir, '.git', 'objects', 'pack')))
      expect(statSync(join(git.dir, '.git', 'objects', 'pack', name)).mode & 0o777).toBe(0o444);
  });
});

describeWithPrograms('packing that is stopped', ['git'], () => {
  it('at any call of the disk loses nothing, and the next run ends it', async () => {
    const template = edited(1);
    template.run('repack', '-q', '-d');
    template.write('Folder/Note 3.md', 'fresh\n');
    template.commit('Fresh');
    const objects = objectsOf(template);
    for (let at = 1; ; at += 1) {
      const git = copyOf(template);
      const { fs, calls } = dyingFs(at);
      const ended = await pack(git, { fs, joinFrom: 1 }).catch((error: unknown) => error);
      expectWhole(git, objects);
      await pack(git, { joinFrom: 1 });
      expectWhole(git, objects);
      expect(await state(git)).toMatchObject({ looseObjects: 0, packs: 1 });
      expect(existsSync(join(git.dir, '.git', 'gc.pid'))).toBe(false);
      const left = readdirSync(join(git.dir, '.git', 'objects', 'pack')).filter((name) =>
        name.startsWith('tmp_'),
      );
      expect(left).toEqual([]);
      if (!(ended instanceof Error)) {
        expect(calls()).toBeLessThan(at);
        return;
      }
    }
  });

  it('by a kill loses nothing, and the next process ends it', async () => {
    const git = edited(2);
    const objects = objectsOf(git);
    const outputs: string[] = [];
    // The lock, the pack, its index, their names, the first files that go, and the end.
    for (const at of ['1', '3', '4', '5', '6', '8', '12', '1000']) {
      const child = spawnScript(killedScript, [git.dir, at]);
      const output = collect(child.stdout);
      await once(child, 'close');
      outputs.push(output());
      expectWhole(git, objects);
    }
    expect(outputs.join('')).toBe('done\n');
    expect(await state(git)).toMatchObject({ looseObjects: 0, packs: 1 });
    expect(existsSync(join(git.dir, '.git', 'gc.pid'))).toBe(false);
  });

  it('by its signal removes what it began', async () => {
    const git = edited(30);
    const objects = objectsOf(git);
    const stop = new AbortController();
    const packing = pack(git, {
      signal: stop.signal,
      onProgress: (done) => {
        if (done === objects.length + 5) stop.abort(new Error('closing'));
      },
    });
    await expect(packing).rejects.toThrow('closing');
    expect(readdirSync(join(git.dir, '.git', 'objects', 'pack'))).toEqual([]);
    expectWhole(git, objects);
  });
});

describeWithPrograms('packing beside other gits', ['git'], () => {
  it('waits for another time while a git collects, and git for ours', async () => {
    const git = edited(2);
    const pid = join(git.dir, '.git', 'gc.pid');
    writeFileSync(pid, `${process.ppid} ${hostname()}`);
    expect(await pack(git)).toMatchObject({
      packed: 0,
      declined: expect.stringContaining('Another program'),
    });
    expect(existsSync(pid)).toBe(true);
    writeFileSync(pid, `99999999 ${hostname()}`);
    let refused = '';
    const fs: WriteFs = {
      ...diskWriteFs,
      rename: async (from, to) => {
        if (to.endsWith('.idx')) {
          try {
            git.run('gc', '-q');
          } catch (error) {
            refused = String(error);
          }
        }
        return diskWriteFs.rename(from, to);
      },
    };
    expect((await pack(git, { fs })).packed).toBeGreaterThan(0);
    expect(refused).toContain('gc is already running');
    expect(existsSync(pid)).toBe(false);
  });

  it('loses nothing of commits and repacks that a shell makes meanwhile', async () => {
    const git = edited(20);
    let commits = 0;
    const fs: WriteFs = {
      ...diskWriteFs,
      unlink: async (path) => {
        if (commits < 4 && path.includes('/objects/')) {
          commits += 1;
          git.write('Folder/Shell.md', `from a shell ${commits}\n`);
          git.commit(`Shell ${commits}`);
          if (commits === 4) git.run('repack', '-q', '-a', '-d');
        }
        return diskWriteFs.unlink(path);
      },
    };
    await pack(git, { fs });
    expect(commits).toBe(4);
    expect(git.run('rev-list', '--count', 'HEAD').trim()).toBe('24');
    expect(git.run('fsck', '--strict', '--full', '--no-dangling', '--no-progress')).toBe('');
    expect(git.run('status', '--porcelain')).toBe('');
  });

  it('looks again when a repack took objects away that it was about to pack', async () => {
    const git = edited(3);
    const objects = objectsOf(git);
    let repacked = false;
    const fs: WriteFs = {
      ...diskWriteFs,
      create: async (path, mode) => {
        if (!repacked && path.endsWith('-pack')) {
          repacked = true;
          git.run('repack', '-q', '-a', '-d');
        }
        return diskWriteFs.create(path, mode);
      },
    };
    expect((await pack(git, { fs })).declined).toBeNull();
    expect(repacked).toBe(true);
    expect(await state(git)).toMatchObject({ looseObjects: 0, packs: 1 });
    expectWhole(git, objects);
  });

  it('leaves alone what git itself would not repack', async () => {
    const git = edited(1);
    git.run('config', 'core.repositoryFormatVersion', '1');
    git.run('config', 'extensions.preciousObjects', 'true');
    expect((await pack(git)).declined).toContain('precious');
    git.run('config', '--unset', 'extensions.preciousObjects');
    git.run('config', 'remote.origin.promisor', 'true');
    expect((await pack(git)).declined).toContain('partial clone');
    expect((await state(git)).packs).toBe(0);
  });
});

function replaceFile(path: string, bytes: Uint8Array): void {
  writeFileSync(`${path}.new`, bytes);
  renameSync(`${path}.new`, path);
}
