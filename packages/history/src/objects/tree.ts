import { unreadable } from '../repository/unreadable.ts';

export interface TreeEntry {
  /** Octal bits as a number: `0o100644`, `0o100755`, `0o120000` (link), `0o40000` (folder), `0o160000` (submodule). */
  readonly mode: number;
  readonly name: string;
  readonly oid: string;
}

const FORMAT = 0o170000;
export const isFolder = (mode: number): boolean => (mode & FORMAT) === 0o40000;
export const isRegularFile = (mode: number): boolean => (mode & FORMAT) === 0o100000;

/**
 * Walks the entries of one tree object where they lie, in git's order, without making strings: a folder of
 * 50,000 notes is compared without 50,000 names. Before the first `next()` it stands on nothing.
 */
export class TreeCursor {
  readonly bytes: Buffer;
  mode = 0;
  nameStart = 0;
  nameEnd = 0;
  /** The entry's 20 bytes of object id start here. */
  oidStart = 0;
  /** False before the first and after the last entry. */
  standing = false;
  #next = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
  }

  /** Steps to the next entry; false at the end. Throws `repository_unreadable` for a damaged tree. */
  next(): boolean {
    const { bytes } = this;
    let at = this.#next;
    this.standing = at < bytes.length;
    if (!this.standing) return false;
    let mode = 0;
    for (; bytes[at] !== 0x20; at++) {
      const digit = (bytes[at] ?? 0) - 0x30;
      if (digit < 0 || digit > 7) throw unreadable('a tree is damaged');
      mode = (mode << 3) | digit;
    }
    const nameEnd = bytes.indexOf(0, at + 1);
    if (nameEnd <= at + 1 || nameEnd + 21 > bytes.length) throw unreadable('a tree is damaged');
    this.mode = mode;
    this.nameStart = at + 1;
    this.nameEnd = nameEnd;
    this.oidStart = nameEnd + 1;
    this.#next = nameEnd + 21;
    return true;
  }

  name(): string {
    return this.bytes.toString('utf8', this.nameStart, this.nameEnd);
  }

  oid(): string {
    return this.bytes.toString('hex', this.oidStart, this.oidStart + 20);
  }

  /**
   * Git's order of entries (base_name_compare): by bytes, a folder's name counted as if it ended in `/`.
   * Zero means the same name and both a folder or neither.
   */
  compareName(other: TreeCursor): number {
    const mine = this.nameEnd - this.nameStart;
    const theirs = other.nameEnd - other.nameStart;
    const shared = Math.min(mine, theirs);
    for (let i = 0; i < shared; i++) {
      const difference = this.bytes[this.nameStart + i]! - other.bytes[other.nameStart + i]!;
      if (difference !== 0) return difference;
    }
    return this.#byteAfter(shared) - other.#byteAfter(shared);
  }

  sameOid(other: TreeCursor): boolean {
    for (let i = 0; i < 20; i++) {
      if (this.bytes[this.oidStart + i] !== other.bytes[other.oidStart + i]) return false;
    }
    return true;
  }

  // After the end stands 0, or "/" for a folder; no name holds either.
  #byteAfter(index: number): number {
    const at = this.nameStart + index;
    if (at < this.nameEnd) return this.bytes[at]!;
    return isFolder(this.mode) ? 0x2f : 0;
  }
}

/** All entries of a tree object. Throws `repository_unreadable` for a damaged one. */
export function parseTree(bytes: Buffer): TreeEntry[] {
  const entries: TreeEntry[] = [];
  const cursor = new TreeCursor(bytes);
  while (cursor.next()) entries.push({ mode: cursor.mode, name: cursor.name(), oid: cursor.oid() });
  return entries;
}
