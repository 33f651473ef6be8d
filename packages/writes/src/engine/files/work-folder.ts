import { lstatSync, type Stats } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { errorCode, GroveError, randomId, type WriteFs } from '@grove/core';
import type { GitLocation } from '@grove/history';

/** Names of files that a write makes for itself; all others in these folders are left alone. */
const OWN_NAME = /^(?:temp-[\w-]{22}(?:\.back)?|keep-[\w-]{22}-[0-9a-f]{16})$/;

/** True for the name of a fresh file or of the second name of an old one. */
export function isWorkFile(name: string): boolean {
  return OWN_NAME.test(name);
}

/**
 * Where fresh files are written and old ones kept until a write is done: `grove/` in the git dir where a file can
 * move from there into the vault in one step, else `.grove/tmp/` in the vault, which git is told to ignore.
 */
export class WorkFolder {
  readonly #root: string;
  readonly #gitFolder: string;
  readonly #ownFolder: string;
  readonly #fs: WriteFs;
  #usesGitDir: boolean;

  constructor(root: string, location: GitLocation, fs: WriteFs) {
    this.#root = root;
    this.#fs = fs;
    this.#gitFolder = join(location.gitDir, 'grove');
    this.#ownFolder = join(root, '.grove', 'tmp');
    // Two mounts of one disk have the same device number, and no file moves between them: a git dir that lies
    // elsewhere is not tried.
    this.#usesGitDir = location.gitDir.startsWith(location.workTreeRoot + sep);
  }

  /** Both places where files of ours may lie. */
  get folders(): readonly string[] {
    return [this.#gitFolder, this.#ownFolder];
  }

  /** After a move out of the git dir failed with EXDEV. True when there is another place to try. */
  leaveGitDir(): boolean {
    const left = this.#usesGitDir;
    this.#usesGitDir = false;
    return left;
  }

  /**
   * New names for one change of a file in a folder on this device. The folder that they are in is there.
   *
   * @param beforeHash content hash of the file that is there, or of nothing
   */
  async names(device: bigint, beforeHash: string): Promise<{ readonly temp: string; readonly keep: string }> {
    const folder = await this.#folderFor(device);
    const id = randomId();
    return {
      temp: join(folder, `temp-${id}`),
      keep: join(folder, `keep-${id}-${beforeHash}`),
    };
  }

  async #folderFor(device: bigint): Promise<string> {
    if (this.#usesGitDir) {
      await this.#make(this.#gitFolder);
      if (lstatSync(this.#gitFolder, { bigint: true }).dev === device) return this.#gitFolder;
    }
    const settings = dirname(this.#ownFolder);
    for (const folder of [settings, this.#ownFolder]) await this.#make(folder);
    await this.#ignoreOwnFolder();
    return this.#ownFolder;
  }

  async #make(folder: string): Promise<void> {
    const found = look(folder);
    if (found === null) {
      const parent = look(dirname(folder));
      try {
        await this.#fs.mkdir(folder);
      } catch (error) {
        if (errorCode(error) !== 'EEXIST') throw error;
      }
      if (parent !== null && folder.startsWith(this.#root + sep))
        await this.#fs.chmod(folder, parent.mode & 0o777);
    } else if (!found.isDirectory()) {
      throw new GroveError('disk_unwritable', { reason: 'the folder for files under way is no folder' });
    }
  }

  async #ignoreOwnFolder(): Promise<void> {
    const file = join(this.#ownFolder, '.gitignore');
    if (look(file) !== null) return;
    const handle = await this.#fs.create(file, 0o644);
    try {
      await handle.write(Buffer.from('*\n'));
    } finally {
      await handle.close();
    }
  }
}

function look(path: string): Stats | null {
  return lstatSync(path, { throwIfNoEntry: false }) ?? null;
}
