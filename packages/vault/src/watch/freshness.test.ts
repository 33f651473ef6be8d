import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { describe, expect, it, vi } from 'vitest';
import { eventually, pathsOf, temporaryVault } from '../testing/temporary-vault.ts';
import type { GitTimes } from '../times.ts';
import { Freshness } from './freshness.ts';
import { gitStamp } from './git-stamp.ts';

describe('keeping up with a folder', () => {
  it('sweeps, and says so, where it cannot watch', async () => {
    await using folder = await temporaryVault({});
    let sweeps = 0;
    const freshness = new Freshness({
      root: join(folder.root, 'not there'),
      poll: false,
      reconcile: async () => {
        sweeps += 1;
      },
      sweepCost: () => 250,
      glance: async () => {},
    });
    await freshness.start();
    expect(freshness.watching.mode).toBe('poll');
    expect(freshness.watching.problem).toContain('cannot be watched');
    // A hundred times what a sweep costs, so that sweeps take a hundredth of the time.
    expect(freshness.watching.boundMs).toBe(25_000);
    freshness.touch(['A.md']);
    await eventually(() => sweeps === 1);
    await freshness.stop();
  });

  it('sweeps at its least interval where a sweep is cheap', async () => {
    await using folder = await temporaryVault({ 'A.md': '' });
    const polled = await folder.open({ poll: true });
    expect(polled.health().watching.boundMs).toBeGreaterThanOrEqual(10_000);
    await polled.close();
    expect((await folder.open()).health().watching).toEqual({
      mode: 'events',
      problem: null,
      boundMs: 2_000,
    });
  });

  it('sweeps the whole now and then also while events come, for a watcher may die in silence (user-pains 27)', async () => {
    await using folder = await temporaryVault({ 'A.md': '' });
    const looked: (readonly string[] | null)[] = [];
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      const freshness = new Freshness({
        root: folder.root,
        poll: false,
        reconcile: async (paths) => void looked.push(paths),
        sweepCost: () => 0,
        glance: async () => {},
      });
      await freshness.start();
      expect(freshness.watching.mode).toBe('events');
      // Once for what changed while the watcher was being set up.
      await vi.advanceTimersByTimeAsync(1_000);
      expect(looked).toEqual([null]);
      await vi.advanceTimersByTimeAsync(58_000);
      expect(looked).toEqual([null]);
      await vi.advanceTimersByTimeAsync(1_000);
      expect(looked).toEqual([null, null]);
      await vi.advanceTimersByTimeAsync(60_000);
      expect(looked).toEqual([null, null, null]);
      await freshness.stop();
    } finally {
      vi.useRealTimers();
    }
  });

  it('goes on after work that failed', async () => {
    await using folder = await temporaryVault({});
    let runs = 0;
    const freshness = new Freshness({
      root: folder.root,
      poll: 10,
      reconcile: async () => {
        runs += 1;
        throw new Error('this sweep failed');
      },
      sweepCost: () => 0,
      glance: async () => {},
    });
    await freshness.start();
    await eventually(() => runs >= 3);
    await freshness.stop();
  });
});

describeWithPrograms('keeping up with git', ['git'], () => {
  it('has the history looked at when HEAD moved', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a' });
    const git = SystemGit.init(folder.root);
    const gitDir = join(folder.root, '.git');
    let refreshed = 0;
    const times: GitTimes = {
      ready: true,
      times: () => null,
      refresh: async () => {
        refreshed += 1;
      },
      onChange: () => () => {},
    };
    const vault = await folder.open({ poll: 20, gitDir, times });
    expect(refreshed).toBe(1);
    const before = gitStamp(gitDir);
    expect(gitStamp(gitDir)).toBe(before);
    git.run('add', 'A.md');
    expect(gitStamp(gitDir)).toBe(before);
    git.run('commit', '-q', '-m', 'first');
    expect(gitStamp(gitDir)).not.toBe(before);
    await eventually(() => refreshed >= 2);
    const committed = gitStamp(gitDir);
    git.run('checkout', '-q', '-b', 'other');
    expect(gitStamp(gitDir)).not.toBe(committed);
    expect(pathsOf(vault)).toEqual(['A.md']);
  });
});

describe('notes that come while the whole folder is swept', () => {
  it('stay', async () => {
    const files = Object.fromEntries(
      Array.from({ length: 400 }, (_, index) => [`F${index % 40}/N${index}.md`, 'x']),
    );
    await using folder = await temporaryVault(files);
    const vault = await folder.open({ poll: true });
    const removed: string[] = [];
    vault.onDelta(async (delta) => {
      removed.push(...delta.removed.map((row) => row.path));
    });
    const whole = vault.reconcile();
    const added = Array.from({ length: 40 }, (_, index) => `F${index}/Added.md`);
    for (const path of added) {
      await mkdir(join(folder.root, path, '..'), { recursive: true });
      await writeFile(join(folder.root, path), 'added');
      await vault.reconcile([path]);
    }
    await whole;
    await Promise.all([vault.reconcile(), vault.reconcile(added), vault.reconcile()]);
    expect(removed).toEqual([]);
    expect(vault.ownerView().size).toBe(440);
  });

  it('end as the disk has them, whatever is read and written at once', async () => {
    await using folder = await temporaryVault({});
    const vault = await folder.open({ poll: 10 });
    const names = Array.from({ length: 12 }, (_, index) => `N${index}.md`);
    const write = async (name: string, turn: number) => {
      if ((turn + name.length) % 5 === 4) await folder.remove(name).catch(() => {});
      else await folder.write(name, `${name} ${turn}`);
      const row = vault
        .ownerView()
        .notes()
        .find((note) => note.path === name);
      if (row !== undefined)
        await vault
          .ownerView()
          .read(row)
          .catch(() => {});
      if (turn % 3 === 0) await vault.reconcile([name]);
    };
    for (let turn = 0; turn < 15; turn += 1) await Promise.all(names.map((name) => write(name, turn)));
    await vault.reconcile();
    const view = vault.ownerView();
    for (const row of view.notes()) {
      const served = await view.read(row);
      expect(served.row.contentHash).toBe(row.contentHash);
      expect(served.note.text).toBe(await folder.read(row.path));
    }
    expect(vault.health().remarks).toEqual([]);
  });
});
