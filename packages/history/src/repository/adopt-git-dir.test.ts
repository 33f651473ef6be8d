import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { collect, describeWithPrograms, end, SystemGit, spawnScript, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { importCommits } from '../testing/fast-import.ts';
import { adoptGitDir } from './adopt-git-dir.ts';
import { initGitDir } from './initialise.ts';
import { locateGitDir } from './locate.ts';

const script = fileURLToPath(new URL('../testing/adopt-until-killed.ts', import.meta.url));

/** A folder whose history lies apart, with many loose objects. */
async function keptApart(notes: number): Promise<{ root: string; kept: string; tip: string }> {
  const root = temporaryFolder('folder');
  const kept = join(temporaryFolder('state'), 'git');
  await initGitDir(kept, { workTree: root });
  const git = new SystemGit(kept);
  const files = Object.fromEntries(Array.from({ length: notes }, (_, i) => [`${i % 7}/${i}.md`, `${i}\n`]));
  importCommits(git, [{ time: 100, files }]);
  return { root, kept, tip: git.run('rev-parse', 'main').trim() };
}

describeWithPrograms('a git dir that moves into its folder', ['git'], () => {
  it('is a repository like any other, without a trace of where it was', async () => {
    const { root, kept, tip } = await keptApart(20);
    mkdirSync(join(kept, 'grove'));
    writeFileSync(join(kept, 'grove', 'left.md'), 'of a write');
    for (const held of ['index.lock', 'gc.pid', 'refs/heads/main.lock']) writeFileSync(join(kept, held), '');
    const location = await adoptGitDir(kept, root);
    expect(location).toEqual(await locateGitDir(root));
    const git = new SystemGit(root);
    expect(git.run('rev-parse', 'HEAD').trim()).toBe(tip);
    expect(git.run('fsck', '--strict')).toBe('');
    expect(readFileSync(join(root, '.git', 'config'), 'utf8')).not.toMatch(/worktree/i);
    for (const left of ['grove', 'index.lock', 'gc.pid', 'refs/heads/main.lock'])
      expect(existsSync(join(root, '.git', left)), left).toBe(false);
    expect(statSync(join(root, '.git')).uid).toBe(statSync(root).uid);
    git.run('reset', '-q', '--hard');
    git.write('New.md', 'n\n');
    git.commit('By hand');
    expect(new SystemGit(kept).run('rev-parse', 'main').trim()).toBe(tip);
    await expect(adoptGitDir(kept, root)).rejects.toMatchObject({ code: 'git_init_refused' });
  });

  it('is there whole or not at all wherever kill -9 meets it, and its old place stays whole', async () => {
    const { root, kept, tip } = await keptApart(300);
    let kills = 0;
    for (let ms = 1; !existsSync(join(root, '.git')); ms = ms * 2 + 7) {
      const child = spawnScript(script, [kept, root]);
      const output = collect(child.stdout);
      const ended = once(child, 'close');
      await Promise.race([once(child.stdout, 'data'), ended]);
      await Promise.race([setTimeout(ms), ended]);
      await end(child, 'SIGKILL');
      if (!output().includes('done')) kills += 1;
      const at = existsSync(join(root, '.git')) ? root : kept;
      expect(new SystemGit(at).run('rev-parse', 'main').trim()).toBe(tip);
    }
    expect(kills).toBeGreaterThan(1);
    expect(readdirSync(root).filter((name) => name.startsWith('.git'))).toEqual(['.git']);
    expect(new SystemGit(root).run('fsck', '--strict')).toBe('');
    expect(new SystemGit(kept).run('fsck', '--strict')).toBe('');
  });
});
