import { basename, dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { errorCode, GroveError, hasNoLinks, randomId, type WriteFs, type WriteHandle } from '@grove/core';
import { readGitFile } from '../../repository/small-file.ts';
import type { OwnMark } from './own-mark.ts';

export interface LockRequest {
  readonly fs: WriteFs;
  readonly mark: OwnMark;
  /** The lock's name, such as `<git dir>/index.lock`. */
  readonly path: string;
  /** What the name of the file with the new content starts with. */
  readonly kind: 'index' | 'ref';
  /** How long to wait for whoever holds it, in milliseconds. */
  readonly waitMs: number;
  /** Permissions that the new content gets; null leaves them to the umask. */
  readonly mode: ((mode: number) => number) | null;
}

const POLL_MS = 20;

/**
 * A lock file of git's, held. It is a link to Grove's mark, so that after a crash it is known by its inode;
 * where there are no hard links it is a file with the mark's text. The new content is written beside it and
 * takes its place before the lock goes.
 */
export class OwnLock {
  readonly #request: LockRequest;
  readonly #contentPath: string;
  #content: WriteHandle | null = null;
  #held = true;

  private constructor(request: LockRequest) {
    this.#request = request;
    this.#contentPath = join(dirname(request.mark.path), `${request.kind}${request.mark.tag}-${randomId()}`);
  }

  /** Takes the lock. Throws `git_busy` when another holds it for longer than `waitMs`. */
  static async take(request: LockRequest): Promise<OwnLock> {
    try {
      await untilTaken(request);
      return new OwnLock(request);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
      const reason = `the file "${basename(request.path)}" is there`;
      throw new GroveError('git_busy', { reason }, { cause: error });
    }
  }

  /**
   * Writes the new content. `modified` is given when that was, in ns since the epoch, and says what the file's
   * time shall be, in ms, or null where it shall stay.
   */
  async write(bytes: Uint8Array, modified: (now: bigint) => number | null = () => null): Promise<void> {
    const { fs, mode } = this.#request;
    const handle = await fs.create(this.#contentPath, 0o666);
    this.#content = handle;
    if (mode !== null) await handle.chmod(mode(Number((await handle.stat()).mode & 0o7777n)));
    await handle.write(bytes);
    const time = modified((await handle.stat()).mtimeNs);
    if (time !== null) await handle.utimes(time, time);
  }

  async sync(): Promise<void> {
    await this.#content?.sync();
  }

  /**
   * Puts what was written in the place of `target` and gives the lock back; `placed` runs between. Throws
   * `git_busy` when somebody removed the lock meanwhile: what they did since then must not be lost.
   */
  async replace(target: string, placed: () => Promise<void> = async () => {}): Promise<void> {
    const { fs, path } = this.#request;
    if (!(await this.#isOurs())) {
      await this.release();
      throw new GroveError('git_busy', { reason: `the lock "${basename(path)}" was taken away` });
    }
    const handle = this.#content!;
    await fs.rename(this.#contentPath, target);
    this.#content = null;
    this.#held = false;
    try {
      await handle.close();
      await placed();
    } finally {
      await this.#giveBack();
    }
  }

  /** Gives the lock back and changes nothing. Safe to call again, and after {@link replace}. */
  async release(): Promise<void> {
    if (!this.#held) return;
    this.#held = false;
    const content = this.#content;
    this.#content = null;
    try {
      if (content !== null) {
        await content.close();
        await remove(this.#request.fs, this.#contentPath);
      }
    } finally {
      if (await this.#isOurs()) await this.#giveBack();
    }
  }

  async #isOurs(): Promise<boolean> {
    return isOurs(this.#request);
  }

  /** What the disk does not let go now goes when the lock is taken the next time. */
  async #giveBack(): Promise<void> {
    const { fs, mark, path } = this.#request;
    mark.left.add(path);
    await remove(fs, path);
    mark.left.delete(path);
  }
}

async function isOurs({ mark, path }: LockRequest): Promise<boolean> {
  return mark.isAt(path) || (await readGitFile(path)) === mark.text;
}

async function untilTaken(request: LockRequest): Promise<void> {
  const { fs, mark, path, waitMs } = request;
  for (let waited = 0; ; waited += POLL_MS) {
    try {
      await mark.link(path);
      return;
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (hasNoLinks(error) || code === 'EXDEV') return createMarked(fs, path, mark.text);
      if (code !== 'EEXIST') throw error;
      if (mark.left.has(path)) {
        if (await isOurs(request)) await remove(fs, path);
        mark.left.delete(path);
        continue;
      }
      if (waited >= waitMs) throw error;
    }
    await setTimeout(POLL_MS);
  }
}

async function createMarked(fs: WriteFs, path: string, text: string): Promise<void> {
  const handle = await fs.create(path, 0o666);
  try {
    await handle.write(Buffer.from(text));
    await handle.sync();
  } catch (error) {
    await handle.close();
    // Without its text nobody would know whose it is.
    await remove(fs, path);
    throw error;
  }
  await handle.close();
}

/** Somebody who tidied up may have been first. */
async function remove(fs: WriteFs, path: string): Promise<void> {
  try {
    await fs.unlink(path);
  } catch (error) {
    if (errorCode(error) !== 'ENOENT') throw error;
  }
}
