import { type FileHandle, open } from 'node:fs/promises';
import { errorCode } from '@grove/core';
import type { LRUCache } from 'lru-cache';
import { unreadable } from '../repository/unreadable.ts';
import { applyDelta, readDeltaHead } from './delta.ts';
import { type GitObject, OBJECT_TYPES } from './git-object.ts';
import { inflateExactly } from './inflate.ts';
import type { PackIndex } from './pack-index.ts';

const PAGE = 32 * 1024;
// git's own limit for the length of a delta chain.
const MAX_CHAIN = 4095;

/** What an entry of the object cache costs besides its bytes: key, Buffer, map slot. */
export const ENTRY_BYTES = 500;

interface EntryHead {
  /** 1-4: an object; 6: a delta to an offset; 7: a delta to an object id. */
  readonly type: number;
  /** Of what follows once it is inflated: a delta's own. */
  readonly size: number;
  /** Where that starts. */
  readonly dataAt: number;
  readonly baseOffset: number;
  readonly baseOid: Buffer | null;
}

interface Entry extends EntryHead {
  readonly data: Buffer;
}

/** What a pack asks of its surroundings. */
export interface PackContext {
  /** Largest object in bytes. */
  readonly limit: number;
  /** Shared by all packs of a store; keys start with the pack's path. */
  readonly pages: LRUCache<string, Buffer>;
  readonly objects: LRUCache<string, GitObject>;
  /** Reads the base of a delta that lies in another pack. */
  readonly readElsewhere: (oid: Buffer) => Promise<GitObject>;
}

/** One pack file, read by pages where it lies: memory does not grow with the pack. */
export class Pack {
  readonly path: string;
  readonly index: PackIndex;
  readonly #context: PackContext;
  #handle: Promise<FileHandle> | null = null;
  #size = 0;

  constructor(path: string, index: PackIndex, context: PackContext) {
    this.path = path;
    this.index = index;
    this.#context = context;
  }

  /** Reads the object at this offset, deltas applied. Throws `repository_unreadable`, or ENOENT when gone. */
  async read(offset: number): Promise<GitObject> {
    const { objects, limit } = this.#context;
    const deltas: { readonly offset: number; readonly data: Buffer }[] = [];
    let at = offset;
    let object: GitObject | undefined;
    while (object === undefined) {
      object = objects.get(`${this.path}:${at}`);
      if (object !== undefined) break;
      const entry = await this.#entry(at);
      const type = OBJECT_TYPES[entry.type as keyof typeof OBJECT_TYPES];
      if (type !== undefined) {
        object = { type, data: entry.data };
        this.#keep(at, object);
        break;
      }
      deltas.push({ offset: at, data: entry.data });
      if (deltas.length > MAX_CHAIN) throw unreadable('a chain of deltas in a pack has no end');
      const base = entry.baseOid === null ? entry.baseOffset : this.index.offsetOf(entry.baseOid);
      if (base === null) object = await this.#context.readElsewhere(entry.baseOid!);
      else at = base;
    }
    for (const delta of deltas.reverse()) {
      object = { type: object.type, data: applyDelta(object.data, delta.data, limit) };
      this.#keep(delta.offset, object);
    }
    return object;
  }

  /** Size of the object at this offset, in bytes; it is not read for that, at most its own delta. Throws as `read`. */
  async sizeAt(offset: number): Promise<number> {
    const { type, size } = await this.#head(offset);
    if (type in OBJECT_TYPES) return size;
    return size > this.#context.limit ? size : readDeltaHead((await this.#entry(offset)).data).size;
  }

  async close(): Promise<void> {
    const handle = this.#handle;
    this.#handle = null;
    // A file that could not be opened: its reader was told.
    await (await handle?.catch(() => undefined))?.close();
  }

  #keep(offset: number, object: GitObject): void {
    this.#context.objects.set(`${this.path}:${offset}`, object, { size: object.data.length + ENTRY_BYTES });
  }

  async #head(offset: number): Promise<EntryHead> {
    const head = await this.#bytes(offset, 64);
    let at = 0;
    const next = (): number => {
      const byte = head[at++];
      if (byte === undefined) throw unreadable('a pack is cut');
      return byte;
    };
    let byte = next();
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte >= 0x80; shift += 7) {
      if (shift > 46) throw unreadable('a pack is damaged');
      byte = next();
      size += (byte & 0x7f) * 2 ** shift;
    }
    let baseOffset = 0;
    let baseOid: Buffer | null = null;
    if (type === 6) {
      byte = next();
      let back = byte & 0x7f;
      while (byte >= 0x80) {
        byte = next();
        back = (back + 1) * 128 + (byte & 0x7f);
      }
      baseOffset = offset - back;
      if (back === 0 || baseOffset < 12) throw unreadable('a delta in a pack has no base');
    } else if (type === 7) {
      baseOid = Buffer.from(head.subarray(at, at + 20));
      at += 20;
    } else if (type === 0 || type === 5) {
      throw unreadable('a pack holds an object of an unknown kind');
    }
    return { type, size, dataAt: offset + at, baseOffset, baseOid };
  }

  async #entry(offset: number): Promise<Entry> {
    const head = await this.#head(offset);
    const { size, dataAt } = head;
    if (size > this.#context.limit) throw unreadable('an object is larger than it may be');
    // A zlib stream is at most this much longer than what it holds; a foreign writer may do worse.
    for (let room = size + (size >> 8) + 64; ; room *= 2) {
      const bytes = await this.#bytes(dataAt, room);
      const data = await inflateExactly(bytes, size);
      if (data !== null) return { ...head, data };
      if (bytes.length < room) throw unreadable('a pack is cut');
    }
  }

  /** At most `length` bytes from `offset`: fewer at the end of the pack. */
  async #bytes(offset: number, length: number): Promise<Buffer> {
    const first = Math.floor(offset / PAGE);
    const last = Math.floor((offset + length - 1) / PAGE);
    // Long runs are read past the cache: they would only push everything else out of it.
    if (last - first > 4) return this.#pread(offset, length);
    const pages: Buffer[] = [];
    for (let page = first; page <= last; page++) {
      const key = `${this.path}:${page}`;
      let bytes = this.#context.pages.get(key);
      if (bytes === undefined) {
        bytes = await this.#pread(page * PAGE, PAGE);
        this.#context.pages.set(key, bytes, { size: Math.max(1, bytes.length) });
      }
      pages.push(bytes);
    }
    const whole = pages.length === 1 ? pages[0]! : Buffer.concat(pages);
    const start = offset - first * PAGE;
    return whole.subarray(start, start + length);
  }

  async #pread(offset: number, length: number): Promise<Buffer> {
    this.#handle ??= this.#open();
    const handle = await this.#handle;
    const room = Buffer.allocUnsafe(Math.max(0, Math.min(length, this.#size - offset)));
    let filled = 0;
    while (filled < room.length) {
      const { bytesRead } = await handle.read(room, filled, room.length - filled, offset + filled);
      if (bytesRead === 0) break;
      filled += bytesRead;
    }
    return room.subarray(0, filled);
  }

  async #open(): Promise<FileHandle> {
    try {
      const handle = await open(this.path, 'r');
      this.#size = (await handle.stat()).size;
      return handle;
    } catch (error) {
      this.#handle = null;
      if (errorCode(error) === 'ENOENT') throw error;
      throw unreadable(`a pack cannot be opened (${errorCode(error) ?? 'unknown error'})`, error);
    }
  }
}
