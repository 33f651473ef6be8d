import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultPath } from '@grove/core';
import { describeWithPrograms, type SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { begun, engineOver, KEY, type OpenedEngine } from '../testing/opened-engine.ts';

/** Moves a note as it is; what is removed is named last, as a move does. */
function spell({ engine }: OpenedEngine, from: string, to: string) {
  const [old, fresh] = [from, to] as VaultPath[];
  return engine.apply({
    paths: [old!, fresh!],
    author: KEY,
    idempotency: null,
    plan: (files) => ({
      changes: [
        { path: fresh!, after: files.get(old!)!.bytes },
        { path: old!, after: null },
      ],
      subject: `Move ${from}`,
      trailers: {},
      mechanical: false,
      answer: null,
    }),
  });
}

const tracked = (git: SystemGit): string[] => git.run('ls-files', '-z').split('\0').filter(Boolean);
const inHead = (git: SystemGit): string[] =>
  git.run('ls-tree', '-r', '-z', '--name-only', 'HEAD').split('\0').filter(Boolean);

describeWithPrograms('a note that is spelled anew', ['git'], () => {
  it.each(['false', 'true'])(
    'has the new name alone, on disk, in HEAD and in the index, with core.ignoreCase %s',
    async (ignoreCase) => {
      const git = begun({ 'a/plan.md': 'one\n', 'a/other.md': 'other\n', 'caf\u00e9.md': 'x\n' });
      git.run('config', 'core.ignorecase', ignoreCase);
      const vault = await engineOver(git);
      for (const [from, to] of [
        ['a/plan.md', 'a/Plan.md'],
        ['a/Plan.md', 'a/PLAN.md'],
        ['caf\u00e9.md', 'Caf\u00c9.md'],
      ] as const) {
        const { commit } = await spell(vault, from, to);
        expect(git.run('log', '-1', '--format=%H %s').trim()).toBe(`${commit} Move ${from}`);
        await vault.engine.settled();
        expectSound(git);
      }
      const names = ['Caf\u00c9.md', 'a/PLAN.md', 'a/other.md'];
      expect([inHead(git).sort(), tracked(git).sort()]).toEqual([names, names]);
      expect(readdirSync(join(git.dir, 'a')).sort()).toEqual(['PLAN.md', 'other.md']);
      expect(git.run('log', '--format=%s').trim().split('\n')).toHaveLength(4);
      expect(vault.text('a/PLAN.md')).toBe('one\n');
    },
  );

  it('takes its old name from HEAD also where git has another one, or the disk another Unicode form', async () => {
    const git = begun({ 'cafe\u0301.md': 'x\n', 'Plan.md': 'one\n' });
    git.run('config', 'core.ignorecase', 'true');
    git.run('config', 'core.precomposeunicode', 'false');
    const vault = await engineOver(git);
    await spell(vault, 'caf\u00e9.md', 'Caf\u00e9.md');
    await spell(vault, 'Plan.md', 'plan.md');
    await vault.engine.settled();
    expectSound(git);
    expect(inHead(git).sort()).toEqual(['Caf\u00e9.md', 'plan.md']);
  });

  it('never gets a twin: another note of that name, or a folder that is spelled otherwise', async () => {
    const git = begun({ 'plan.md': 'one\n', 'PLAN.md': 'two\n', 'a/x.md': 'x\n', 'a/y.md': 'y\n' });
    const vault = await engineOver(git);
    await expect(spell(vault, 'plan.md', 'Plan.md')).rejects.toMatchObject({
      code: 'path_taken',
      data: { twin: 'PLAN.md' },
    });
    await expect(spell(vault, 'a/x.md', 'A/x.md')).rejects.toMatchObject({ code: 'path_taken' });
    await expect(spell(vault, 'plan.md', 'A/plan.md')).rejects.toMatchObject({ code: 'path_taken' });
    expect([vault.text('plan.md'), vault.text('a/x.md')]).toEqual(['one\n', 'x\n']);
  });

  it('has one of both names after a failure between them', async () => {
    for (const at of ['journaled', 'placed', 'moved'] as const) {
      const git = begun({ 'plan.md': 'one\n' });
      const vault = await engineOver(git, {
        step: (step) => {
          if (step === at) throw new Error('stopped here');
        },
      });
      await spell(vault, 'plan.md', 'Plan.md').catch(() => {});
      await vault.again({});
      const isDone = inHead(git).includes('Plan.md');
      expect([at, readdirSync(git.dir).filter((name) => /plan/i.test(name))]).toEqual([
        at,
        [isDone ? 'Plan.md' : 'plan.md'],
      ]);
      await vault.engine.settled();
      expectSound(git);
    }
  });
});
