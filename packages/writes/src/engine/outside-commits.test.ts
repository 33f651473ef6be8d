import { mkdirSync, symlinkSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { parseVaultPath } from '@grove/core';
import { locateGitDir, openHistory } from '@grove/history';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { memoryFolder } from '../testing/memory-folder.ts';
import { type OpenedEngine, openedEngine } from '../testing/opened-engine.ts';

const OLD = Date.parse('2024-03-04T05:06:07Z');
const NEW = Date.parse('2024-08-09T10:11:12Z');

function save({ root, git }: OpenedEngine, path: string, text: string, at: number): void {
  git.write(path, text);
  utimesSync(join(root, path), at / 1000, at / 1000);
}

describeWithPrograms('the commit of an outside edit', ['git'], () => {
  it('has each note’s own time, the newest one as that of its author', async () => {
    const opened = await openedEngine({ 'Gone.md': 'gone\n', 'Old.md': 'one\n' });
    save(opened, 'Old.md', 'two\n', OLD);
    save(opened, 'New.md', 'new\n', NEW);
    opened.git.remove('Gone.md');
    const paths = ['Gone.md', 'New.md', 'Old.md'].map((path) => parseVaultPath(path));
    const commit = await opened.engine.commitOutside(paths);
    expect(opened.git.run('log', '-1', '--format=%H %at %an').trim()).toBe(
      `${commit} ${NEW / 1000} outside edit`,
    );
    expect(Number(opened.git.run('log', '-1', '--format=%ct'))).toBeGreaterThan(NEW / 1000);
    const lines = opened.git.run('log', '-1', '--format=%B').trim().split('\n');
    expect(lines.filter((line) => line.startsWith('Grove-Modified'))).toEqual([
      'Grove-Modified: 2024-03-04T05:06:07Z Old.md',
    ]);
    const location = (await locateGitDir(opened.root))!;
    await using history = await openHistory({ location, dir: memoryFolder('index') });
    await history.caughtUp();
    expect(history.times('Old.md')).toMatchObject({ modified: OLD });
    expect(history.times('New.md')).toMatchObject({ created: NEW, modified: NEW, found: true });
  });

  it('passes over what is a link or a folder by now, and takes the rest', async () => {
    const opened = await openedEngine({ 'Link.md': 'a\n', 'Folder.md': 'b\n', 'Good.md': 'c\n' });
    for (const path of ['Link.md', 'Folder.md']) opened.git.remove(path);
    symlinkSync('Good.md', join(opened.root, 'Link.md'));
    mkdirSync(join(opened.root, 'Folder.md'));
    opened.git.write('Good.md', 'changed\n');
    const paths = ['Link.md', 'Folder.md', 'Good.md'].map((path) => parseVaultPath(path));
    const commit = await opened.engine.commitOutside(paths);
    expect(opened.git.run('show', '--format=', '--name-only', commit!).trim()).toBe('Good.md');
  });

  it('before a write has them too, and none from later than now', async () => {
    const opened = await openedEngine();
    save(opened, 'Plan.md', 'a person was here\n', OLD);
    await opened.write('Plan.md', 'a person was here\nand an agent\n');
    expect(opened.git.run('log', '-2', '--format=%an').trim().split('\n')).toEqual([
      'Helper',
      'outside edit',
    ]);
    expect(Number(opened.git.run('log', '-1', '--skip=1', '--format=%at'))).toBe(OLD / 1000);
    save(opened, 'Plan.md', 'from the future\n', Date.parse('2100-01-01T00:00:00Z'));
    await opened.engine.commitOutside([parseVaultPath('Plan.md')]);
    const [authored, committed] = opened.git.run('log', '-1', '--format=%at %ct').trim().split(' ');
    expect(authored).toBe(committed);
  });
});
