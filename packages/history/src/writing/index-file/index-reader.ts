import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import { errorCode, isGroveError } from '@grove/core';
import { unwritable } from '../write-failure.ts';
import { checkIndexSum, emptyIndex, type IndexEntries, parseIndex } from './index-entries.ts';

/** An index as it lies on disk. */
export interface IndexSnapshot {
  readonly entries: IndexEntries;
  /** When it was written, in ns since the epoch; null when there is no file. */
  readonly mtimeNs: bigint | null;
}

// 2 million entries.
const MAX_BYTES = 256n * 1024n * 1024n;
const CHECKSUM = 20;

/** Reads a work tree's index, and parses it once for as long as it stays the same. */
export class IndexReader {
  readonly #path: string;
  #kept: { readonly key: string; readonly entries: IndexEntries } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws `repository_unwritable` for an index that is damaged or of a kind Grove cannot keep sound. */
  read(): Promise<IndexSnapshot> {
    return this.#look(async (read) => {
      const bytes = await read();
      const entries = parseIndex(bytes);
      checkIndexSum(bytes);
      return entries;
    });
  }

  /** Takes over what was just put in place, so that it need not be read. Call it while the index is locked. */
  async keep(bytes: Buffer): Promise<void> {
    await this.#look(async () => parseIndex(bytes), true);
  }

  async #look(
    parse: (read: () => Promise<Buffer>) => Promise<IndexEntries>,
    anew = false,
  ): Promise<IndexSnapshot> {
    let handle: Awaited<ReturnType<typeof open>> | undefined;
    try {
      handle = await open(this.#path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const { dev, ino, size, mtimeNs, ctimeNs } = await handle.stat({ bigint: true });
      if (size > MAX_BYTES) throw unwritable(`its index is larger than ${MAX_BYTES} bytes`);
      const sum = Buffer.alloc(CHECKSUM);
      await handle.read(sum, 0, CHECKSUM, Math.max(0, Number(size) - CHECKSUM));
      // The stat alone does not do: two git commands in a row may give a new file the old one's inode and time.
      const key = `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}.${sum.toString('hex')}`;
      if (anew || this.#kept?.key !== key) {
        const from = handle;
        this.#kept = { key, entries: await parse(() => readAll(from, Number(size))) };
      }
      return { entries: this.#kept.entries, mtimeNs };
    } catch (error) {
      if (isGroveError(error)) throw error;
      const code = errorCode(error);
      if (code !== 'ENOENT') throw unwritable(`its index cannot be read (${code ?? 'unknown error'})`, error);
      this.#kept = null;
      return { entries: emptyIndex(), mtimeNs: null };
    } finally {
      await handle?.close();
    }
  }
}

async function readAll(handle: Awaited<ReturnType<typeof open>>, size: number): Promise<Buffer> {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await handle.read(bytes, filled, size - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}
