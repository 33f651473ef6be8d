import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32, deflateSync } from 'node:zlib';
import { isGroveError, Slices, type WriteFs } from '@grove/core';
import { entryHeader, typeNumber } from '../../maintenance/pack-builder.ts';
import { type PackedEntry, packIndexBytes } from '../../maintenance/pack-index-bytes.ts';
import { applyDelta, readDeltaHead } from '../../objects/delta.ts';
import { type GitObject, OBJECT_TYPES } from '../../objects/git-object.ts';
import { objectId } from '../../writing/objects/object-id.ts';
import { BrokenLine, TooMuch } from '../wire/pkt-line.ts';
import { type DeltaBase, DeltaBases } from './delta-bases.ts';
import { PackFile, RECEIVED_LIMIT, tooLarge } from './pack-file.ts';
import type { StoredPack } from './store-pack.ts';

const SUM_BYTES = 20;

/** What the indexing of a received pack needs. */
export interface IndexRequest {
  readonly fs: WriteFs;
  /** The pack's file, whatever its name. */
  readonly path: string;
  readonly stored: StoredPack;
  /** Reads the base of a delta that is here and was not sent; null when it is not. */
  readonly readBase: (oid: string) => Promise<GitObject | null>;
  /** Permissions that the files get, or null. */
  readonly mode: ((mode: number) => number) | null;
  readonly onObjects: (done: number, total: number) => void;
  readonly limits?: IndexLimits;
}

/** An object whose deltas are being applied: `next` of `children` is the one that comes. */
interface Open extends DeltaBase {
  readonly children: readonly number[];
  next: number;
}

/** What an index takes of time and memory, whatever a server sends. */
export interface IndexLimits {
  /** Bytes of objects that deltas wait for. */
  readonly bases: number;
  /** Bytes of all objects, those that are made again included. */
  readonly inflated: number;
  readonly objects: number;
}

const GB = 1024 * 1024 * 1024;
// A history of 50,000 commits to a folder of 10,000 notes makes some 20 GB of folders.
const LIMITS: IndexLimits = { bases: GB / 8, inflated: 64 * GB, objects: 10_000_000 };

/**
 * Finds all objects of a received pack, as `git index-pack --fix-thin` does, and gives pack and index their names beside
 * the file, synced. In memory lie the ids, one object, and of those it is a delta to what the limits leave room for.
 *
 * @returns the pack's new path
 */
export async function indexPack(request: IndexRequest): Promise<string> {
  using file = new PackFile(request.path, request.stored.size);
  return await new PackIndexing(request, file).run();
}

class PackIndexing {
  readonly #request: IndexRequest;
  readonly #file: PackFile;
  readonly #slices = new Slices();
  readonly #found: PackedEntry[] = [];
  /** Offsets of deltas, by the offset or the id of their base. */
  readonly #byOffset = new Map<number, number[]>();
  readonly #byOid = new Map<string, number[]>();
  readonly #limits: IndexLimits;
  #deltas = 0;
  #inflated = 0;

  constructor(request: IndexRequest, file: PackFile) {
    this.#request = request;
    this.#file = file;
    this.#limits = request.limits ?? LIMITS;
  }

