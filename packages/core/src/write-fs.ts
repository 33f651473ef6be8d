import {
  type BigIntStats,
  chmodSync,
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  fsync,
  futimesSync,
  linkSync,
  mkdirSync,
  openSync,
  renameSync,
  rmdirSync,
  unlink,
  utimesSync,
  write,
  writeSync,
} from 'node:fs';
import { promisify } from 'node:util';
import { errorCode } from './errors.ts';
import { isUnsyncable } from './sync-folder.ts';

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

const syncAside = promisify(fsync);
const writeAside = promisify(write);
// Above this a thread's round trip costs less than what the caller's thread would be held up for.
const LARGE = 256 * 1024;

/**
 * The disk of the machine. Only what has to wait for it goes to a thread of its own: syncs, large writes, and removing
 * a file, whose blocks go with its last name. The other calls take microseconds, less than the way there and back.
 */
export const diskWriteFs: WriteFs = {
  create: async (path, mode) => opened(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, mode),
  append: async (path, mode) =>
    opened(path, constants.O_WRONLY | constants.O_CREAT | constants.O_APPEND, mode),
  async sync(path) {
    let isFolder = false;
    try {
      const file = openSync(path, 'r');
      try {
        isFolder = fstatSync(file).isDirectory();
        await syncAside(file);
      } finally {
        closeSync(file);
      }
    } catch (error) {
      if (!isUnsyncable(error) || !(isFolder || errorCode(error) === 'EISDIR')) throw error;
    }
  },
  mkdir: async (path) => {
    mkdirSync(path);
  },
  link: async (from, to) => linkSync(from, to),
  rename: async (from, to) => renameSync(from, to),
  unlink: promisify(unlink),
  rmdir: async (path) => rmdirSync(path),
  utimes: async (path, accessed, modified) => utimesSync(path, accessed / 1000, modified / 1000),
  chmod: async (path, mode) => chmodSync(path, mode),
};

function opened(path: string, flags: number, mode: number): WriteHandle {
  const file = openSync(path, flags, mode);
  return {
    async write(bytes) {
      // The system may take less than it is given.
      for (let written = 0; written < bytes.length; ) {
        const rest = bytes.length - written;
        if (rest > LARGE) written += (await writeAside(file, bytes, written, rest)).bytesWritten;
        else written += writeSync(file, bytes, written, rest);
      }
    },
    sync: () => syncAside(file),
    chmod: async (permissions) => fchmodSync(file, permissions),
    utimes: async (accessed, modified) => futimesSync(file, accessed / 1000, modified / 1000),
    stat: async () => fstatSync(file, { bigint: true }),
    close: async () => closeSync(file),
  };
}
