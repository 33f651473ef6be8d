import type { NoteRow } from '@grove/vault';

/** Values of notes by what was asked. Rows never change, so that what was found of one stays true. */
export class KeptByRow<Kept> {
  readonly #most: number;
  readonly #keys = new Map<string, WeakMap<NoteRow, Kept>>();
  /** The key that was last asked for: a filter asks for the same one of every note. */
  #last: { readonly key: string; readonly values: WeakMap<NoteRow, Kept> } | null = null;

  /** @param most keys that are kept; the one used longest ago goes first */
  constructor(most: number) {
    this.#most = most;
  }

  of(key: string): WeakMap<NoteRow, Kept> {
    if (this.#last?.key === key) return this.#last.values;
    const values: WeakMap<NoteRow, Kept> = this.#keys.get(key) ?? new WeakMap();
    this.#last = { key, values };
    this.#keys.delete(key);
    this.#keys.set(key, values);
    const oldest = this.#keys.keys().next();
    if (this.#keys.size > this.#most && !oldest.done) this.#keys.delete(oldest.value);
    return values;
  }
}
