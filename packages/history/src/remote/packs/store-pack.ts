import { createHash } from 'node:crypto';
import type { WriteFs } from '@grove/core';
import { BrokenLine } from '../wire/pkt-line.ts';

const SUM_BYTES = 20;
const BUFFERED = 256 * 1024;

/** A pack that was received whole: its bytes have the sum that they end with. */
export interface StoredPack {
  readonly size: number;
  readonly objects: number;
}

/**
 * Writes a pack to a new file as it comes.
 *
 * @throws BrokenLine when it ends early or has another sum than it says
 */
export async function storePack(
  fs: WriteFs,
  path: string,
  source: AsyncIterable<Buffer>,
  onBytes: (size: number) => void,
): Promise<StoredPack> {
  const hash = createHash('sha1');
  const handle = await fs.create(path, 0o444);
  let size = 0;
  let first: Buffer = Buffer.alloc(0);
  // The sum itself is not part of what it counts.
  let tail: Buffer = Buffer.alloc(0);
  try {
    let parts: Buffer[] = [];
    let held = 0;
    const flush = async () => {
      const bytes = Buffer.concat([tail, ...parts]);
      const end = Math.max(0, bytes.length - SUM_BYTES);
      hash.update(bytes.subarray(0, end));
      tail = bytes.subarray(end);
      if (first.length < 12) first = Buffer.concat([first, ...parts]).subarray(0, 12);
      for (const part of parts) await handle.write(part);
      size += held;
      parts = [];
      held = 0;
      onBytes(size);
    };
    for await (const bytes of source) {
      parts.push(bytes);
      held += bytes.length;
      if (held >= BUFFERED) await flush();
    }
    await flush();
  } finally {
    await handle.close();
  }
  if (size < 12 + SUM_BYTES || !hash.digest().equals(tail)) throw new BrokenLine('its pack came damaged');
  if (first.toString('latin1', 0, 4) !== 'PACK' || first.readUInt32BE(4) !== 2)
    throw new BrokenLine('its pack has an unknown version');
  return { size, objects: first.readUInt32BE(8) };
}
