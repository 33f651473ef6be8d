import { lstatSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash, errorCode, type WriteFs } from '@grove/core';
import type { GitLocation } from '../../repository/location.ts';

/** Grove's own folder in a git dir. */
export function ownFolder(location: Pick<GitLocation, 'gitDir'>): string {
  return join(location.gitDir, 'grove');
}

/** What tells the files of one vault from those of others in the same repository: `''` at its top. */
export function vaultTag({ prefix }: Pick<GitLocation, 'prefix'>): string {
  return prefix === '' ? '' : `-${contentHash(prefix)}`;
}

/** Name of the mark in Grove's folder. */
export function markName(location: Pick<GitLocation, 'prefix'>): string {
  return `owner-mark${vaultTag(location)}`;
}

/** What the mark holds. A copy of a git dir has copies of it where there were links. */
export function markText(location: Pick<GitLocation, 'prefix'>): string {
  return `grove lock${vaultTag(location)}\n`;
}

/**
 * The file that Grove's locks are links to. It is durable before the first lock is taken: whatever a power
 * loss leaves of a lock, it is known as ours by its inode.
 */
export class OwnMark {
  readonly path: string;
  readonly text: string;
  /** See {@link vaultTag}. */
  readonly tag: string;
  /** Paths of locks of ours that the disk did not let go. */
  readonly left = new Set<string>();
  readonly #location: GitLocation;
  readonly #fs: WriteFs;
  #ready: Promise<void> | null = null;

  constructor(location: GitLocation, fs: WriteFs) {
    this.path = join(ownFolder(location), markName(location));
    this.tag = vaultTag(location);
    this.text = markText(location);
    this.#location = location;
    this.#fs = fs;
  }

  /** Links the mark to the name of a lock. `EEXIST` when another holds it. */
  async link(path: string): Promise<void> {
    await this.prepare();
    try {
      await this.#fs.link(this.path, path);
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error;
      // Somebody tidied up in the git dir.
      this.#ready = null;
      await this.prepare();
      await this.#fs.link(this.path, path);
    }
  }

  /** True when the file there is the mark, by whatever name. */
  isAt(path: string): boolean {
    const there = identity(path);
    return there !== null && there === identity(this.path);
  }

  /** Makes the mark and its folder, once, durably. */
  async prepare(): Promise<void> {
    this.#ready ??= this.#make();
    const ready = this.#ready;
    try {
      await ready;
    } catch (error) {
      if (this.#ready === ready) this.#ready = null;
      throw error;
    }
  }

  async #make(): Promise<void> {
    const fs = this.#fs;
    const { gitDir } = this.#location;
    const folder = dirname(this.path);
    try {
      await fs.mkdir(folder);
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    try {
      const handle = await fs.create(this.path, 0o666);
      try {
        await handle.write(Buffer.from(this.text));
      } finally {
        await handle.close();
      }
    } catch (error) {
      if (errorCode(error) !== 'EEXIST') throw error;
    }
    // Also where it was there already: whoever made it may have been killed before it was durable.
    await fs.sync(this.path);
    await fs.sync(folder);
    await fs.sync(gitDir);
  }
}

/** Device and inode of a file, or null when there is none. */
export function identity(path: string): string | null {
  return fileAt(path)?.identity ?? null;
}

/** A file's identity and its size in bytes, or null when there is none. */
export function fileAt(path: string): { identity: string; size: number } | null {
  const found = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return found === undefined ? null : { identity: `${found.dev}:${found.ino}`, size: Number(found.size) };
}
