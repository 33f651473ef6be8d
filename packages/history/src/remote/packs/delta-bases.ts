/** An object that deltas are built on, and how it is made. */
export interface DeltaBase {
  /** What it is a delta to; null for one that lies somewhere whole. */
  readonly below: DeltaBase | null;
  /** Makes its bytes, of those of the base below. */
  readonly make: (below: Buffer | null) => Buffer | Promise<Buffer>;
}

/**
 * Bytes of the objects that deltas wait for, in bounded memory: those that wait longest are let go, and made anew from
 * what they are built on. Of the newest one the bytes are always held.
 */
export class DeltaBases {
  readonly #limit: number;
  /** In the order they came. */
  readonly #bytes = new Map<DeltaBase, Buffer>();
  #held = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  hold(base: DeltaBase, bytes: Buffer): void {
    this.#bytes.set(base, bytes);
    this.#held += bytes.length;
    for (const old of this.#bytes.keys()) {
      if (this.#held <= this.#limit || old === base) return;
      this.release(old);
    }
  }

  release(base: DeltaBase): void {
    this.#held -= this.#bytes.get(base)?.length ?? 0;
    this.#bytes.delete(base);
  }

  /** Its bytes; where they had to be made, they and those below are held again as far as there is room. */
  async bytesOf(base: DeltaBase): Promise<Buffer> {
    const missing: DeltaBase[] = [];
    let bytes: Buffer | null = null;
    for (let at: DeltaBase | null = base; at !== null; at = at.below) {
      bytes = this.#bytes.get(at) ?? null;
      if (bytes !== null) break;
      missing.push(at);
    }
    if (missing.length === 0) return bytes!;
    for (const one of missing.reverse()) {
      bytes = await one.make(bytes);
      this.hold(one, bytes);
    }
    return bytes!;
  }
}
