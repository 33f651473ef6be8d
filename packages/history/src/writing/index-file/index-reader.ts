import { closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { errorCode, isGroveError } from '@grove/core';
import { type OnePass, PassAnswers } from '../one-pass.ts';
import { unwritable } from '../write-failure.ts';
import { emptyIndex, type IndexEntries, parseIndex } from './index-entries.ts';
import { checkIndexSum, SUM_BYTES } from './index-sum.ts';

/** An index as it lies on disk. */
export interface IndexSnapshot {
  readonly entries: IndexEntries;
  /** When it was written, in ns since the epoch; null when there is no file. */
  readonly mtimeNs: bigint | null;
}

// 2 million entries.
const MAX_BYTES = 256n * 1024n * 1024n;
// What new notes add before another piece of memory is taken.
const SLACK = 64 * 1024;

/** Reads a work tree's index, and parses it once for as long as it stays the same. */
export class IndexReader {
  readonly #path: string;
  readonly #seen: PassAnswers<IndexSnapshot>;
  /** The piece of memory that the kept index lies in, where it is one of {@link room}, and the other one. */
  #inUse: Buffer | null = null;
  #spare: Buffer | null = null;
  #kept: { readonly key: string; readonly entries: IndexEntries } | null = null;

  constructor(path: string, pass: OnePass) {
    this.#path = path;
    this.#seen = new PassAnswers(pass);
  }

  /** Throws `repository_unwritable` for an index that is damaged or of a kind Grove cannot keep sound. */
  read(): IndexSnapshot {
    return this.#seen.get('', () =>
      this.#look((read) => {
        const bytes = read();
        const entries = parseIndex(bytes);
        checkIndexSum(bytes);
        return entries;
      }),
    );
  }

  /**
   * Memory for the next index, the same pieces in turn: a megabyte or more for each write would keep the collector
   * busy. Valid until the call after the next {@link keep}.
   */
  room(size: number): Buffer {
    if (this.#spare === null || this.#spare.length < size) this.#spare = Buffer.allocUnsafeSlow(size + SLACK);
    return this.#spare.subarray(0, size);
  }

  /** Takes over what was just put in place, so that it need not be read. Call it while the index is locked. */
  keep(entries: IndexEntries): void {
    this.#seen.set(
      '',
      this.#look(() => entries, true),
    );
    if (entries.bytes.buffer !== this.#spare?.buffer) return;
    [this.#inUse, this.#spare] = [this.#spare, this.#inUse];
  }

  #look(parse: (read: () => Buffer) => IndexEntries, anew = false): IndexSnapshot {
    let file: number | null = null;
    try {
      file = openSync(this.#path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
      const from = file;
      const { dev, ino, size, mtimeNs, ctimeNs } = fstatSync(from, { bigint: true });
      if (size > MAX_BYTES) throw unwritable(`its index is larger than ${MAX_BYTES} bytes`);
      const sum = Buffer.alloc(SUM_BYTES);
      readSync(from, sum, 0, SUM_BYTES, Math.max(0, Number(size) - SUM_BYTES));
      // The stat alone does not do: two git commands in a row may give a new file the old one's inode and time.
      const key = `${dev}.${ino}.${size}.${mtimeNs}.${ctimeNs}.${sum.toString('hex')}`;
      if (anew || this.#kept?.key !== key) {
        this.#kept = { key, entries: parse(() => readAll(from, Number(size))) };
      }
      return { entries: this.#kept.entries, mtimeNs };
    } catch (error) {
      if (isGroveError(error)) throw error;
      const code = errorCode(error);
      if (code !== 'ENOENT') throw unwritable(`its index cannot be read (${code ?? 'unknown error'})`, error);
      this.#kept = null;
      return { entries: emptyIndex(), mtimeNs: null };
    } finally {
      if (file !== null) closeSync(file);
    }
  }
}

function readAll(file: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  let filled = 0;
  while (filled < size) {
    const count = readSync(file, bytes, filled, size - filled, filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}
