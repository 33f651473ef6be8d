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

const child = fileURLToPath(new URL('../testing/move-until-killed.ts', import.meta.url));

const NOTES = {
  'Open/Plan.md': '# Plan\n',
  'Open/Seen.md': '[plan](Plan.md)\n',
  'Shut/Hidden.md': '[plan](../Open/Plan.md) and [[Open/Plan]]\n',
};

const read = (git: SystemGit, path: string): string => readFileSync(join(git.dir, path), 'utf8');
const subjects = (git: SystemGit): string[] => git.run('log', '--format=%s').trim().split('\n');

async function opened(git: SystemGit, stateDir: string, work: (vault: MovableVault) => Promise<void>) {
  const vault = await openMovable(git.dir, stateDir);
  try {
    await work(vault);
  } finally {
    await vault.close();
  }
}

async function killedAt(step: string, times: number): Promise<{ git: SystemGit; stateDir: string }> {
  const git = begun(NOTES);
  const stateDir = join(memoryFolder('state'), 'vault');
  mkdirSync(stateDir);
  const [, signal] = await once(spawnScript(child, [git.dir, stateDir, step, String(times)]), 'close');
  expect(signal).toBe('SIGKILL');
  return { git, stateDir };
}

describeWithPrograms('links that only others than the mover see', ['git'], () => {
  // The second passing is that of the commit behind the move.
  for (const [step, times] of [
    ['journaled', 1],
    ['moved', 1],
    ['acknowledged', 1],
    ['published', 1],
    ['journaled', 2],
    ['placed', 4],
    ['acknowledged', 2],
  ] as const)
    it(`are mended at the next opening after a kill at "${step}", passing ${times}`, async () => {
      const { git, stateDir } = await killedAt(step, times);
      await opened(git, stateDir, async ({ writes }) => writes.finish());
      const isMoved = existsSync(join(git.dir, 'Open/New/Plan.md'));
      expect([step, isMoved]).toEqual([step, step !== 'journaled' || times > 1]);
      const at = isMoved ? 'Open/New/Plan' : 'Open/Plan';
      expect(read(git, 'Shut/Hidden.md')).toMatch(
        new RegExp(`^\\[plan\\]\\(\\.\\./${at}\\.md\\) and \\[\\[`),
      );
      expect(read(git, 'Open/Seen.md')).toBe(isMoved ? '[plan](New/Plan.md)\n' : '[plan](Plan.md)\n');
      expect(subjects(git)).toEqual(
        isMoved ? ['Mend links to Open/New/Plan.md', 'Move Open/Plan.md', 'Begin'] : ['Begin'],
      );
      expectSound(git);
      // Nothing is left for another time.
      await opened(git, stateDir, async ({ writes }) => writes.finish());
      expect(subjects(git)).toHaveLength(isMoved ? 3 : 1);
    });

  it('are mended before the note moves on, also where nobody finished the first move', async () => {
    const { git, stateDir } = await killedAt('published', 1);
    await opened(git, stateDir, async ({ move }) => move('Open/New/Plan.md', 'Open/Last.md'));
    expect(read(git, 'Shut/Hidden.md')).toMatch(/^\[plan\]\(\.\.\/Open\/Last\.md\) and \[\[/);
    expectSound(git);
  });

  it('are mended another time where another git holds its lock', async () => {
    const git = begun(NOTES);
    const stateDir = join(memoryFolder('state'), 'vault');
    mkdirSync(stateDir);
    const lock = join(git.dir, '.git/index.lock');
    let locked = false;
    const vault = await openMovable(git.dir, stateDir, async (step) => {
      if (step !== 'published' || locked) return;
      locked = true;
      // Grove's own goes first.
      while (existsSync(lock)) await sleep(5);
      writeFileSync(lock, '', { flag: 'wx' });
    });
    await vault.move('Open/Plan.md', 'Open/New/Plan.md');
    expect(read(git, 'Shut/Hidden.md')).toBe(NOTES['Shut/Hidden.md']);
    rmSync(lock);
    await vault.writes.finish();
    expect(read(git, 'Shut/Hidden.md')).toContain('(../Open/New/Plan.md)');
    await vault.close();
    expectSound(git);
  });

  it('stay as they are where another note took the old path since', async () => {
    const { git, stateDir } = await killedAt('published', 1);
    git.write('Open/Plan.md', 'another\n');
    await opened(git, stateDir, async ({ writes }) => writes.finish());
    expect(read(git, 'Shut/Hidden.md')).toBe(NOTES['Shut/Hidden.md']);
  });
});
