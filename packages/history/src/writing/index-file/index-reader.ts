import { stat } from 'node:fs/promises';
import { errorCode } from '@grove/core';
import { readGitBytes } from '../../repository/small-file.ts';
import { checkIndexSum, emptyIndex, type IndexEntries, parseIndex } from './index-entries.ts';

/** An index as it lies on disk. */
export interface IndexSnapshot {
  readonly entries: IndexEntries;
  /** When it was written, in ns since the epoch; null when there is no file. */
  readonly mtimeNs: bigint | null;
}

// 2 million entries.
const MAX_BYTES = 256 * 1024 * 1024;

/** Reads a work tree's index, and parses it once for as long as its stat stays. */
export class IndexReader {
  readonly #path: string;
  #kept: { readonly key: string; readonly snapshot: IndexSnapshot } | null = null;

  constructor(path: string) {
    this.#path = path;
  }

  /** Throws `repository_unwritable` for an index that is damaged or of a kind Grove cannot keep sound. */
  async read(): Promise<IndexSnapshot> {
    const found = await this.#stat();
    if (found === null) return { entries: emptyIndex(), mtimeNs: null };
    if (this.#kept?.key === found.key) return this.#kept.snapshot;
    const bytes = await readGitBytes(this.#path, MAX_BYTES);
    if (bytes === null) return { entries: emptyIndex(), mtimeNs: null };
    const entries = parseIndex(bytes);
    checkIndexSum(bytes);
    const snapshot = { entries, mtimeNs: found.mtimeNs };
    // Replaced between the two looks: what was read is whole, only its time is not known.
    const after = await this.#stat();
    if (after?.key === found.key) this.#kept = { key: found.key, snapshot };
    return after?.key === found.key ? snapshot : this.read();
  }

  /** Takes over what was just written, so that it need not be read; `ino` and `size` tell it from others. */
  async keep(bytes: Buffer, ino: bigint): Promise<void> {
    const found = await this.#stat();
    if (found === null || found.ino !== ino || found.size !== BigInt(bytes.length)) return;
    this.#kept = { key: found.key, snapshot: { entries: parseIndex(bytes), mtimeNs: found.mtimeNs } };
  }

  async #stat(): Promise<{ key: string; ino: bigint; size: bigint; mtimeNs: bigint } | null> {
    try {
      const { dev, ino, size, mtimeNs, ctimeNs } = await stat(this.#path, { bigint: true });
      return { key: `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}`, ino, size, mtimeNs };
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return null;
      throw error;
    }
  }
}
