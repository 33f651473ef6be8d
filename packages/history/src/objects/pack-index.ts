import { readGitBytes } from '../repository/small-file.ts';
import { unreadable } from '../repository/unreadable.ts';

const HEADER = 8;
const FANOUT = 256 * 4;
// 20 million objects; the largest public repositories have fewer.
const MAX_BYTES = 1024 * 1024 * 1024;

/** One pack's index, version 2 (gitformat-pack), searched where it lies: no object ids are made of it. */
export class PackIndex {
  readonly #bytes: Buffer;
  readonly count: number;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    if (bytes.length < HEADER + FANOUT + 40 || bytes.readUInt32BE(0) !== 0xff744f63) {
      throw unreadable('the index of a pack is not of version 2; "git gc" writes it anew');
    }
    if (bytes.readUInt32BE(4) !== 2) throw unreadable('the index of a pack has an unknown version');
    this.count = bytes.readUInt32BE(HEADER + FANOUT - 4);
    if (bytes.length < HEADER + FANOUT + this.count * 28 + 40) throw unreadable('the index of a pack is cut');
  }

  /** Reads the index at `path`; null when it is gone meanwhile. Throws `repository_unreadable`. */
  static async read(path: string): Promise<PackIndex | null> {
    const bytes = await readGitBytes(path, MAX_BYTES);
    return bytes === null ? null : new PackIndex(bytes);
  }

  /** Where the object starts in the pack, or null when the pack does not hold it. `oid` has 20 bytes. */
  offsetOf(oid: Buffer): number | null {
    const bytes = this.#bytes;
    const first = oid[0]!;
    let low = first === 0 ? 0 : bytes.readUInt32BE(HEADER + (first - 1) * 4);
    let high = Math.min(bytes.readUInt32BE(HEADER + first * 4), this.count);
    const names = HEADER + FANOUT;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const order = bytes.compare(oid, 0, 20, names + middle * 20, names + middle * 20 + 20);
      if (order === 0) return this.#offset(middle);
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return null;
  }

  /** Ids of all objects in it, 40 hex digits each, in ascending order. */
  *oids(): Generator<string> {
    const names = HEADER + FANOUT;
    for (let at = 0; at < this.count; at++) {
      yield this.#bytes.toString('hex', names + at * 20, names + at * 20 + 20);
    }
  }

  #offset(position: number): number {
    const table = HEADER + FANOUT + this.count * 24;
    const offset = this.#bytes.readUInt32BE(table + position * 4);
    if (offset < 0x80000000) return offset;
    // Packs above 2 GB: the low bits index a table of 64-bit offsets.
    const large = table + this.count * 4 + (offset - 0x80000000) * 8;
    if (large + 8 > this.#bytes.length - 40) throw unreadable('the index of a pack is damaged');
    return Number(this.#bytes.readBigUInt64BE(large));
  }
}
