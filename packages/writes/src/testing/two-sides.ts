import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { SystemGit } from '@grove/testing';
import type { PullOutcome } from '../pulling/contract.ts';
import { memoryFolder } from './memory-folder.ts';
import { type EngineSettings, engineOver, type OpenedEngine } from './opened-engine.ts';

/** Files by their path; null is none. */
export type Files = Readonly<Record<string, string | Uint8Array | null>>;

/** A vault and a clone of it, which somebody else writes. */
export interface TwoSides {
  readonly ours: SystemGit;
  readonly theirs: SystemGit;
}

/** A repository of these files, cloned. */
export function twoSides(base: Files): TwoSides {
  const ours = SystemGit.init(memoryFolder('ours'));
  change(ours.dir, base);
  ours.commit('Begin');
  const theirs = new SystemGit(memoryFolder('theirs'));
  theirs.run('clone', '-q', ours.dir, '.');
  return { ours, theirs };
}

/** Writes and removes files of a folder. */
export function change(dir: string, files: Files): void {
  for (const [path, content] of Object.entries(files)) {
    if (content === null) removeWithFolders(dir, path);
  }
  for (const [path, content] of Object.entries(files)) {
    if (content === null) continue;
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), content);
  }
}

/** As git does: a folder in which nothing is left goes too. */
function removeWithFolders(dir: string, path: string): void {
  rmSync(join(dir, path), { recursive: true });
  const folder = dirname(path);
  if (folder !== '.' && readdirSync(join(dir, folder)).length === 0) removeWithFolders(dir, folder);
}

/** Commits files on one side, and gives back the commit. */
export function committed(git: SystemGit, files: Files, message = 'Change'): string {
  change(git.dir, files);
  return git.commit(message);
}

/** Fetches what the clone has and takes it into the vault. */
export async function pulled(vault: OpenedEngine, theirs: SystemGit): Promise<PullOutcome> {
  return vault.engine.pull({ theirs: fetched(vault.git, theirs), remote: 'origin' });
}

/** The tip of the clone, with all its objects in the vault's repository. */
export function fetched(ours: SystemGit, theirs: SystemGit): string {
  ours.run('fetch', '-q', theirs.dir, '+main:refs/remotes/origin/main');
  return ours.run('rev-parse', 'refs/remotes/origin/main').trim();
}

/** Opens an engine over the vault of two sides. */
export function openedOver(sides: TwoSides, settings: EngineSettings = {}): Promise<OpenedEngine> {
  return engineOver(sides.ours, settings);
}

/** Every file of a folder but git's, by its path. */
export function filesOf(dir: string, folder = ''): Record<string, string> {
  const files: Record<string, string> = {};
  for (const entry of readdirSync(join(dir, folder), { withFileTypes: true })) {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (path === '.git' || path === '.grove') continue;
    if (entry.isDirectory()) Object.assign(files, filesOf(dir, path));
    else files[path] = readFileSync(join(dir, path), 'utf8');
  }
  return files;
}

export function executable(dir: string, path: string): void {
  chmodSync(join(dir, path), 0o755);
}
