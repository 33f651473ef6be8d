import { mkdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { writeDurably } from '@grove/core';
import { parseGitConfig } from './config-file.ts';
import type { GitLocation } from './location.ts';
import { readGitFile } from './small-file.ts';

/** Paths of Grove and of editors that are never committed; below the vault's top. */
const EXCLUDED = ['.trash/', '.grove/tmp/', '.obsidian/workspace*.json', '.DS_Store'];

/**
 * Makes a git dir for a folder that had none: branch `main`, no commit, files ignored that are no notes'
 * history. Where it lies outside of `workTree` it names it as `core.worktree`, so that
 * `git --git-dir DIR status` works from anywhere. Safe to call again, also after a crash in the middle: HEAD
 * is written last and what is there stays; a work tree that has moved is entered anew.
 *
 * @example await initGitDir('/data/vaults/garden/git', { workTree: '/home/ada/garden' })
 */
export async function initGitDir(dir: string, options: { workTree: string }): Promise<GitLocation> {
  const workTreeRoot = await realpath(options.workTree);
  for (const part of ['objects/info', 'objects/pack', 'refs/heads', 'refs/tags', 'info']) {
    await mkdir(join(dir, part), { recursive: true });
  }
  const gitDir = await realpath(dir);
  const inside = gitDir === join(workTreeRoot, '.git');
  const config = await readGitFile(join(gitDir, 'config'));
  if (config === null) {
    await writeDurably(join(gitDir, 'config'), newConfig(inside ? null : workTreeRoot), 0o644);
  } else if (!inside && parseGitConfig(config).get('core.worktree') !== workTreeRoot) {
    // The last value of a key counts.
    const section = `[core]\n\tworktree = ${quoted(workTreeRoot)}\n`;
    await writeDurably(join(gitDir, 'config'), config.replace(/\n?$/, '\n') + section, 0o644);
  }
  if ((await readGitFile(join(gitDir, 'info', 'exclude'))) === null) {
    await writeDurably(join(gitDir, 'info', 'exclude'), `${EXCLUDED.join('\n')}\n`, 0o644);
  }
  if ((await readGitFile(join(gitDir, 'HEAD'))) === null) {
    await writeDurably(join(gitDir, 'HEAD'), 'ref: refs/heads/main\n', 0o644);
  }
  return { gitDir, commonDir: gitDir, workTreeRoot, prefix: '' };
}

function newConfig(workTree: string | null): string {
  const lines = [
    'repositoryformatversion = 0',
    `filemode = ${process.platform !== 'win32'}`,
    'bare = false',
    'logallrefupdates = true',
    // Notes keep their bytes whatever the machine's own git is set to.
    'autocrlf = false',
  ];
  if (process.platform === 'win32' || process.platform === 'darwin') lines.push('ignorecase = true');
  if (process.platform === 'darwin') lines.push('precomposeunicode = true');
  if (workTree !== null) lines.push(`worktree = ${quoted(workTree)}`);
  return `[core]\n${lines.map((line) => `\t${line}\n`).join('')}`;
}

function quoted(path: string): string {
  const escaped = path.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('\n', '\\n');
  return `"${escaped.replaceAll('\t', '\\t')}"`;
}
