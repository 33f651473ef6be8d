import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder, writeFiles } from './folders.ts';

/** The system's git in one folder: it makes the repositories that tests read, and judges what Grove wrote. */
export class SystemGit {
  readonly dir: string;
  /** Seconds since the epoch of the next commit; each commit moves it by a minute. */
  time = 1_700_000_000;

  constructor(dir: string) {
    this.dir = dir;
  }

  /** A new repository with branch main, in a folder of its own unless one is named. */
  static init(dir = temporaryFolder('git')): SystemGit {
    const git = new SystemGit(dir);
    git.run('init', '-q', '-b', 'main');
    return git;
  }

  /** Runs git and returns what it prints. Nothing of the machine's own settings counts. */
  run(...args: string[]): string {
    return this.bytes(...args).toString('utf8');
  }

  /** As {@link run}, undecoded. */
  bytes(...args: string[]): Buffer {
    return execFileSync('git', args, {
      cwd: this.dir,
      maxBuffer: 256 * 1024 * 1024,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        PATH: process.env.PATH,
        HOME: this.dir,
        LC_ALL: 'C.UTF-8',
        GIT_CONFIG_NOSYSTEM: '1',
        GIT_CONFIG_GLOBAL: '/dev/null',
        GIT_AUTHOR_NAME: 'Ada',
        GIT_AUTHOR_EMAIL: 'ada@example.org',
        GIT_COMMITTER_NAME: 'Ada',
        GIT_COMMITTER_EMAIL: 'ada@example.org',
        GIT_AUTHOR_DATE: `${this.time} +0100`,
        GIT_COMMITTER_DATE: `${this.time} +0100`,
      },
    });
  }

  write(path: string, content: string | Uint8Array): void {
    writeFiles(this.dir, { [path]: content });
  }

  remove(path: string): void {
    rmSync(join(this.dir, path));
  }

  /** Commits everything in the folder and returns the commit's id. */
  commit(message = 'Change'): string {
    this.time += 60;
    this.run('add', '-A');
    this.run('commit', '-q', '--allow-empty', '-m', message);
    return this.run('rev-parse', 'HEAD').trim();
  }

  /** Sends text to git's standard input (fast-import). */
  feed(input: string | Uint8Array, ...args: string[]): string {
    return execFileSync('git', args, { cwd: this.dir, input, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 });
  }
}
