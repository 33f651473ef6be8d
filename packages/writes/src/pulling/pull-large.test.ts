import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import type { PullMeasured } from '../testing/pull-and-measure.ts';

const script = fileURLToPath(new URL('../testing/pull-and-measure.ts', import.meta.url));
const MB = 1024 * 1024;
const NOTE_BYTES = 10 * 1024;
const FILM_BYTES = 10 * MB;

/** Adds a commit to a ref: so many notes and attachments, none of which can be compressed much. */
async function importLarge(git: SystemGit, ref: string, notes: number, films: number): Promise<void> {
  const args = ['-c', 'fastimport.unpackLimit=1', '-c', 'pack.compression=0', 'fast-import', '--quiet'];
  const child = spawn('git', args, { cwd: git.dir, stdio: ['pipe', 'inherit', 'inherit'] });
  const write = async (part: string | Uint8Array) => {
    if (!child.stdin.write(part)) await once(child.stdin, 'drain');
  };
  await write(
    `commit ${ref}\ncommitter Ada <ada@example.org> 1700000900 +0000\ndata 4\nMore\nfrom refs/heads/main\n`,
  );
  for (let at = 0; at < notes; at++) {
    const text = randomBytes(NOTE_BYTES / 2).toString('hex');
    await write(`M 100644 inline "Area ${at % 20}/Note ${at}.md"\ndata ${text.length}\n${text}\n`);
  }
  for (let at = 0; at < films; at++) {
    await write(`M 100644 inline "Films/${at}.bin"\ndata ${FILM_BYTES}\n`);
    await write(randomBytes(FILM_BYTES));
    await write('\n');
  }
  child.stdin.end();
  await once(child, 'close');
}

async function measured(notes: number, films: number): Promise<PullMeasured & { readonly git: SystemGit }> {
  const git = SystemGit.init(memoryFolder('vault'));
  git.write('Plan.md', 'one\n');
  git.commit();
  await importLarge(git, 'refs/remotes/origin/main', notes, films);
  const tip = git.run('rev-parse', 'refs/remotes/origin/main').trim();
  const stateDir = join(memoryFolder('state'), 'vault');
  mkdirSync(stateDir);
  // Nothing beside it in its process: its memory is looked at.
  const { stdout } = await promisify(execFile)(process.execPath, [script, git.dir, stateDir, tip]);
  expect(git.run('rev-parse', 'HEAD').trim()).toBe(tip);
  expectSound(git);
  return { ...(JSON.parse(stdout) as PullMeasured), git };
}

describeWithPrograms('the memory of a pull', ['git'], () => {
  it('is bounded for 10,000 notes', { timeout: 600_000 }, async () => {
    const { git, kind, changed, rssGrowth } = await measured(10_000, 0);
    expect({ kind, changed }).toEqual({ kind: 'fast_forward', changed: 10_000 });
    expect(readFileSync(join(git.dir, 'Area 7/Note 27.md')).length).toBe(NOTE_BYTES);
    expect(rssGrowth).toBeLessThan(250 * MB);
  });

  it('is less than what attachments have together', { timeout: 600_000 }, async () => {
    const { changed, rssGrowth } = await measured(10, 16);
    expect(changed).toBe(26);
    expect(rssGrowth).toBeLessThan(150 * MB);
  });
});
