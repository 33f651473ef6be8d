import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWithPrograms, SystemGit, temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { openCaughtUp } from '../testing/opened-history.ts';
import { installSampleVault } from './sample-vault.ts';

const from = fileURLToPath(new URL('../../../../apps/cli/sample-vault', import.meta.url));
const clock = { now: () => new Date(2026, 5, 15, 9, 30).getTime() };

async function install(): Promise<SystemGit> {
  const target = join(temporaryFolder(), 'sample-vault');
  await installSampleVault({ from, target, clock });
  return new SystemGit(target);
}

describeWithPrograms('installSampleVault', ['git'], () => {
  it('makes a repository in which git finds nothing to complain about', async () => {
    const git = await install();
    expect(git.run('fsck', '--strict', '--no-dangling')).toBe('');
    expect(git.run('status', '--porcelain')).toBe('');
    expect(git.run('diff', 'HEAD', '--stat')).toBe('');
    expect(git.run('symbolic-ref', 'HEAD').trim()).toBe('refs/heads/main');
  });

  it('spreads twelve commits over the past months, the last one yesterday', async () => {
    const git = await install();
    const times = git.run('log', '--format=%at').trim().split('\n').map(Number);
    expect(times).toHaveLength(12);
    expect(times).toEqual(times.toSorted((a, b) => b - a));
    expect(times[0]).toBe(new Date(2026, 5, 14, 20, 20).getTime() / 1000);
    expect(times.at(-1)).toBe(new Date(2026, 5, 15 - 203, 19, 12).getTime() / 1000);
  });

  it('ends with every note of the sample, dates filled in', async () => {
    const git = await install();
    const notes = filesBelow(join(from, 'notes'));
    const expected = notes.map((path) =>
      path.replace(/^Daily\/day-(\d+)\.md$/, (_, days) => `Daily/${dayBefore(Number(days))}.md`),
    );
    const installed = filesBelow(git.dir).filter((path) => !path.startsWith('.git/'));
    expect(installed.toSorted()).toEqual(expected.toSorted());
    for (const path of installed) {
      expect(readFileSync(join(git.dir, path), 'utf8'), path).not.toMatch(/\{\{day/);
    }
    expect(readFileSync(join(git.dir, 'Start here.md'), 'utf8')).toContain('[[2026-06-14]]');
    // A template keeps its own placeholders.
    expect(readFileSync(join(git.dir, 'Templates/Daily.md'), 'utf8')).toContain('{{title}}');
  });

  it('uses every earlier version, and every file that the history names exists', () => {
    const history = JSON.parse(readFileSync(join(from, 'history.json'), 'utf8'));
    const named = new Set<string>();
    for (const commit of history.commits) {
      for (const source of Object.values<string | null>(commit.files)) if (source) named.add(source);
    }
    const kept = filesBelow(from).filter((path) => path !== 'history.json');
    expect([...named].toSorted()).toEqual(kept.toSorted());
  });

  it('gives each file the time of its last commit', async () => {
    const git = await install();
    const seconds = Number(git.run('log', '-1', '--format=%at', '--', 'Plants/Shiso.md'));
    expect(statSync(join(git.dir, 'Plants/Shiso.md')).mtimeMs).toBe(seconds * 1000);
  });

  it('has ages that vary, and a project that kept its age when it was renamed', async () => {
    const git = await install();
    await using history = await openCaughtUp(git.dir);
    const project = history.times('Projects/Rain barrel automation.md');
    expect(project?.created).toBe(new Date(2026, 5, 15 - 201, 20, 40).getTime());
    expect(project?.modified).toBe(new Date(2026, 5, 15 - 9, 21, 15).getTime());
    const modified = filesBelow(join(from, 'notes')).map((path) => history.times(path)?.modified);
    expect(new Set(modified).size).toBeGreaterThan(8);
  });

  it('leaves a folder alone that holds anything, and takes an empty one', async () => {
    const full = temporaryFolder();
    writeFileSync(join(full, 'mine.md'), 'mine');
    await installSampleVault({ from, target: full, clock });
    expect(readdirSync(full)).toEqual(['mine.md']);
    const empty = join(temporaryFolder(), 'empty');
    mkdirSync(empty);
    await installSampleVault({ from, target: empty, clock });
    expect(existsSync(join(empty, 'Start here.md'))).toBe(true);
  });

  it('lets two installations at once end with one whole vault and nothing beside it', async () => {
    const parent = temporaryFolder();
    const target = join(parent, 'sample-vault');
    await Promise.all([1, 2, 3].map(() => installSampleVault({ from, target, clock })));
    expect(readdirSync(parent)).toEqual(['sample-vault']);
    expect(new SystemGit(target).run('status', '--porcelain')).toBe('');
  });
});

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1));
}

function dayBefore(days: number): string {
  const date = new Date(2026, 5, 15 - days, 12);
  return new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
