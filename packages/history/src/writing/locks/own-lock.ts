import { lstat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorCode, GroveError, randomId, type WriteFs, type WriteHandle } from '@grove/core';
import { makeFolder } from './make-folder.ts';

export interface LockRequest {
  readonly fs: WriteFs;
  /** The lock's name, such as `<git dir>/index.lock`. */
  readonly path: string;
  /** Grove's own folder in the git dir. */
  readonly scratchFolder: string;
  /** What the scratch file's name starts with. */
  readonly kind: 'index' | 'ref';
  /** How long to wait for whoever holds it, in milliseconds. */
  readonly waitMs: number;
  /** Permissions that the file that replaces the locked one gets; null leaves them to the umask. */
  readonly mode: ((mode: number) => number) | null;
}

/** What a lock holds where the file system has no hard links: it tells whose it is. */
export const DIRECT_MARK = 'grove lock\n';

const POLL_MS = 20;
// exFAT, some SMB and FUSE file systems.
const NO_LINKS = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EXDEV']);

/**
 * A lock file of git's, taken by link() of a scratch file: the scratch file's name stays until the lock is
 * gone, so that after a crash the lock is known by its inode. Where there are no hard links the lock is
 * created by itself and holds a mark.
 */
export class OwnLock {
  /** The scratch file's name, in Grove's folder of the git dir. */
  readonly token: string;
  readonly #request: LockRequest;
  readonly #handle: WriteHandle;
  /** False where the lock is a file of its own. */
  readonly #linked: boolean;
  #held = true;

  private constructor(request: LockRequest, token: string, handle: WriteHandle, linked: boolean) {
    this.#request = request;
    this.token = token;
    this.#handle = handle;
    this.#linked = linked;
  }

  /** Takes the lock. Throws `git_busy` when another holds it for longer than `waitMs`. */
  static async take(request: LockRequest): Promise<OwnLock> {
    const { fs, path, scratchFolder, kind } = request;
    await makeFolder(fs, scratchFolder, dirname(scratchFolder));
    const token = `${kind}-${randomId()}`;
    const scratch = join(scratchFolder, token);
    const handle = await fs.create(scratch, 0o666);
    try {
      const linked = await untilTaken(request, scratch);
      const lock = new OwnLock(request, token, handle, linked);
      if (request.mode !== null) {
        const { mode } = await handle.stat();
        await handle.chmod(request.mode(Number(mode & 0o7777n)));
      }
      return lock;
    } catch (error) {
      await handle.close();
      await remove(fs, scratch);
      if (errorCode(error) !== 'EEXIST') throw error;
      throw new GroveError('git_busy', { reason: `the file "${basename(path)}" is there` }, { cause: error });
    }
  }

  /** Writes the new content. `modified` sets the file's time, in milliseconds, where it is given. */
  async write(bytes: Uint8Array, modified: number | null = null): Promise<void> {
    await this.#handle.write(bytes);
    if (modified !== null) await this.#handle.utimes(modified, modified);
  }

  sync(): Promise<void> {
    return this.#handle.sync();
  }

  /**
   * Puts what was written in the place of `target`; the lock is gone then. Throws `git_busy` when somebody
   * removed the lock meanwhile: what they did since then must not be lost.
   *
   * @returns the inode of what was put in place
   */
  async replace(target: string): Promise<bigint> {
    const { fs, path } = this.#request;
    if (!(await this.#isOurs())) {
      await this.release();
      throw new GroveError('git_busy', { reason: `the lock "${basename(path)}" was taken away` });
    }
    await fs.rename(this.#linked ? path : this.#scratch, target);
    this.#held = false;
    const { ino } = await this.#handle.stat();
    await this.#handle.close();
    await remove(fs, this.#linked ? this.#scratch : path);
    return ino;
  }

  /** Gives the lock back and changes nothing. Safe to call again, and after {@link replace}. */
  async release(): Promise<void> {
    if (!this.#held) return;
    this.#held = false;
    const { fs, path } = this.#request;
    const ours = await this.#isOurs();
    await this.#handle.close();
    if (ours) await remove(fs, path);
    await remove(fs, this.#scratch);
  }

  get #scratch(): string {
    return join(this.#request.scratchFolder, this.token);
  }

  async #isOurs(): Promise<boolean> {
    try {
      const lock = await lstat(this.#request.path, { bigint: true });
      if (!this.#linked) return lock.size === BigInt(DIRECT_MARK.length);
      const own = await this.#handle.stat();
      return lock.ino === own.ino && lock.dev === own.dev;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return false;
      throw error;
    }
  }
}

/** True when the lock is a link to the scratch file, false when it is a file of its own. */
async function untilTaken({ fs, path, waitMs }: LockRequest, scratch: string): Promise<boolean> {
  for (let waited = 0; ; waited += POLL_MS) {
    try {
      await fs.link(scratch, path);
      return true;
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (NO_LINKS.has(code)) return createMarked(fs, path);
      if (code !== 'EEXIST' || waited >= waitMs) throw error;
    }
    await setTimeout(POLL_MS);
  }
}

/** Somebody who tidied up may have been first. */
async function remove(fs: WriteFs, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}

async function createMarked(fs: WriteFs, path: string): Promise<false> {
  const handle = await fs.create(path, 0o666);
  try {
    await handle.write(Buffer.from(DIRECT_MARK));
  } finally {
    await handle.close();
  }
  return false;
}
