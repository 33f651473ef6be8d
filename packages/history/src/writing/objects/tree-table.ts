import { isFolder, TreeCursor } from '../../objects/tree.ts';

// The shortest entry: a mode of five digits, a blank, one character, NUL, the id.
const SHORTEST = 28;

/** One entry of a tree, by where it lies in its bytes. */
export interface TreePlace {
  readonly start: number;
  readonly end: number;
}

const tables = new WeakMap<Buffer, TreeTable>();

/**
 * Where each entry of a tree lies: found once for its bytes, which must not change, then searched without walking
 * them. A batch asks a tree of thousands of entries hundreds of times.
 */
export class TreeTable {
  readonly bytes: Buffer;
  readonly count: number;
  /** False for a tree that git would not write: only a walk finds its entries. */
  readonly sorted: boolean;
  /** Where each entry starts; one more for the end of the last. */
  readonly #starts: Uint32Array;
  readonly #names: Uint32Array;

  private constructor(bytes: Buffer) {
    const room = Math.floor(bytes.length / SHORTEST) + 1;
    const starts = new Uint32Array(room + 1);
    const names = new Uint32Array(room);
    const cursor = new TreeCursor(bytes);
    let count = 0;
    while (cursor.next()) {
      names[count] = cursor.nameStart;
      count += 1;
      starts[count] = cursor.oidStart + 20;
    }
    this.bytes = bytes;
    this.count = count;
    this.#starts = starts;
    this.#names = names;
    this.sorted = this.#isSorted();
  }

  /** Throws `repository_unreadable` for a damaged tree. */
  static of(bytes: Buffer): TreeTable {
    const known = tables.get(bytes);
    if (known !== undefined) return known;
    const table = new TreeTable(bytes);
    tables.set(bytes, table);
    return table;
  }

  /** The entry of exactly this name, a folder or not; null when there is none. Only where {@link sorted}. */
  find(name: Buffer): (TreePlace & { readonly mode: number }) | null {
    for (const key of [name, keyOf(name, true)]) {
      const at = this.#lowerBound(key);
      if (at === this.count) continue;
      const nameStart = this.#names[at]!;
      const nameEnd = this.#starts[at + 1]! - 21;
      if (nameEnd - nameStart !== name.length || name.compare(this.bytes, nameStart, nameEnd) !== 0) continue;
      return { start: this.#starts[at]!, end: this.#starts[at + 1]!, mode: this.#mode(at) };
    }
    return null;
  }

  /** Where an entry of this name would start. Only where {@link sorted}. */
  placeOf(name: Buffer, folder: boolean): number {
    return this.#starts[this.#lowerBound(keyOf(name, folder))]!;
  }

  #lowerBound(key: Buffer): number {
    let low = 0;
    let high = this.count;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (this.#compare(key, middle) > 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** Git's order of entries (base_name_compare): a folder's name counts as if it ended in `/`. */
  #compare(key: Buffer, at: number): number {
    const start = this.#names[at]!;
    const length = this.#starts[at + 1]! - 21 - start;
    const same = Math.min(length, key.length);
    const order = key.compare(this.bytes, start, start + same, 0, same);
    if (order !== 0) return order;
    return (key[same] ?? 0) - (length > same ? this.bytes[start + same]! : this.#endByte(at, 0));
  }

  #mode(at: number): number {
    let mode = 0;
    for (let i = this.#starts[at]!; this.bytes[i] !== 0x20; i++) mode = (mode << 3) | (this.bytes[i]! - 0x30);
    return mode;
  }

  #isSorted(): boolean {
    for (let at = 1; at < this.count; at++) if (!this.#isBeforeNext(at - 1)) return false;
    return true;
  }

  /** By hand: names of one folder differ late, and a call for each would cost more than the walk. */
  #isBeforeNext(at: number): boolean {
    const { bytes } = this;
    const one = this.#names[at]!;
    const other = this.#names[at + 1]!;
    const oneEnd = this.#starts[at + 1]! - 21;
    const otherEnd = this.#starts[at + 2]! - 21;
    for (let i = 0; ; i++) {
      const left = one + i < oneEnd ? bytes[one + i]! : this.#endByte(at, one + i - oneEnd);
      const right = other + i < otherEnd ? bytes[other + i]! : this.#endByte(at + 1, other + i - otherEnd);
      if (left !== right) return left < right;
      if (left === 0) return false;
    }
  }

  /** What git's order takes for the bytes behind a name: `/` behind a folder's, then 0; no name holds either. */
  #endByte(at: number, behind: number): number {
    return behind === 0 && isFolder(this.#mode(at)) ? 0x2f : 0;
  }
}

/** A name as git's order of entries takes it. */
export function keyOf(name: Buffer, folder: boolean): Buffer {
  return folder ? Buffer.concat([name, Buffer.from('/')]) : name;
}
