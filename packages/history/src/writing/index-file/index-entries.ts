import { createHash } from 'node:crypto';
import { unwritable } from '../write-failure.ts';
import { EXTENDED } from './index-stat.ts';
import { DAMAGED, SUM_BYTES } from './index-sum.ts';

const HEADER = 12;
const FIXED = 62;

/**
 * A parsed index file of version 2, 3 or 4 (gitformat-index): where each entry lies and what its path is.
 * The bytes stay as they are.
 */
export interface IndexEntries {
  readonly bytes: Buffer;
  readonly version: number;
  readonly count: number;
  /** Where each entry starts; one more for the end of the last. */
  readonly starts: Uint32Array;
  /** Paths one behind the other: the file itself, or the expanded ones of version 4. */
  readonly paths: Buffer;
  readonly pathStarts: Uint32Array;
  readonly pathEnds: Uint32Array;
  /** True when an entry has a stage above 0: a merge left it. */
  readonly unmerged: boolean;
  readonly extensions: readonly IndexExtension[];
}

export interface IndexExtension {
  readonly name: string;
  /** With its header. */
  readonly bytes: Buffer;
}

/** The index of a work tree that has none. */
export function emptyIndex(): IndexEntries {
  const bytes = Buffer.alloc(HEADER);
  bytes.write('DIRC', 'latin1');
  bytes.writeUInt32BE(2, 4);
  return parseIndex(Buffer.concat([bytes, createHash('sha1').update(bytes).digest()]));
}

/**
 * Parses an index. Throws `repository_unwritable` for a damaged one and for what Grove cannot keep sound: an
 * unknown version, a split or a sparse index, an unknown extension that readers must understand.
 */
export function parseIndex(bytes: Buffer): IndexEntries {
  if (bytes.length < HEADER + SUM_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') throw damaged();
  const version = bytes.readUInt32BE(4);
  if (version < 2 || version > 4) throw unwritable(`its index has version ${version}`);
  const count = bytes.readUInt32BE(8);
  // The shortest entry of version 4 has 64 bytes.
  if (count * (FIXED + 2) > bytes.length) throw damaged();
  const end = bytes.length - SUM_BYTES;
  const starts = new Uint32Array(count + 1);
  const pathEnds = new Uint32Array(count);
  const expanded = version === 4 ? new PathBuilder(bytes.length) : null;
  const pathStarts = new Uint32Array(count);
  let at = HEADER;
  let stages = 0;
  for (let i = 0; i < count; i++) {
    starts[i] = at;
    if (at + FIXED > end) throw damaged();
    const flags = bytes.readUInt16BE(at + 60);
    stages |= flags & 0x3000;
    let name = at + FIXED;
    if (version > 2 && flags & EXTENDED) name += 2;
    if (expanded !== null) {
      at = expanded.add(bytes, name, end);
      pathStarts[i] = expanded.start;
      pathEnds[i] = expanded.end;
      continue;
    }
    const short = flags & 0xfff;
    const nameEnd = short < 0xfff ? name + short : bytes.indexOf(0, name);
    if (nameEnd < name || nameEnd >= end || bytes[nameEnd] !== 0) throw damaged();
    pathStarts[i] = name;
    pathEnds[i] = nameEnd;
    // Padded with 1 to 8 NULs to a multiple of eight.
    at += (nameEnd - at + 8) & ~7;
    if (at > end) throw damaged();
  }
  starts[count] = at;
  return {
    bytes,
    version,
    count,
    starts,
    paths: expanded?.bytes ?? bytes,
    pathStarts,
    pathEnds,
    unmerged: stages !== 0,
    extensions: parseExtensions(bytes, at, end),
  };
}

/** Position of the first entry whose path is not below `path`, by bytes. */
export function lowerBound(index: IndexEntries, path: Buffer): number {
  let low = 0;
  let high = index.count;
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = path.compare(index.paths, index.pathStarts[middle]!, index.pathEnds[middle]!);
    if (order > 0) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The position behind all entries of exactly this path, of every stage, from its {@link lowerBound} on. */
export function endOfPath(index: IndexEntries, path: Buffer, from: number): number {
  let at = from;
  while (at < index.count && path.compare(index.paths, index.pathStarts[at]!, index.pathEnds[at]!) === 0) {
    at++;
  }
  return at;
}

/** Stage of an entry: 0, or 1 to 3 while a merge is unresolved. */
export function stageOf(index: IndexEntries, position: number): number {
  return (index.bytes.readUInt16BE(index.starts[position]! + 60) >> 12) & 3;
}

/** Mode and object of an entry. */
export function entryOf(index: IndexEntries, position: number): { mode: number; oid: string } {
  const at = index.starts[position]!;
  return { mode: index.bytes.readUInt32BE(at + 24), oid: index.bytes.toString('hex', at + 40, at + 60) };
}

/** Mode and object that a path has at stage 0, or null. */
export function stagedAt(index: IndexEntries, path: Buffer): { mode: number; oid: string } | null {
  const at = lowerBound(index, path);
  return endOfPath(index, path, at) === at || stageOf(index, at) > 0 ? null : entryOf(index, at);
}

function parseExtensions(bytes: Buffer, from: number, end: number): IndexExtension[] {
  const extensions: IndexExtension[] = [];
  for (let at = from; at < end; ) {
    if (at + 8 > end) throw damaged();
    const name = bytes.toString('latin1', at, at + 4);
    const next = at + 8 + bytes.readUInt32BE(at + 4);
    if (next > end) throw damaged();
    if (name === 'link')
      throw unwritable('its index is split ("git update-index --no-split-index" ends that)');
    if (name === 'sdir') throw unwritable('its index is sparse ("git sparse-checkout disable" ends that)');
    // gitformat-index: only a name that starts with a capital may be passed over.
    if (!/^[A-Z]/.test(name)) throw unwritable('its index has an extension that Grove does not know');
    extensions.push({ name, bytes: bytes.subarray(at, next) });
    at = next;
  }
  return extensions;
}

/** Expands the paths of version 4, each of which is told by what it shares with the one before. */
class PathBuilder {
  bytes: Buffer;
  start = 0;
  end = 0;

  constructor(size: number) {
    this.bytes = Buffer.allocUnsafe(size * 2);
  }

  /** Reads a path that starts at `from`; returns the position behind it. */
  add(source: Buffer, from: number, limit: number): number {
    let at = from;
    let byte = source[at++]!;
    let strip = byte & 0x7f;
    while (byte >= 0x80) {
      byte = source[at++] ?? 0;
      strip = (strip + 1) * 128 + (byte & 0x7f);
      if (at >= limit) throw damaged();
    }
    const nameEnd = source.indexOf(0, at);
    const kept = this.end - this.start - strip;
    if (nameEnd < 0 || nameEnd >= limit || kept < 0) throw damaged();
    const start = this.end;
    const length = kept + nameEnd - at;
    if (start + length > this.bytes.length) this.#grow(start + length);
    this.bytes.copyWithin(start, this.start, this.start + kept);
    source.copy(this.bytes, start + kept, at, nameEnd);
    this.start = start;
    this.end = start + length;
    return nameEnd + 1;
  }

  #grow(needed: number): void {
    // A path of git's has at most 4,096 bytes; without a bound a small file could ask for all memory.
    if (needed > 1024 * 1024 * 1024) throw damaged();
    const larger = Buffer.allocUnsafe(needed * 2);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

function damaged(): Error {
  return unwritable(DAMAGED);
}
