import type { NativeIdSet } from './binding.ts';
import { native } from './native.ts';

/**
 * An immutable set of note ids (unsigned 32-bit), kept as a bitset. One View holds one IdSet for as long as its
 * notes are the same: indices keep what they counted over it (term statistics) with the set.
 *
 * Ids should be dense: memory is one bit for each number up to the largest id.
 *
 * @example IdSet.of(Uint32Array.of(1, 5)).has(5) // true
 */
export class IdSet {
  /** The compiled side, for the other classes of this package. */
  readonly handle: NativeIdSet;

  private constructor(handle: NativeIdSet) {
    this.handle = handle;
  }

  /**
   * The set of these ids; order and repetition do not matter.
   *
   * @throws Error `bad_argument` for an id of 2^27 or more
   */
  static of(ids: Uint32Array): IdSet {
    return new IdSet(native.IdSet.of(ids));
  }

  /** How many ids it holds. */
  get size(): number {
    return this.handle.size;
  }

  has(id: number): boolean {
    return this.handle.has(id);
  }

  /** The ids in ascending order. */
  toArray(): Uint32Array {
    return this.handle.toArray();
  }
}
