import { linkSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { diskWriteFs, type WriteFs, type WriteHandle } from '@grove/core';

/** A file by what it is, whatever its names; `mode` is what it was made with or set to last. */
interface Inode {
  readonly id: number;
  mode: number;
}

type Operation =
  | {
      readonly kind: 'name';
      readonly folder: string;
      readonly sets: readonly (readonly [string, Inode | 'folder' | null])[];
    }
  | { readonly kind: 'data'; readonly inode: Inode; readonly bytes: Buffer }
  | { readonly kind: 'sync-folder'; readonly folder: string }
  | { readonly kind: 'sync-file'; readonly inode: Inode };

/** A file of a state; two paths with the same one are two names of it. */
interface FileState {
  readonly bytes: Buffer;
  readonly mode: number;
}

/** A folder as it could be after a power loss: paths with their content, or `folder`. */
export type DiskState = ReadonlyMap<string, FileState | 'folder'>;

/**
 * The disk, with a record of what was changed in which order and what was synced. From it come all states that a
 * power loss could leave: of what was not synced, any part may be missing, in any combination. A file's bytes are
 * synced by its own sync, its names by that of their folders; a move is one change of the folder that it goes to.
 */
export class RecordingFs {
  readonly #initial = new Map<string, Inode | 'folder'>();
  readonly #initialBytes = new Map<Inode, Buffer>();
  readonly #names = new Map<string, Inode | 'folder'>();
  readonly #operations: Operation[] = [];
  #inodes = 0;

  /** Takes what is below `root` now as synced. */
  constructor(root: string) {
    this.#walk(root);
    for (const [path, entry] of this.#initial) this.#names.set(path, entry);
  }

  /** How many operations were recorded so far. */
  get length(): number {
    return this.#operations.length;
  }

  /** What the engine writes through. */
  readonly fs: WriteFs = {
    create: async (path, mode) => {
      const handle = await diskWriteFs.create(path, mode);
      return this.#handle(handle, this.#make(path, mode));
    },
    append: async (path, mode) => {
      const handle = await diskWriteFs.append(path, mode);
      const known = this.#names.get(path);
      return this.#handle(handle, known === undefined || known === 'folder' ? this.#make(path, mode) : known);
    },
    sync: async (path) => {
      await diskWriteFs.sync(path);
      const entry = this.#names.get(path);
      if (entry === undefined || entry === 'folder')
        this.#operations.push({ kind: 'sync-folder', folder: path });
      else this.#operations.push({ kind: 'sync-file', inode: entry });
    },
    mkdir: async (path) => {
      await diskWriteFs.mkdir(path);
      this.#name(dirname(path), [[path, 'folder']]);
    },
    link: async (from, to) => {
      await diskWriteFs.link(from, to);
      this.#name(dirname(to), [[to, this.#names.get(from)!]]);
    },
    rename: async (from, to) => {
      await diskWriteFs.rename(from, to);
      this.#name(dirname(to), [
        [to, this.#names.get(from)!],
        [from, null],
      ]);
    },
    unlink: async (path) => {
      await diskWriteFs.unlink(path);
      this.#name(dirname(path), [[path, null]]);
    },
    rmdir: async (path) => {
      await diskWriteFs.rmdir(path);
      this.#name(dirname(path), [[path, null]]);
    },
    utimes: (path, accessed, modified) => diskWriteFs.utimes(path, accessed, modified),
    chmod: async (path, mode) => {
      await diskWriteFs.chmod(path, mode);
      const entry = this.#names.get(path);
      if (entry !== undefined && entry !== 'folder') entry.mode = mode;
    },
  };

  /**
   * The state after a power loss behind the first `count` operations. `keeps` is asked for each one of them that
   * was not synced by then.
   */
  stateAfter(count: number, keeps: (operation: number) => boolean): DiskState {
    const done = this.#operations.slice(0, count);
    const names = new Map(this.#initial);
    const bytes = new Map(this.#initialBytes);
    for (const [at, operation] of done.entries()) {
      if (operation.kind === 'name') {
        if (!this.#isSynced(done, at, operation) && !keeps(at)) continue;
        for (const [path, entry] of operation.sets) {
          if (entry === null) names.delete(path);
          else names.set(path, entry);
        }
      } else if (operation.kind === 'data' && (this.#isSynced(done, at, operation) || keeps(at))) {
        bytes.set(
          operation.inode,
          Buffer.concat([bytes.get(operation.inode) ?? Buffer.alloc(0), operation.bytes]),
        );
      }
    }
    const files = new Map<Inode, FileState>();
    const fileOf = (inode: Inode): FileState => {
      const file = files.get(inode) ?? { bytes: bytes.get(inode) ?? Buffer.alloc(0), mode: inode.mode };
      files.set(inode, file);
      return file;
    };
    return new Map([...names].map(([path, entry]) => [path, entry === 'folder' ? entry : fileOf(entry)]));
  }

  #isSynced(done: readonly Operation[], at: number, operation: Operation): boolean {
    return done
      .slice(at + 1)
      .some((later) =>
        operation.kind === 'name'
          ? later.kind === 'sync-folder' && later.folder === operation.folder
          : operation.kind === 'data' && later.kind === 'sync-file' && later.inode === operation.inode,
      );
  }

  #make(path: string, mode: number): Inode {
    this.#inodes += 1;
    const inode = { id: this.#inodes, mode };
    this.#name(dirname(path), [[path, inode]]);
    return inode;
  }

  #name(folder: string, sets: readonly (readonly [string, Inode | 'folder' | null])[]): void {
    this.#operations.push({ kind: 'name', folder, sets });
    for (const [path, entry] of sets) {
      if (entry === null) this.#names.delete(path);
      else this.#names.set(path, entry);
    }
  }

  #handle(handle: WriteHandle, inode: Inode): WriteHandle {
    return {
      ...handle,
      write: async (bytes) => {
        await handle.write(bytes);
        this.#operations.push({ kind: 'data', inode, bytes: Buffer.from(bytes) });
      },
      sync: async () => {
        await handle.sync();
        this.#operations.push({ kind: 'sync-file', inode });
      },
      chmod: async (mode) => {
        await handle.chmod(mode);
        inode.mode = mode;
      },
    };
  }

  #walk(folder: string): void {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        this.#initial.set(path, 'folder');
        this.#walk(path);
      } else {
        this.#inodes += 1;
        const inode = { id: this.#inodes, mode: lstatSync(path).mode & 0o777 };
        this.#initial.set(path, inode);
        this.#initialBytes.set(inode, readFileSync(path));
      }
    }
  }
}

/** Makes a state real in an empty folder. A name whose folder is missing brings it along. */
export function writeState(state: DiskState): void {
  const written = new Map<FileState, string>();
  for (const [path, entry] of [...state].sort(([left], [right]) => left.length - right.length)) {
    if (entry === 'folder') {
      mkdirSync(path, { recursive: true });
      continue;
    }
    mkdirSync(dirname(path), { recursive: true });
    const first = written.get(entry);
    if (first === undefined) writeFileSync(path, entry.bytes, { mode: entry.mode });
    else linkSync(first, path);
    written.set(entry, path);
  }
}
