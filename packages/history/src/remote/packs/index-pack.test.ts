import { execFileSync } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { diskWriteFs } from '@grove/core';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { locateGitDir } from '../../repository/locate.ts';
import { BrokenLine } from '../wire/pkt-line.ts';
import { storeWith } from './incoming.ts';
import { type IndexLimits, indexPack } from './index-pack.ts';
import { storePack } from './store-pack.ts';

/** Versions of a folder of many notes and of a long one: what git makes deltas of. */
function grown(notes = 200): { git: SystemGit; first: string; last: string } {
  const git = SystemGit.init();
  const text = (change: number) =>
    Array.from({ length: 400 }, (_, at) => `- line ${at} ${at === change ? 'changed' : ''}`).join('\n');
  for (let at = 0; at < notes; at++) git.write(`Folder/Note ${at}.md`, `# ${Math.sin(at)}\n`);
  git.write('Long.md', text(-1));
  git.write('Picture.png', randomBytes(1_500_000));
  const first = git.commit();
  for (let at = 0; at < 12; at++) {
    git.write(`Folder/Note ${at}.md`, `# Changed ${at}\n`);
    git.write('Long.md', text(at));
    git.commit();
  }
  return { git, first, last: git.run('rev-parse', 'HEAD').trim() };
}

function packed(git: SystemGit, revisions: string, ...args: string[]): Buffer {
  const input = `${revisions}\n`;
  const options = ['pack-objects', '--revs', '--stdout', '-q', '--depth=50', ...args];
  return execFileSync('git', options, { cwd: git.dir, input, maxBuffer: 1 << 28 });
}

async function* inPieces(bytes: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += 10_000) yield bytes.subarray(at, at + 10_000);
}

/** Indexes a pack for a repository; where the bases come from that it lacks. */
async function indexed(
  bytes: Buffer,
  base: SystemGit | null,
  limits: Partial<IndexLimits> = {},
): Promise<string> {
  const path = join(temporaryFolder('pack'), 'received');
  const stored = await storePack(diskWriteFs, path, inPieces(bytes), () => {});
  const location = base === null ? null : await locateGitDir(base.dir);
  await using store = location === null ? null : storeWith(location, null);
  const readBase = async (oid: string) =>
    store !== null && (await store.has(oid)) ? store.objectOf(oid) : null;
  const all = { bases: 2 ** 27, inflated: 2 ** 31, objects: 1e6, ...limits };
  return indexPack({ fs: diskWriteFs, path, stored, readBase, mode: null, limits: all, onObjects: () => {} });
}

describeWithPrograms('a received pack', ['git'], () => {
  it.each([
    ['deltas to offsets', ['--delta-base-offset']],
    ['deltas to ids', []],
    ['no deltas', ['--window=0']],
  ])('with %s gets the index that git makes', async (_, args) => {
    const { git, last } = grown();
    const bytes = packed(git, last, '--no-reuse-delta', ...args);
    const path = await indexed(bytes, null);
    const theirs = join(temporaryFolder('theirs'), 'theirs.idx');
    git.run('index-pack', '-o', theirs, path);
    expect(readFileSync(path).equals(bytes)).toBe(true);
    expect(readFileSync(`${path.slice(0, -'.pack'.length)}.idx`).equals(readFileSync(theirs))).toBe(true);
  });

  it('that is thin is filled up with the bases that are here', async () => {
    const { git, first, last } = grown();
    const bytes = packed(git, `${last}\n^${first}`, '--thin');
    const base = new SystemGit(join(temporaryFolder('base'), 'base'));
    mkdirSync(base.dir);
    base.run('init', '-q', '-b', 'main');
    base.feed(packed(git, first), 'unpack-objects', '-q');
    const path = await indexed(bytes, base);
    const verified = git.run('verify-pack', '-v', path);
    expect(verified).toContain(last);
    expect(verified).toMatch(/: ok\n$/);
    expect(readFileSync(path).length).toBeGreaterThan(bytes.length);
    await expect(indexed(bytes, null)).rejects.toBeInstanceOf(BrokenLine);
  });

  it('gets the same index in little memory, where bases are made anew', async () => {
    const { git, first, last } = grown(12);
    const bytes = packed(git, last, '--delta-base-offset', '--no-reuse-delta');
    const [path, sparing] = [await indexed(bytes, null), await indexed(bytes, null, { bases: 1 })];
    const index = (pack: string) => readFileSync(`${pack.slice(0, -'.pack'.length)}.idx`);
    expect(index(sparing).equals(index(path))).toBe(true);
    const thin = packed(git, `${last}\n^${first}`, '--thin');
    expect(git.run('verify-pack', '-v', await indexed(thin, git, { bases: 1 }))).toMatch(/: ok\n$/);
  });

  it('that grows beyond what can be taken is refused', async () => {
    const { git, last } = grown(12);
    const bytes = packed(git, last, '--delta-base-offset', '--no-reuse-delta');
    for (const limits of [{ inflated: 1_530_000 }, { objects: 20 }])
      await expect(indexed(bytes, null, limits)).rejects.toThrow(/^it holds more/);
  });

  it('that is cut or damaged anywhere is refused', async () => {
    const { git, last } = grown();
    const bytes = packed(git, last, '--delta-base-offset');
    await expect(indexed(bytes.subarray(0, -30), null)).rejects.toBeInstanceOf(BrokenLine);
    await expect(indexed(Buffer.alloc(0), null)).rejects.toBeInstanceOf(BrokenLine);
  });

  it('of hostile bytes with a true sum ends in a refusal', async () => {
    const { git, last } = grown();
    const bytes = packed(git, last, '--delta-base-offset');
    const places = fc.integer({ min: 8, max: bytes.length - 21 });
    await fc.assert(
      fc.asyncProperty(places, fc.integer({ min: 1, max: 255 }), async (at, change) => {
        const hostile = Buffer.from(bytes);
        hostile[at]! ^= change;
        sumOf(hostile);
        // Some bits of zlib's header mean nothing.
        await indexed(hostile, null).catch((error) => expect(error).toBeInstanceOf(BrokenLine));
      }),
      { numRuns: 60 },
    );
  });
});

function sumOf(pack: Buffer): void {
  const end = pack.length - 20;
  createHash('sha1').update(pack.subarray(0, end)).digest().copy(pack, end);
}
