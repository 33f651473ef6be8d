const NONE: readonly number[] = [];

/** Lists of ids, each under a number and each id once in a list: whoever adds one sees to that. */
export class IdLists {
  readonly #lists = new Map<number, number[]>();

  get(key: number): readonly number[] {
    return this.#lists.get(key) ?? NONE;
  }

  add(key: number, id: number): void {
    const list = this.#lists.get(key);
    if (list === undefined) this.#lists.set(key, [id]);
    else list.push(id);
  }

  delete(key: number, id: number): void {
    const list = this.#lists.get(key);
    const at = list?.indexOf(id) ?? -1;
    if (list === undefined || at === -1) return;
    const last = list.pop()!;
    if (list.length === 0) this.#lists.delete(key);
    else if (at < list.length) list[at] = last;
  }
}
