import { createHash } from 'node:crypto';

const LARGE = 0x80000000;

/** Where an object lies in a pack. `crc` is that of its bytes there. */
export interface PackedEntry {
  readonly oid: string;
  readonly offset: number;
  readonly crc: number;
}

/** A pack's index, version 2 (gitformat-pack), with both checksums. `entries` may come in any order. */
export function packIndexBytes(entries: readonly PackedEntry[], packChecksum: Buffer): Buffer {
  const sorted = [...entries].sort((left, right) => (left.oid < right.oid ? -1 : 1));
  const large = sorted.filter(({ offset }) => offset >= LARGE);
  const fanout = 8;
  const names = fanout + 1024;
  const crcs = names + sorted.length * 20;
  const offsets = crcs + sorted.length * 4;
  const largeOffsets = offsets + sorted.length * 4;
  const end = largeOffsets + large.length * 8;
  const bytes = Buffer.alloc(end + 40);
  bytes.writeUInt32BE(0xff744f63, 0);
  bytes.writeUInt32BE(2, 4);
  const counts = new Uint32Array(256);
  let largeAt = 0;
  for (const [at, { oid, offset, crc }] of sorted.entries()) {
    bytes.write(oid, names + at * 20, 'hex');
    counts[bytes[names + at * 20]!]! += 1;
    bytes.writeUInt32BE(crc, crcs + at * 4);
    bytes.writeUInt32BE(offset < LARGE ? offset : LARGE + largeAt, offsets + at * 4);
    if (offset < LARGE) continue;
    bytes.writeBigUInt64BE(BigInt(offset), largeOffsets + largeAt * 8);
    largeAt += 1;
  }
  let sum = 0;
  for (const [first, count] of counts.entries()) {
    sum += count;
    bytes.writeUInt32BE(sum, fanout + first * 4);
  }
  packChecksum.copy(bytes, end);
  createHash('sha1')
    .update(bytes.subarray(0, end + 20))
    .digest()
    .copy(bytes, end + 20);
  return bytes;
}
