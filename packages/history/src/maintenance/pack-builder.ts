import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';
import { randomId, type WriteFs, type WriteHandle } from '@grove/core';
import { type GitObject, OBJECT_TYPES, type ObjectType } from '../objects/git-object.ts';
import { encodeDelta } from './delta-encode.ts';
import { type PackedEntry, packIndexBytes } from './pack-index-bytes.ts';

const deflateAside = promisify(deflate);
// Below this a thread's round trip costs more than the work.
const SMALL = 16 * 1024;
const BUFFERED = 256 * 1024;
/** git's own default of pack.depth: how many deltas may have to be applied to read one object. */
const MAX_DEPTH = 50;
const TYPE_NUMBERS = Object.fromEntries(
  Object.entries(OBJECT_TYPES).map(([number, type]) => [type, Number(number)]),
) as Readonly<Record<ObjectType, number>>;
const OFFSET_DELTA = 6;
/** Names that a crash may leave: git clears `tmp_*` away, and takes what ends in `.idx` for a pack's index. */
const UNFINISHED = 'tmp_grove_';

/** True for a file in `objects/pack` that was never finished. */
export function isUnfinishedPack(name: string): boolean {
  return name.startsWith(UNFINISHED);
}

/** A name for such a file. */
export function unfinishedName(): string {
  return `${UNFINISHED}${randomId()}`;
}

/**
 * Writes one pack with its index (gitformat-pack), one object in memory at a time beside the one before it. Nothing
 * under its final name is there before {@link finish}.
 *
 * @example
 * const builder = await PackBuilder.create(fs, `${objects}/pack`, 2, -1);
 * await builder.add(oid, object, null);
 * const path = await builder.finish(null);
 */
export class PackBuilder {
  readonly #fs: WriteFs;
  readonly #folder: string;
  readonly #fresh: string;
  readonly #handle: WriteHandle;
  readonly #level: number;
  readonly #hash = createHash('sha1');
  readonly #entries: PackedEntry[] = [];
  readonly #count: number;
  #buffered: Buffer[] = [];
  #bufferedBytes = 0;
  #offset = 0;
  #before: { readonly key: string; readonly data: Buffer; readonly offset: number; depth: number } | null =
    null;

  private constructor(
    fs: WriteFs,
    folder: string,
    fresh: string,
    handle: WriteHandle,
    count: number,
    level: number,
  ) {
    this.#fs = fs;
    this.#folder = folder;
    this.#fresh = fresh;
    this.#handle = handle;
    this.#count = count;
    this.#level = level;
  }

  /** Begins a pack of exactly `count` objects in `folder`, which is there. */
  static async create(fs: WriteFs, folder: string, count: number, level: number): Promise<PackBuilder> {
    const fresh = join(folder, unfinishedName());
    const handle = await fs.create(`${fresh}-pack`, 0o444);
    const builder = new PackBuilder(fs, folder, fresh, handle, count, level);
    const header = Buffer.alloc(12);
    header.write('PACK');
    header.writeUInt32BE(2, 4);
    header.writeUInt32BE(count, 8);
    await builder.#write(header);
    return builder;
  }

  /** Adds an object; one that follows another version of the same thing, by its `key`, becomes a delta to that. */
  async add(oid: string, object: GitObject, key: string | null): Promise<void> {
    const { data } = object;
    const before = key !== null && this.#before?.key === key ? this.#before : null;
    const delta = before === null || before.depth >= MAX_DEPTH ? null : encodeDelta(before.data, data);
    const offset = this.#offset;
    const head =
      delta === null
        ? entryHeader(TYPE_NUMBERS[object.type], data.length)
        : Buffer.concat([entryHeader(OFFSET_DELTA, delta.length), backOffset(offset - before!.offset)]);
    const body = await this.#deflated(delta ?? data);
    this.#entries.push({ oid, offset, crc: crc32(body, crc32(head)) });
    await this.#write(head);
    await this.#write(body);
    this.#before = key === null ? null : { key, data, offset, depth: delta === null ? 0 : before!.depth + 1 };
  }

  /**
   * Syncs pack and index and gives them their names, the index last: with it the pack counts.
   *
   * @param mode what the repository wants of permissions, or null
   * @returns the pack's path
   */
  async finish(mode: ((mode: number) => number) | null): Promise<string> {
    if (this.#entries.length !== this.#count) throw new TypeError('a pack holds as many objects as it says');
    await this.#flush();
    const checksum = this.#hash.digest();
    await this.#handle.write(checksum);
    if (mode !== null) await this.#handle.chmod(mode(0o444));
    await this.#handle.sync();
    await this.#handle.close();
    const index = await this.#fs.create(`${this.#fresh}-idx`, 0o444);
    try {
      await index.write(packIndexBytes(this.#entries, checksum));
      if (mode !== null) await index.chmod(mode(0o444));
      await index.sync();
    } finally {
      await index.close();
    }
    const path = join(this.#folder, `pack-${checksum.toString('hex')}`);
    await this.#fs.rename(`${this.#fresh}-pack`, `${path}.pack`);
    await this.#fs.rename(`${this.#fresh}-idx`, `${path}.idx`);
    await this.#fs.sync(this.#folder);
    return `${path}.pack`;
  }

  /** Removes what was begun. */
  async abandon(): Promise<void> {
    await this.#handle.close();
    for (const path of [`${this.#fresh}-pack`, `${this.#fresh}-idx`])
      await this.#fs.unlink(path).catch(() => {});
  }

  async #deflated(bytes: Buffer): Promise<Buffer> {
    const options = { level: this.#level };
    return bytes.length <= SMALL ? deflateSync(bytes, options) : deflateAside(bytes, options);
  }

  async #write(bytes: Buffer): Promise<void> {
    this.#hash.update(bytes);
    this.#offset += bytes.length;
    this.#buffered.push(bytes);
    this.#bufferedBytes += bytes.length;
    if (this.#bufferedBytes >= BUFFERED) await this.#flush();
  }

  async #flush(): Promise<void> {
    const bytes = Buffer.concat(this.#buffered);
    this.#buffered = [];
    this.#bufferedBytes = 0;
    await this.#handle.write(bytes);
  }
}

/** The number of a kind of object in a pack. */
export function typeNumber(type: ObjectType): number {
  return TYPE_NUMBERS[type];
}

/** What stands before an entry's compressed bytes: its kind and the size of what they hold. */
export function entryHeader(type: number, size: number): Buffer {
  const bytes: number[] = [];
  let byte = (type << 4) | (size & 15);
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes.push(byte | 0x80);
    byte = rest & 0x7f;
  }
  return Buffer.from([...bytes, byte]);
}

function backOffset(distance: number): Buffer {
  const bytes = [distance & 0x7f];
  for (let rest = Math.floor(distance / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest -= 1;
    bytes.unshift(0x80 | (rest & 0x7f));
  }
  return Buffer.from(bytes);
}
