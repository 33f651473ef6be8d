import { lstat, readFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { errorCode, type WriteFs } from '@grove/core';
import { isThere } from '../repository/is-there.ts';
import { unfinishedName } from './pack-builder.ts';

// git takes an older one for abandoned.
const STALE_MS = 12 * 60 * 60 * 1000;

/**
 * `gc.pid`: as long as it names a living process, `git gc` leaves a repository alone, and so does Grove. What a killed
 * process left is taken over, as git does. It keeps processes apart, not calls in one of them.
 */
export class CollectLock {
  readonly #fs: WriteFs;
  readonly #path: string;

  private constructor(fs: WriteFs, path: string) {
    this.#fs = fs;
    this.#path = path;
  }

  /** Takes the lock, or gives null when another process packs or collects. */
  static async take(fs: WriteFs, commonDir: string, now: number): Promise<CollectLock | null> {
    const path = join(commonDir, 'gc.pid');
    if (await isThere(`${path}.lock`)) return null;
    if (await isHeld(path, now)) return null;
    const words = `${process.pid} ${hostname()}`;
    // A name that "git gc" clears away should a crash leave it.
    const fresh = join(commonDir, 'objects', 'pack', unfinishedName());
    const handle = await fs.create(fresh, 0o644);
    try {
      await handle.write(Buffer.from(words));
    } finally {
      await handle.close();
    }
    await fs.rename(fresh, path);
    return new CollectLock(fs, path);
  }

  async release(): Promise<void> {
    await this.#fs.unlink(this.#path);
  }
}

async function isHeld(path: string, now: number): Promise<boolean> {
  try {
    const words = /^(\d+) (\S+)/.exec(await readFile(path, 'utf8'));
    if (words === null || (await lstat(path)).mtimeMs < now - STALE_MS) return false;
    if (words[2] !== hostname()) return true;
    const pid = Number(words[1]);
    // In a container every run has the same number: what names this process was left by the one before.
    return pid !== process.pid && isAlive(pid);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw error;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return errorCode(error) !== 'ESRCH';
  }
}
