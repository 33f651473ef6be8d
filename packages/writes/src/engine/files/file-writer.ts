import { chownSync, lstatSync, realpathSync, renameSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Clock, diskWriteFs, errorCode, hasNoLinks, type VaultPath, type WriteFs } from '@grove/core';
import { moveByLink, saveConflict } from './conflict-file.ts';
import { type FileChange, sameBytes } from './file-change.ts';
import { Raced } from './raced.ts';
import { readPlainFile } from './read-file.ts';

/** What became of a kept old file. */
export type KeptOutcome = { readonly conflict: VaultPath | null };

/**
 * Puts new bytes in the place of old ones so that nobody's are lost: a file is made only where there is none, and
 * an old one keeps a second name until it is known to be the one that was looked at.
 */
export class FileWriter {
  readonly #root: string;
  readonly #fs: WriteFs;
  readonly #clock: Clock;
  /** In bytes; that of a note unless told. */
  readonly #largest: number | undefined;
  #lacksLinks = false;

  constructor(root: string, fs: WriteFs, clock: Clock, largest?: number) {
    this.#root = root;
    this.#fs = fs;
    this.#clock = clock;
    this.#largest = largest;
  }

  /** True once a file could get no second name: the disk has none, or the system keeps them from files of others. */
  get lacksLinks(): boolean {
    return this.#lacksLinks;
  }

  /**
   * Writes the fresh file under its working name: a full or read-only disk shows here.
   *
   * @returns resolves when the file's bytes are written; what is in it resolves when they are synced. Until then it
   * must not take its place.
   */
  async prepare(change: FileChange): Promise<{ readonly synced: Promise<void> }> {
    if (change.after === null) return { synced: Promise.resolve() };
    const { synced } = await this.#writeNew(change.temp, change.after, change);
    // Whoever awaits it hears of a failure.
    synced.catch(() => {});
    return { synced };
  }

  /**
   * Puts the change in its place.
   *
   * @returns where somebody's newer words went that were found in the place of the old ones, or null
   * @throws Raced when the file is no longer what was looked at; nothing is changed then
   */
  async place(change: FileChange): Promise<VaultPath | null> {
    this.#requireOwnFolder(change);
    if (change.after === null) return this.#remove(change);
    return change.before === null ? this.#create(change) : this.#replace(change);
  }

