/** Many ids under one key, without a set for the common case of one. */
export class MultiMap {
  readonly #ids = new Map<string, number | Set<number>>();

  get(key: string): Iterable<number> {
    const found = this.#ids.get(key);
    if (found === undefined) return [];
    return typeof found === 'number' ? [found] : found;
  }

  add(key: string, id: number): void {
    const found = this.#ids.get(key);
    if (found === undefined) this.#ids.set(key, id);
    else if (typeof found === 'object') found.add(id);
    else if (found !== id) this.#ids.set(key, new Set([found, id]));
  }

  delete(key: string, id: number): void {
    const found = this.#ids.get(key);
    if (found === id) this.#ids.delete(key);
    if (typeof found !== 'object') return;
    found.delete(id);
    if (found.size === 0) this.#ids.delete(key);
  }
}
