import type { ControlStore } from './store.ts';

/** Something read from control.db, kept in memory until anyone commits. */
export class Copy<Value> {
  readonly #store: ControlStore;
  readonly #load: () => Value;
  #kept: { readonly state: string; readonly value: Value } | null = null;

  /** @param load reads it; runs inside a read or a change of the store */
  constructor(store: ControlStore, load: () => Value) {
    this.#store = store;
    this.#load = load;
  }

  /** As it is committed now. Inside a change it is asked for before anything is written. */
  now(): Value {
    // Asked before the rows are read: a commit in between shows at the next call.
    const state = this.#store.state();
    if (this.#kept?.state === state) return this.#kept.value;
    this.#store.refuseNewer();
    const value = this.#load();
    this.#kept = { state, value };
    return value;
  }
}
