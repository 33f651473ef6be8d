import type { BigIntStats } from 'node:fs';
import { chmod, constants, link, mkdir, open, rename, rmdir, unlink, utimes } from 'node:fs/promises';
import { errorCode } from './errors.ts';

/**
 * Everything that changes something on disk while a vault is written. Paths are absolute. Errors are those of
 * `node:fs`, with their `code`. Nothing is durable before it was synced: a file's content by the handle's
 * `sync` or by {@link WriteFs.sync} of its path, a name (created, linked, renamed, removed) by
 * {@link WriteFs.sync} of its folder. Tests put in one that records the order.
 */
export interface WriteFs {
  /** Creates a file that must not be there (`EEXIST`), with these permissions less the umask. */
  create(path: string, mode: number): Promise<WriteHandle>;
  /** Opens a file to write at its end, creating it with these permissions less the umask. */
  append(path: string, mode: number): Promise<WriteHandle>;
  /** fsync of a file or folder that is there. A folder that the system cannot sync is passed over. */
  sync(path: string): Promise<void>;
  /** Makes one folder; its parent must be there. */
  mkdir(path: string): Promise<void>;
  /** Gives a file a second name that must not be taken (`EEXIST`). */
  link(from: string, to: string): Promise<void>;
  /** Moves a file, in one step over what is there. */
  rename(from: string, to: string): Promise<void>;
  unlink(path: string): Promise<void>;
  /** Removes an empty folder. */
  rmdir(path: string): Promise<void>;
  /** Sets the times, in milliseconds since the epoch. */
  utimes(path: string, accessed: number, modified: number): Promise<void>;
  /** Sets the permissions, whatever the umask. */
  chmod(path: string, mode: number): Promise<void>;
}

/** A file being written. */
export interface WriteHandle {
  /** Writes all of it behind what was written before. */
  write(bytes: Uint8Array): Promise<void>;
  sync(): Promise<void>;
  chmod(mode: number): Promise<void>;
  /** As {@link WriteFs.utimes}. */
  utimes(accessed: number, modified: number): Promise<void>;
  stat(): Promise<BigIntStats>;
  close(): Promise<void>;
}

// Windows and some network file systems cannot sync a folder; what was done in it stands all the same.
const UNSYNCABLE = new Set(['EISDIR', 'EPERM', 'EINVAL', 'EACCES', 'ENOTSUP']);

/** The disk of the machine. */
export const diskWriteFs: WriteFs = {
  create: (path, mode) => opened(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode),
  append: (path, mode) => opened(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, mode),
  async sync(path) {
    let isFolder = false;
    try {
      const handle = await open(path, 'r');
      try {
        isFolder = (await handle.stat()).isDirectory();
        await handle.sync();
      } finally {
        await handle.close();
      }
    } catch (error) {
      const code = errorCode(error) ?? '';
      if (!(UNSYNCABLE.has(code) && (isFolder || code === 'EISDIR'))) throw error;
    }
  },
  mkdir: async (path) => {
    await mkdir(path);
  },
  link,
  rename,
  unlink,
  rmdir,
  utimes: (path, accessed, modified) => utimes(path, accessed / 1000, modified / 1000),
  chmod,
};

async function opened(path: string, flags: number, mode: number): Promise<WriteHandle> {
  const handle = await open(path, flags, mode);
  return {
    async write(bytes) {
      // writeFile repeats short writes; on an open file it goes on where the last one ended.
      await handle.writeFile(bytes);
    },
    sync: () => handle.sync(),
    chmod: (permissions) => handle.chmod(permissions),
    utimes: (accessed, modified) => handle.utimes(accessed / 1000, modified / 1000),
    stat: () => handle.stat({ bigint: true }),
    close: () => handle.close(),
  };
}
