import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A folder of its own, for what several tests use: it stays until it is removed. */
export interface TestFolder {
  /** Its real path. */
  readonly path: string;
  remove(): void;
}

/**
 * Makes a folder that stays until `remove` is called.
 *
 * @example const folder = makeFolder('my vault'); afterAll(folder.remove);
 */
export function makeFolder(name = 'test'): TestFolder {
  const path = realpathSync(mkdtempSync(join(tmpdir(), `grove-${name}-`)));
  return { path, remove: () => removeFolder(path) };
}

/**
 * Removes a folder with all that is in it. A thread or a process that was ended in the middle of its work may make
 * one more file while the folder is emptied, so a folder that is not empty yet is emptied again, for some seconds.
 */
export function removeFolder(path: string): void {
  rmSync(path, { recursive: true, force: true, maxRetries: 20, retryDelay: 20 });
}

/** A new folder (its real path), removed when the running test ends; for tests and `beforeEach`. */
export function temporaryFolder(name = 'test'): string {
  const folder = makeFolder(name);
  onTestFinished(folder.remove);
  return folder.path;
}

/** Writes files by their path below `root`, making folders on the way. */
export function writeFiles(root: string, files: Readonly<Record<string, string | Uint8Array>>): void {
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  }
}

/** Makes a FIFO, which blocks whoever opens it as a file; needs the program `mkfifo`. */
export function makeFifo(path: string): void {
  execFileSync('mkfifo', [path]);
}