  async run(): Promise<string> {
    if (this.#request.stored.objects > this.#limits.objects)
      throw new TooMuch('it holds more objects than can be taken');
    for (const { oid, offset } of await this.#scan()) await this.#resolve(oid, offset);
    const { fs, path, mode } = this.#request;
    const sum = await this.#addBases();
    if (this.#deltas > 0) throw new BrokenLine('its pack holds deltas without a base');
    if (mode !== null) await fs.chmod(path, mode(0o444));
    await fs.sync(path);
    const stem = join(dirname(path), `pack-${sum.toString('hex')}`);
    const index = await fs.create(`${stem}.idx`, 0o444);
    try {
      await index.write(packIndexBytes(this.#found, sum));
      if (mode !== null) await index.chmod(mode(0o444));
      await index.sync();
    } finally {
      await index.close();
    }
    await rename(path, `${stem}.pack`);
    return `${stem}.pack`;
  }

  /** Enters all whole objects, which it answers, and collects the deltas. */
  async #scan(): Promise<PackedEntry[]> {
    const { stored } = this.#request;
    let offset = 12;
    for (let at = 0; at < stored.objects; at++) {
      const entry = this.#file.entryAt(offset);
      this.#counted(entry.data);
      const type = OBJECT_TYPES[entry.type as keyof typeof OBJECT_TYPES];
      if (type !== undefined) {
        this.#enter(objectId({ type, data: entry.data }), entry.offset, entry.crc);
      } else {
        this.#deltas += 1;
        if (entry.baseOid !== null) push(this.#byOid, entry.baseOid, offset);
        else push(this.#byOffset, entry.baseOffset, offset);
      }
      offset = entry.end;
      await this.#rest();
    }
    if (offset !== stored.size - SUM_BYTES) throw new BrokenLine('its pack is longer than it says');
    return [...this.#found];
  }

  /** Applies all deltas that build on a whole object of this pack. */
  async #resolve(oid: string, offset: number): Promise<void> {
    if (!this.#byOffset.has(offset) && !this.#byOid.has(oid)) return;
    const { type, data } = this.#file.entryAt(offset);
    const whole = { type: OBJECT_TYPES[type as keyof typeof OBJECT_TYPES], data };
    await this.#resolveBelow(whole, () => this.#file.entryAt(offset).data, oid, offset);
  }

  async #resolveBelow(
    { type, data }: GitObject,
    again: () => Buffer | Promise<Buffer>,
    oid: string,
    offset: number,
  ): Promise<void> {
    const bases = new DeltaBases(this.#limits.bases);
    const make = async () => this.#counted(await again());
    const whole: Open = { below: null, make, children: this.#childrenOf(oid, offset), next: 0 };
    bases.hold(whole, data);
    const stack = [whole];
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const child = top.children[top.next++];
      if (child === undefined) {
        stack.pop();
        continue;
      }
      const base = await bases.bytesOf(top);
      // After its last delta a base is not needed any more: a chain of them keeps two objects.
      if (top.next >= top.children.length) {
        stack.pop();
        bases.release(top);
      }
      const entry = this.#file.entryAt(child);
      const made = this.#counted(applied(base, entry.data));
      const madeOid = objectId({ type, data: made });
      this.#enter(madeOid, child, entry.crc);
      this.#deltas -= 1;
      const children = this.#childrenOf(madeOid, child);
      if (children.length > 0) {
        const open = { below: top, make: this.#makerOf(child), children, next: 0 };
        bases.hold(open, made);
        stack.push(open);
      }
      await this.#rest();
    }
  }

  #makerOf(offset: number): DeltaBase['make'] {
    return (below) => this.#counted(applied(below!, this.#file.entryAt(offset).data));
  }

  #counted(bytes: Buffer): Buffer {
    this.#inflated += bytes.length;
    if (this.#inflated > this.#limits.inflated) throw new TooMuch('it holds more than can be taken');
    return bytes;
  }

  /** Appends the bases that were not sent, as they are here already; answers the pack's sum. */
  async #addBases(): Promise<Buffer> {
    const { path, stored, readBase } = this.#request;
    const file = await open(path, 'r+');
    try {
      let end = stored.size - SUM_BYTES;
      for (const oid of [...this.#byOid.keys()]) {
        // What an earlier base led to needs none of its own.
        const base = this.#byOid.has(oid) ? await readBase(oid) : null;
        if (base === null) continue;
        const bytes = Buffer.concat([
          entryHeader(typeNumber(base.type), base.data.length),
          deflateSync(base.data),
        ]);
        await file.write(bytes, 0, bytes.length, end);
        this.#enter(oid, end, crc32(bytes));
        await this.#resolveBelow(base, async () => (await readBase(oid))!.data, oid, end);
        end += bytes.length;
      }
      const isWhole = end === stored.size - SUM_BYTES;
      const sum = Buffer.alloc(SUM_BYTES);
      if (isWhole) {
        await file.read(sum, 0, SUM_BYTES, end);
        return sum;
      }
      const count = Buffer.alloc(4);
      count.writeUInt32BE(this.#found.length);
      await file.write(count, 0, 4, 8);
      const hash = createHash('sha1');
      for await (const part of createReadStream(path, { end: end - 1 })) hash.update(part as Buffer);
      hash.digest().copy(sum);
      await file.write(sum, 0, SUM_BYTES, end);
      return sum;
    } finally {
      await file.close();
    }
  }

  #childrenOf(oid: string, offset: number): readonly number[] {
    const children = [...(this.#byOffset.get(offset) ?? []), ...(this.#byOid.get(oid) ?? [])];
    this.#byOffset.delete(offset);
    this.#byOid.delete(oid);
    return children;
  }

  #enter(oid: string, offset: number, crc: number): void {
    this.#found.push({ oid, offset, crc });
  }

  async #rest(): Promise<void> {
    if (!this.#slices.spent) return;
    this.#request.onObjects(this.#found.length, this.#request.stored.objects);
    await this.#slices.rest();
  }
}

function push<Key>(map: Map<Key, number[]>, key: Key, value: number): void {
  const values = map.get(key);
  if (values === undefined) map.set(key, [value]);
  else values.push(value);
}

function applied(base: Buffer, delta: Buffer): Buffer {
  try {
    if (readDeltaHead(delta).size > RECEIVED_LIMIT) throw tooLarge();
    return applyDelta(base, delta, RECEIVED_LIMIT);
  } catch (error) {
    throw isGroveError(error) ? new BrokenLine('its pack holds a damaged delta') : error;
  }
}
