import { unreadable } from '../repository/unreadable.ts';

/**
 * Applies a pack's delta to its base (gitformat-pack, "Deltified representation"). Throws
 * `repository_unreadable` for a delta that does not fit its base or makes more than `limit` bytes.
 */
export function applyDelta(base: Buffer, delta: Buffer, limit: number): Buffer {
  const { from, size, start } = readDeltaHead(delta);
  if (from !== base.length) throw broken();
  if (size > limit) throw unreadable('an object is larger than it may be');
  let at = start;
  const result = Buffer.allocUnsafe(size);
  let filled = 0;
  while (at < delta.length) {
    const code = delta[at++]!;
    if (code === 0) throw broken();
    if (code < 0x80) {
      if (at + code > delta.length || filled + code > size) throw broken();
      filled += delta.copy(result, filled, at, at + code);
      at += code;
      continue;
    }
    let offset = 0;
    let length = 0;
    for (let i = 0; i < 4; i++) if (code & (1 << i)) offset += (delta[at++] ?? 0) * 2 ** (8 * i);
    for (let i = 0; i < 3; i++) if (code & (16 << i)) length += (delta[at++] ?? 0) * 2 ** (8 * i);
    if (length === 0) length = 0x10000;
    if (offset + length > base.length || filled + length > size) throw broken();
    filled += base.copy(result, filled, offset, offset + length);
  }
  if (filled !== size) throw broken();
  return result;
}

/** How a delta begins: the sizes of its base and of what it makes, in bytes, and where its instructions start. */
export function readDeltaHead(delta: Buffer): { from: number; size: number; start: number } {
  let at = 0;
  const readSize = (): number => {
    let size = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = delta[at++];
      if (byte === undefined || shift > 42) throw broken();
      size += (byte & 0x7f) * 2 ** shift;
      if (byte < 0x80) return size;
    }
  };
  const from = readSize();
  const size = readSize();
  return { from, size, start: at };
}

function broken(): Error {
  return unreadable('a delta in a pack is damaged');
}
