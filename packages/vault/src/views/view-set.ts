import { createHash } from 'node:crypto';
import type { Slices } from '@grove/core';
import type { Dialect } from '@grove/markdown';
import { LRUCache } from 'lru-cache';
import type { RowChange } from '../catalog/catalog-row.ts';
import type { PathRule, View, ViewRules } from '../view.ts';
import { FreshEmpties } from './fresh-empties.ts';
import { NoteView, type ViewGround } from './note-view.ts';
import { allowAll, readableBy } from './path-rule.ts';

/** Views kept ready though nobody holds them. */
const KEPT = 16;

export interface ViewSetOptions {
  readonly ground: ViewGround;
  readonly dialect: Dialect;
  /** What tells this vault from every other. */
  readonly vault: string;
  /** What the process lets anyone see. */
  readonly policy: ViewRules;
  /** Looks at files once more; resolves when the catalog has what was found. */
  readonly look: (diskPaths: readonly string[]) => Promise<void>;
}

/** The Views of one vault: equal rules share one, and each that is held anywhere hears of every change. */
export class ViewSet {
  readonly #options: ViewSetOptions;
  readonly #owner: NoteView;
  readonly #empties: FreshEmpties;
  readonly #kept = new LRUCache<string, NoteView>({ max: KEPT });
  /** A View that fell out of `#kept` may still be held by a caller: it must not grow stale. */
  readonly #alive = new Map<string, WeakRef<NoteView>>();

  constructor(options: ViewSetOptions) {
    this.#options = options;
    const { catalog } = options.ground;
    this.#empties = new FreshEmpties(catalog.rows(), {
      look: options.look,
      settled: (ids) => this.#judgeAgain(ids),
    });
    this.#owner = this.#compile(allowAll, null);
    catalog.onChange((changes) => {
      this.#empties.update(changes);
      this.#update(changes);
    });
  }

  /** Makes the links of the notes ready, a slice at a time: whoever asks for them first, under any View, waits less. */
  prepareLinks(slices: Slices): Promise<void> {
    return this.#owner.prepareLinks(slices);
  }

  close(): void {
    this.#empties.close();
  }

  #judgeAgain(ids: readonly number[]): void {
    const { catalog } = this.#options.ground;
    const rows = ids.flatMap((id) => catalog.byId(id) ?? []).filter((row) => !catalog.isMasked(row));
    const changes = rows.map((row) => ({ before: row, after: row }));
    this.#update(changes);
  }

  #update(changes: readonly RowChange[]): void {
    const moved = this.#owner.update(changes);
    for (const view of this.#others()) view.update(changes, moved);
  }

  owner(): View {
    return this.#owner;
  }

  view(rules: ViewRules): View {
    const fingerprint = this.#fingerprint(rules);
    if (fingerprint === this.#owner.fingerprint) return this.#owner;
    const view =
      this.#kept.get(fingerprint) ??
      this.#alive.get(fingerprint)?.deref() ??
      this.#compile(rules, this.#owner, fingerprint);
    this.#kept.set(fingerprint, view);
    this.#alive.set(fingerprint, new WeakRef(view));
    return view;
  }

  *#others(): Iterable<NoteView> {
    for (const [fingerprint, reference] of this.#alive) {
      const view = reference.deref();
      if (view === undefined) this.#alive.delete(fingerprint);
      else yield view;
    }
  }

  #compile(rules: ViewRules, whole: NoteView | null, fingerprint = this.#fingerprint(rules)): NoteView {
    const { ground, dialect, policy } = this.#options;
    const byPolicy = readableBy(policy);
    const byRules = readableBy(rules);
    const { notes } = rules;
    return new NoteView({
      ground,
      dialect,
      fingerprint,
      whole,
      isOwner: rules.readPaths.length === 0 && rules.denyPaths.length === 0 && notes === undefined,
      admits: (row) =>
        byPolicy(row.path) &&
        byRules(row.path) &&
        (notes === undefined || (!this.#empties.has(row.id) && notes.admits(row))),
    });
  }

  #fingerprint(rules: ViewRules): string {
    const { vault, policy } = this.#options;
    return createHash('sha256')
      .update(JSON.stringify([vault, canonical(policy), canonical(rules)]))
      .digest('base64url');
  }
}

function canonical(rules: ViewRules): unknown[] {
  const sources = (list: readonly PathRule[]): string[] =>
    [...new Set(list.map((rule) => rule.source))].sort();
  return [
    sources(rules.readPaths),
    sources(rules.writePaths),
    sources(rules.denyPaths),
    rules.readOnly,
    ...(rules.notes === undefined ? [] : [rules.notes.source]),
  ];
}
