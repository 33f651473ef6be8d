import { createHash } from 'node:crypto';
import { access, readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { errorCode } from '@grove/core';
import { LRUCache } from 'lru-cache';
import { readGitFile } from '../repository/small-file.ts';
import { unreadable } from '../repository/unreadable.ts';
import { EMPTY_TREE, type GitObject } from './git-object.ts';
import { looseSize, readLooseObject } from './loose-object.ts';
import { ENTRY_BYTES, Pack, type PackContext } from './pack.ts';
import { PackIndex } from './pack-index.ts';

const MAX_ALTERNATES = 5;
const MAX_ELSEWHERE = 50;

/** Bounds of what one store keeps and reads, in bytes. */
export interface ObjectLimits {
  readonly object: number;
  readonly pages: number;
  readonly objects: number;
}

/** How something of an object is read, where it lies. */
type ReadPacked<Found> = (pack: Pack, offset: number) => Promise<Found>;
type ReadLoose<Found> = (path: string) => Promise<Found | null>;

/**
 * The objects of one repository, loose or packed, its alternates included. Every object is checked against
 * its id. Packs are looked for again when an object is missing: a `git gc` beside us moves them.
 */
export class ObjectDatabase {
  readonly #folder: string;
  readonly #limits: ObjectLimits;
  readonly #context: PackContext;
  #folders: readonly string[] | null = null;
  #packs: Promise<readonly Pack[]> | null = null;
  #elsewhere = 0;
  /** Objects read so far: what tests count instead of time. */
  reads = 0;

  constructor(folder: string, limits: ObjectLimits) {
    this.#folder = folder;
    this.#limits = limits;
    this.#context = {
      limit: limits.object,
      pages: byteCache(limits.pages),
      objects: byteCache(limits.objects),
      readElsewhere: (oid) => this.#readBase(oid),
    };
  }

  /** Reads an object by its 40 hex digits, or null when it is not there. Throws `repository_unreadable`. */
  async read(oid: string): Promise<GitObject | null> {
    this.reads++;
    if (oid === EMPTY_TREE) return { type: 'tree', data: Buffer.alloc(0) };
    const kept = this.#context.objects.get(oid);
    if (kept !== undefined) return kept;
    const packed = (pack: Pack, offset: number) => pack.read(offset);
    const loose = (path: string) => readLooseObject(path, oid, this.#limits.object);
    const object =
      (await this.#packed(oid, packed)) ??
      (await this.#loose(oid, loose)) ??
      (await this.#afresh(oid, packed, loose));
    if (object === null) return null;
    const hash = createHash('sha1').update(`${object.type} ${object.data.length}\0`).update(object.data);
    if (hash.digest('hex') !== oid) throw unreadable(`the object ${oid} is damaged`);
    this.remember(oid, object);
    return object;
  }

  /** Size of an object in bytes, which is not read for that; null when it is not there. Throws `repository_unreadable`. */
  async sizeOf(oid: string): Promise<number | null> {
    const packed = (pack: Pack, offset: number) => pack.sizeAt(offset);
    const loose = (path: string) => looseSize(path, oid);
    return (
      (await this.#packed(oid, packed)) ?? (await this.#loose(oid, loose)) ?? this.#afresh(oid, packed, loose)
    );
  }

  /** Packs that hold an object, by their path, as far as they are known; one may be gone meanwhile. */
  async packsHolding(oid: string): Promise<string[]> {
    const name = Buffer.from(oid, 'hex');
    const packs = await this.#openedPacks();
    return packs.filter((pack) => pack.index.offsetOf(name) !== null).map((pack) => pack.path);
  }

  /** True when an object lies on disk, loose or packed; its content is not looked at. */
  async exists(oid: string): Promise<boolean> {
    for (const folder of await this.#objectFolders()) {
      if (await isThere(join(folder, oid.slice(0, 2), oid.slice(2)))) return true;
    }
    for (const path of await this.packsHolding(oid)) if (await isThere(path)) return true;
    const before = await this.#openedPacks();
    this.#packs = null;
    await this.#openedPacks(before);
    return (await this.packsHolding(oid)).length > 0;
  }

  /** Keeps an object of which id and content are known, so that a later read may spare the disk. */
  remember(oid: string, object: GitObject): void {
    this.#context.objects.set(oid, object, { size: object.data.length + ENTRY_BYTES });
  }

  /** Forgets what was read and closes the packs; the next read opens them again. */
  async release(): Promise<void> {
    const packs = this.#packs;
    this.#packs = null;
    this.#folders = null;
    this.#context.pages.clear();
    this.#context.objects.clear();
    // Packs that could not be opened have nothing to close; whoever read from them was told.
    for (const pack of (await packs?.catch(() => [])) ?? []) await pack.close();
  }

  async #packed<Found>(oid: string, read: ReadPacked<Found>): Promise<Found | null> {
    const name = Buffer.from(oid, 'hex');
    for (const pack of await this.#openedPacks()) {
      const offset = pack.index.offsetOf(name);
      if (offset === null) continue;
      try {
        return await read(pack, offset);
      } catch (error) {
        // Repacked and removed beside us: the object lies in another pack now.
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
    return null;
  }

  async #afresh<Found>(
    oid: string,
    packed: ReadPacked<Found>,
    loose: ReadLoose<Found>,
  ): Promise<Found | null> {
    const before = await this.#openedPacks();
    this.#packs = null;
    await this.#openedPacks(before);
    return (await this.#packed(oid, packed)) ?? (await this.#loose(oid, loose));
  }

  async #loose<Found>(oid: string, read: ReadLoose<Found>): Promise<Found | null> {
    for (const folder of await this.#objectFolders()) {
      const found = await read(join(folder, oid.slice(0, 2), oid.slice(2)));
      if (found !== null) return found;
    }
    return null;
  }

  async #readBase(oid: Buffer): Promise<GitObject> {
    const hex = oid.toString('hex');
    // Ids cannot form a ring, but a damaged index can.
    if (this.#elsewhere >= MAX_ELSEWHERE) throw unreadable('a chain of deltas in a pack has no end');
    this.#elsewhere++;
    try {
      const base = await this.read(hex);
      if (base === null) throw unreadable(`the object ${hex} is missing`);
      return base;
    } finally {
      this.#elsewhere--;
    }
  }

  async #openedPacks(before: readonly Pack[] = []): Promise<readonly Pack[]> {
    this.#packs ??= this.#openPacks(before);
    const packs = this.#packs;
    try {
      return await packs;
    } catch (error) {
      // A damaged index may be mended: look again at the next read.
      if (this.#packs === packs) this.#packs = null;
      throw error;
    }
  }

  /** Opens every pack's index; packs of `before` that are still there are taken over. */
  async #openPacks(before: readonly Pack[] = []): Promise<readonly Pack[]> {
    const known = new Map(before.map((pack) => [pack.path, pack]));
    const packs: Pack[] = [];
    for (const folder of await this.#objectFolders()) {
      for (const name of await namesIn(join(folder, 'pack'))) {
        if (!name.endsWith('.idx')) continue;
        const path = join(folder, 'pack', `${name.slice(0, -4)}.pack`);
        const index = known.has(path) ? null : await PackIndex.read(join(folder, 'pack', name));
        const pack = known.get(path) ?? (index === null ? null : new Pack(path, index, this.#context));
        known.delete(path);
        if (pack !== null) packs.push(pack);
      }
    }
    for (const gone of known.values()) await gone.close();
    return packs;
  }

  /** The object folder and those that info/alternates names (gitrepository-layout). */
  async #objectFolders(): Promise<readonly string[]> {
    if (this.#folders !== null) return this.#folders;
    const folders = [this.#folder];
    for (let i = 0; i < folders.length && folders.length <= MAX_ALTERNATES; i++) {
      const text = (await readGitFile(join(folders[i]!, 'info', 'alternates'))) ?? '';
      for (const line of text.split('\n')) {
        if (line.trim() === '' || line.startsWith('#')) continue;
        const folder = resolve(folders[i]!, line.trim());
        if (!folders.includes(folder)) folders.push(folder);
      }
    }
    this.#folders = folders;
    return folders;
  }
}

async function isThere(path: string): Promise<boolean> {
  try {
    await access(path);
    return true;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return false;
    throw unreadable(`an object cannot be looked for (${errorCode(error) ?? 'unknown error'})`, error);
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return [];
    throw unreadable(`the packs cannot be listed (${errorCode(error) ?? 'unknown error'})`, error);
  }
}

/** Least recently used values up to so many bytes; a value above a quarter of them is not kept. */
export function byteCache<Value extends object>(bytes: number): LRUCache<string, Value> {
  return new LRUCache({ maxSize: bytes, maxEntrySize: Math.floor(bytes / 4) });
}
