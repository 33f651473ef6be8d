import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describeWithPrograms, type SystemGit, spawnScript } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { type MovableVault, openMovable } from '../testing/movable-vault.ts';
import { begun } from '../testing/opened-engine.ts';

const child = fileURLToPath(new URL('../testing/make-until-killed.ts', import.meta.url));

const NOTES = {
  '.obsidian/app.json': '{}',
  '.grove/vault.yaml': 'discovery: wire\n',
  'Open/Plan.md': '# Plan\n',
  'Shut/Secret.md': '# Secret\n',
};
const LINKED = 'Of the [[Plan|plan]] and the [[Secret|secret]].\n';

const subjects = (git: SystemGit): string[] => git.run('log', '--format=%an: %s').trim().split('\n');
const read = (git: SystemGit): string => readFileSync(join(git.dir, 'Open/New.md'), 'utf8');

async function killed(step: string, times: number, sees: 'all' | 'little') {
  const git = begun(NOTES);
  const stateDir = join(memoryFolder('state'), 'vault');
  mkdirSync(stateDir);
  const [, signal] = await once(spawnScript(child, [git.dir, stateDir, step, String(times), sees]), 'close');
  expect(signal).toBe('SIGKILL');
  return { git, stateDir };
}

async function opened(git: SystemGit, stateDir: string, work: (vault: MovableVault) => Promise<void>) {
  const vault = await openMovable(git.dir, stateDir);
  try {
    await work(vault);
  } finally {
    await vault.close();
  }
}

describeWithPrograms('links that were still to be added', ['git'], () => {
  // The second passing is that of the commit that adds them.
  for (const [step, times] of [
    ['journaled', 1],
    ['acknowledged', 1],
    ['published', 1],
    ['journaled', 2],
    ['placed', 2],
    ['acknowledged', 2],
  ] as const)
    it(`are added at the next opening after a kill at "${step}", passing ${times}`, async () => {
      const { git, stateDir } = await killed(step, times, 'all');
      await opened(git, stateDir, async ({ writes }) => writes.finish());
      const isMade = existsSync(join(git.dir, 'Open/New.md'));
      expect([step, isMade]).toEqual([step, step !== 'journaled' || times > 1]);
      const begin = subjects(git).at(-1);
      expect(subjects(git)).toEqual(
        isMade ? ['Grove: Link names in Open/New.md', 'Narrow: Write Open/New.md', begin] : [begin],
      );
      if (isMade) expect(read(git)).toBe(LINKED);
      expectSound(git);
      // Nothing is left for another time.
      await opened(git, stateDir, async ({ writes }) => writes.finish());
      expect(subjects(git)).toHaveLength(isMade ? 3 : 1);
    });

  it('are added with the next write where another git held its lock', async () => {
    const git = begun(NOTES);
    const stateDir = join(memoryFolder('state'), 'vault');
    mkdirSync(stateDir);
    const lock = join(git.dir, '.git/index.lock');
    let locks = 0;
    const vault = await openMovable(git.dir, stateDir, async (step) => {
      if (step !== 'published' || locks > 0) return;
      locks += 1;
      // Grove's own goes first.
      while (existsSync(lock)) await sleep(5);
      writeFileSync(lock, '', { flag: 'wx' });
    });
    await vault.make('Open/New.md', 'Of the plan and the secret.\n', 'little');
    await vault.writes.end();
    expect(read(git)).toBe('Of the plan and the secret.\n');
    rmSync(lock);
    await vault.make('Open/Newer.md', 'Of the plan.\n', 'all');
    await vault.close();
    expect(read(git)).toBe('Of the [[Plan|plan]] and the secret.\n');
    expect(readFileSync(join(git.dir, 'Open/Newer.md'), 'utf8')).toBe('Of the [[Plan|plan]].\n');
    expectSound(git);
  });

  it('are not added to a note that goes while they are', async () => {
    const git = begun(NOTES);
    const stateDir = join(memoryFolder('state'), 'vault');
    mkdirSync(stateDir);
    let looks = 0;
    const vault = await openMovable(git.dir, stateDir, (step) => {
      if (step !== 'looked') return;
      looks += 1;
      // The first is that of the write itself.
      if (looks === 2) rmSync(join(git.dir, 'Open/Plan.md'));
    });
    await vault.make('Open/New.md', 'Of the plan and the secret.\n', 'all');
    await vault.writes.finish();
    await vault.close();
    expect(looks).toBeGreaterThan(2);
    expect(read(git)).toBe('Of the plan and the [[Secret|secret]].\n');
  });

  it('are let go where whoever wrote did not see all of the vault', async () => {
    const { git, stateDir } = await killed('published', 1, 'little');
    await opened(git, stateDir, async ({ writes }) => {
      await writes.finish();
      await writes.finish();
    });
    expect(read(git)).toBe('Of the plan and the secret.\n');
  });

  it('are added under the View of whoever wrote, in a signed commit that says what it is', async () => {
    const git = begun(NOTES);
    const stateDir = join(memoryFolder('state'), 'vault');
    mkdirSync(stateDir);
    await opened(git, stateDir, async ({ make }) => {
      await make('Open/New.md', 'Of the plan and the secret.\n', 'little');
    });
    expect(read(git)).toBe('Of the [[Plan|plan]] and the secret.\n');
    expect(git.run('log', '-1', '--format=%B')).toMatch(
      /^Grove-Operation: discovery\nGrove-Mechanical: discovery\nGrove-Source: [0-9a-f]{16} Open\/New\.md\n/m,
    );
  });
});