  /** Makes folders, outermost first, each with the permissions and owner of the one above. */
  async makeFolders(folders: readonly string[]): Promise<string[]> {
    const made: string[] = [];
    for (const folder of folders) {
      const path = join(this.#root, folder);
      if (!isReal(dirname(path))) throw new Raced(folder);
      try {
        await this.#fs.mkdir(path);
      } catch (error) {
        if (errorCode(error) === 'EEXIST') continue;
        throw error;
      }
      made.push(folder);
      const above = lstatSync(dirname(path));
      await this.#fs.chmod(path, above.mode & 0o7777);
      give(path, { uid: above.uid, gid: above.gid });
    }
    return made;
  }

  /** Makes durable which names folders of the vault hold; one that is gone took its own with it. */
  async syncFolders(folders: readonly string[]): Promise<void> {
    for (const folder of new Set(folders)) {
      try {
        await this.#fs.sync(join(this.#root, folder));
      } catch (error) {
        const code = errorCode(error);
        if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
      }
    }
  }

  /** Removes folders that a write made and that nobody put anything into. */
  async removeFolders(folders: readonly string[]): Promise<void> {
    for (const folder of [...folders].reverse()) {
      const path = join(this.#root, folder);
      if (!isReal(dirname(path))) continue;
      try {
        await this.#fs.rmdir(path);
      } catch (error) {
        const code = errorCode(error) ?? '';
        if (!['ENOTEMPTY', 'EEXIST', 'ENOENT', 'ENOTDIR'].includes(code)) throw error;
      }
    }
  }

  /**
   * Lets the second name of an old file go, unless somebody wrote into that file after it was replaced (an editor
   * that had it open): those words get a conflict file. `known`: what it may hold besides.
   */
  async releaseKept(
    change: Pick<FileChange, 'path' | 'diskPath' | 'before' | 'keep'>,
    known: readonly (Uint8Array | null)[] = [],
  ): Promise<KeptOutcome> {
    const kept = this.#read(change.keep, change.path, 2);
    if (kept === null) return { conflict: null };
    if (![change.before, ...known].some((bytes) => sameBytes(kept.bytes, bytes)))
      return { conflict: await this.#conflict(change.diskPath, change.keep) };
    await this.discard(change.keep);
    return { conflict: null };
  }

  /** Removes a working file if it is there. */
  async discard(path: string): Promise<void> {
    try {
      await this.#fs.unlink(path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
    }
  }

  /** A folder that became a link since it was looked at would lead the write out of the vault. */
  #requireOwnFolder(change: FileChange): void {
    if (!isReal(dirname(join(this.#root, change.diskPath)))) throw new Raced(change.path);
  }

  async #create(change: FileChange): Promise<null> {
    const target = join(this.#root, change.diskPath);
    try {
      await this.#fs.link(change.temp, target);
    } catch (error) {
      const code = errorCode(error);
      if (code === 'EEXIST' || code === 'ENOENT' || code === 'ENOTDIR') throw new Raced(change.path);
      if (!hasNoLinks(error)) throw error;
      this.#lacksLinks = true;
      await this.#createWithoutLink(change, target);
    }
    await this.discard(change.temp);
    return null;
  }

  /** Takes the name with an empty file, which the whole one then replaces: no half of it is ever there. */
  async #createWithoutLink(change: FileChange, target: string): Promise<void> {
    try {
      await (await this.#fs.create(target, change.permissions)).close();
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw new Raced(change.path);
      throw error;
    }
    await this.#fs.rename(change.temp, target);
  }

  async #replace(change: FileChange): Promise<VaultPath | null> {
    const target = join(this.#root, change.diskPath);
    this.#verify(change, target);
    const linked = await this.#keep(change, target);
    // The link may have caught another file than the one that was verified.
    if (linked ? !isSameFile(target, change.keep) : !this.#isStill(change, target)) {
      await this.discard(change.keep);
      throw new Raced(change.path);
    }
    // At once: who moves a file into this place between the look and the move loses it, and no call of the system
    // that Node offers does both. (Who writes into the old file does not: it has its second name.)
    if (this.#fs === diskWriteFs) renameSync(change.temp, target);
    else await this.#fs.rename(change.temp, target);
    const kept = this.#read(change.keep, change.path, 2)?.bytes ?? null;
    if (kept === null || sameBytes(kept, change.before)) return null;
    return this.#conflict(change.diskPath, change.keep);
  }

  async #remove(change: FileChange): Promise<VaultPath | null> {
    const target = join(this.#root, change.diskPath);
    this.#verify(change, target);
    try {
      await this.#fs.rename(target, change.keep);
    } catch (error) {
      if (errorCode(error) === 'ENOENT') throw new Raced(change.path);
      throw error;
    }
    const kept = this.#read(change.keep, change.path, 2)?.bytes ?? null;
    if (kept === null || sameBytes(kept, change.before)) return null;
    try {
      await moveByLink(this.#fs, change.keep, target);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' && !hasNoLinks(error)) throw error;
      return this.#conflict(change.diskPath, change.keep);
    }
    throw new Raced(change.path);
  }

  #verify(change: FileChange, target: string): void {
    if (!this.#isStill(change, target)) throw new Raced(change.path);
  }

  #isStill(change: FileChange, target: string): boolean {
    return sameBytes(this.#read(target, change.path, 1)?.bytes ?? null, change.before);
  }

  /** Gives the old file its second name; false where it is a copy. */
  async #keep(change: FileChange, target: string): Promise<boolean> {
    try {
      await this.#fs.link(target, change.keep);
      return true;
    } catch (error) {
      if (errorCode(error) === 'ENOENT') throw new Raced(change.path);
      if (!hasNoLinks(error)) throw error;
      this.#lacksLinks = true;
    }
    const { synced } = await this.#writeNew(change.keep, change.before!, { permissions: 0o600, owner: null });
    await synced;
    return false;
  }

  /** Writes a file; what is given back resolves when it is synced. */
  async #writeNew(
    path: string,
    bytes: Uint8Array,
    { permissions, owner }: Pick<FileChange, 'permissions' | 'owner'>,
  ): Promise<{ readonly synced: Promise<void> }> {
    const handle = await this.#fs.create(path, permissions);
    try {
      await handle.write(bytes);
      await handle.chmod(permissions);
      if (owner !== null) give(path, owner);
    } catch (error) {
      await handle.close();
      throw error;
    }
    return { synced: handle.sync().finally(() => handle.close()) };
  }

  #read(absolute: string, path: string, links: number) {
    return readPlainFile(absolute, path, links, this.#largest);
  }

  #conflict(diskPath: string, from: string): Promise<VaultPath> {
    return saveConflict({ root: this.#root, fs: this.#fs, clock: this.#clock }, diskPath, from);
  }
}

/**
 * Only root may give files away; for others they are theirs, as with every editor, and of the group of the folder or the
 * old file where they belong to that.
 */
function give(path: string, owner: { readonly uid: number; readonly gid: number }): void {
  const isRoot = process.geteuid?.() === 0;
  if (!isRoot && (process.getegid === undefined || process.getegid() === owner.gid)) return;
  try {
    chownSync(path, isRoot ? owner.uid : -1, owner.gid);
  } catch (error) {
    // Network shares that map owners refuse; whoever mounted them decided whose files these are.
    if (!['EPERM', 'EINVAL', 'ENOTSUP', 'ENOSYS'].includes(errorCode(error) ?? '')) throw error;
  }
}

/** False where a link leads somewhere else, or nothing is there. */
function isReal(folder: string): boolean {
  try {
    return realpathSync.native(folder) === folder;
  } catch (error) {
    if (errorCode(error) === undefined) throw error;
    return false;
  }
}

function isSameFile(left: string, right: string): boolean {
  const one = lstatSync(left, { bigint: true, throwIfNoEntry: false });
  const other = lstatSync(right, { bigint: true, throwIfNoEntry: false });
  return one !== undefined && other !== undefined && one.ino === other.ino && one.dev === other.dev;
}
