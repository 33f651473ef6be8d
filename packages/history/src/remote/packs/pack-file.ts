import { closeSync, openSync, readSync } from 'node:fs';
import { crc32, inflateSync } from 'node:zlib';
import { errorCode } from '@grove/core';
import { BrokenLine, TooMuch } from '../wire/pkt-line.ts';

/** Where an entry of a pack lies and what it is built on. `type` is 1 to 4, or 6 and 7 for deltas (gitformat-pack). */
export interface FoundEntry {
  readonly offset: number;
  readonly end: number;
  readonly type: number;
  readonly crc: number;
  readonly data: Buffer;
  /** Of a delta of type 6, else 0. */
  readonly baseOffset: number;
  /** Of a delta of type 7, else null: 40 hex digits. */
  readonly baseOid: string | null;
}

/** What Node tells of an inflation when it is asked to. */
interface Inflated {
  readonly buffer: Buffer;
  readonly engine: { readonly bytesWritten: number };
}

/** Above every object that a forge takes; what is larger would ask for several times as much memory. */
export const RECEIVED_LIMIT = 256 * 1024 * 1024;
const WINDOW = 1024 * 1024;
const LONGEST_HEADER = 64;
const SUM_BYTES = 20;

/** Entries of a pack without an index, read where they lie. */
export class PackFile implements Disposable {
  readonly #file: number;
  readonly #end: number;
  #window: Buffer = Buffer.alloc(0);
  #from = 0;

  constructor(path: string, size: number) {
    this.#file = openSync(path, 'r');
    this.#end = size - SUM_BYTES;
  }

  [Symbol.dispose](): void {
    closeSync(this.#file);
  }

  /** The entry that begins at an offset. */
  entryAt(offset: number): FoundEntry {
    const header = this.#bytes(offset, LONGEST_HEADER);
    let at = 0;
    const next = (): number => {
      const byte = header[at++];
      if (byte === undefined) throw new BrokenLine('its pack is cut');
      return byte;
    };
    let byte = next();
    const type = (byte >> 4) & 7;
    let size = byte & 15;
    for (let shift = 4; byte >= 0x80; shift += 7) {
      byte = next();
      size += (byte & 0x7f) * 2 ** shift;
    }
    if (type === 0 || type === 5) throw new BrokenLine('its pack holds an object of an unknown kind');
    if (size > RECEIVED_LIMIT) throw tooLarge();
    const baseOffset = type === 6 ? offset - backOffset(next) : 0;
    if (type === 6 && (baseOffset < 12 || baseOffset >= offset))
      throw new BrokenLine('its pack holds a delta without a base');
    const baseOid = type === 7 ? header.toString('hex', at, at + 20) : null;
    if (type === 7) at += 20;
    const { data, length } = this.#inflated(offset + at, size);
    const end = offset + at + length;
    return { offset, end, type, crc: crc32(this.#bytes(offset, end - offset)), data, baseOffset, baseOid };
  }

  #inflated(offset: number, size: number): { data: Buffer; length: number } {
    // A zlib stream is at most this much longer than what it holds; a foreign writer may do worse.
    for (let room = size + (size >> 8) + 64; ; room *= 2) {
      const input = this.#bytes(offset, room);
      try {
        const options = {
          maxOutputLength: Math.max(size, 1),
          chunkSize: Math.max(64, size + 16),
          info: true,
        };
        const { buffer, engine } = inflateSync(input, options) as unknown as Inflated;
        if (buffer.length !== size) throw new BrokenLine('its pack holds an object of another size');
        return { data: buffer, length: engine.bytesWritten };
      } catch (error) {
        const isCut = errorCode(error) === 'Z_BUF_ERROR';
        if (isCut && input.length === room) continue;
        throw isCut || errorCode(error)?.startsWith('Z_') || errorCode(error) === 'ERR_BUFFER_TOO_LARGE'
          ? new BrokenLine('its pack holds a damaged object')
          : error;
      }
    }
  }

  /** At most `length` bytes: fewer at the end. They are valid until the next call. */
  #bytes(offset: number, length: number): Buffer {
    const until = Math.min(offset + length, this.#end);
    if (offset < this.#from || until > this.#from + this.#window.length) {
      const wanted = Math.max(0, Math.min(Math.max(length, WINDOW), this.#end - offset));
      const window = Buffer.allocUnsafe(wanted);
      let filled = 0;
      while (filled < wanted) {
        const count = readSync(this.#file, window, filled, wanted - filled, offset + filled);
        if (count === 0) throw new BrokenLine('its pack is cut');
        filled += count;
      }
      this.#window = window;
      this.#from = offset;
    }
    return this.#window.subarray(offset - this.#from, Math.max(offset, until) - this.#from);
  }
}

export function tooLarge(): TooMuch {
  return new TooMuch(`it holds an object of more than ${RECEIVED_LIMIT / 1024 / 1024} MB`);
}

function backOffset(next: () => number): number {
  let byte = next();
  let back = byte & 0x7f;
  while (byte >= 0x80) {
    byte = next();
    back = (back + 1) * 128 + (byte & 0x7f);
  }
  return back;
}
