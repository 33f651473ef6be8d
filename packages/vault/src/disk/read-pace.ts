/** A read that took longer than this came from a disk, not from memory, in milliseconds. */
const SLOW_MS = 1;
/** Reads that go through the thread pool after a slow one. */
const CAUTIOUS_READS = 256;
/** Larger files always go through the thread pool, in bytes. */
const SMALL = 128 * 1024;

/**
 * Decides where a file is read. From the page cache a read on the calling thread takes some microseconds,
 * a tenth of a trip through the thread pool; from a slow disk or a network it would hold the event loop, so
 * one slow read sends the next ones to the pool.
 */
export class ReadPace {
  #cautious = 0;

  /** True when a file of this size may be read on the calling thread. */
  mayHold(size: number): boolean {
    if (size > SMALL) return false;
    if (this.#cautious === 0) return true;
    this.#cautious -= 1;
    return false;
  }

  /** Takes note of what a read on the calling thread cost, in milliseconds. */
  held(ms: number): void {
    if (ms > SLOW_MS) this.#cautious = CAUTIOUS_READS;
  }
}
