import type { CatalogRow, RowChange } from '../catalog/catalog-row.ts';

/** How long an empty note may be one that is being written, in milliseconds. */
const SETTLED_AFTER = 2_000;

/** What fresh empty notes are judged by. */
export interface FreshEmptiesOptions {
  /** Looks at these files once more, as the disk spells them; resolves when the catalog has what was found. */
  readonly look: (diskPaths: readonly string[]) => Promise<void>;
  /** Hears of notes that are fresh no more: they are to be judged again. */
  readonly settled: (ids: readonly number[]) => void;
}

/**
 * Notes that became empty a moment ago. Many programs write a file by emptying it first, so that for a moment a note
 * that says `private` says nothing. Views that judge notes by what they say leave such a note out until it has been
 * empty for two seconds and was looked at again.
 */
export class FreshEmpties {
  readonly #options: FreshEmptiesOptions;
  /** When they were first seen empty, by the clock of this process. */
  readonly #since = new Map<number, { readonly at: number; readonly diskPath: string }>();
  #timer: NodeJS.Timeout | null = null;
  #isClosed = false;

  constructor(rows: Iterable<CatalogRow>, options: FreshEmptiesOptions) {
    this.#options = options;
    // What was empty when Grove ended may have been read in that moment.
    for (const row of rows) if (isEmpty(row)) this.#begin(row, row.readAt);
  }

  /** True for a note that may be in the middle of being written. */
  has(id: number): boolean {
    return this.#since.has(id);
  }

  /** Takes in what changed in the catalog; before any View does. */
  update(changes: readonly RowChange[]): void {
    for (const { before, after } of changes) {
      const id = before?.id ?? after?.id;
      if (after === null || !isEmpty(after)) {
        if (id !== undefined) this.#since.delete(id);
      } else if (before === null || !isEmpty(before)) this.#begin(after, Date.now());
    }
  }

  close(): void {
    this.#isClosed = true;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }

  #begin({ id, diskPath }: CatalogRow, at: number): void {
    if (Date.now() - at >= SETTLED_AFTER) return;
    this.#since.set(id, { at, diskPath });
    this.#wait();
  }

  #wait(): void {
    if (this.#timer !== null || this.#isClosed || this.#since.size === 0) return;
    const first = Math.min(...[...this.#since.values()].map(({ at }) => at));
    const left = first + SETTLED_AFTER - Date.now();
    // What could not be looked at is overdue, and waits for its turn like any other.
    const wait = left > 0 ? Math.min(left, SETTLED_AFTER) : SETTLED_AFTER;
    this.#timer = setTimeout(() => void this.#settle(), wait).unref();
  }

  /** Where the clock was put back, their two seconds begin now. */
  #rebase(): void {
    const now = Date.now();
    for (const [id, known] of this.#since) if (known.at > now) this.#since.set(id, { ...known, at: now });
  }

  async #settle(): Promise<void> {
    this.#rebase();
    const due = [...this.#since].filter(([, { at }]) => Date.now() - at >= SETTLED_AFTER);
    try {
      if (due.length > 0) await this.#options.look(due.map(([, { diskPath }]) => diskPath));
      // What was found to say something was taken out meanwhile; what became empty anew waits anew.
      const still = due.filter(([id, known]) => this.#since.get(id) === known).map(([id]) => id);
      for (const id of still) this.#since.delete(id);
      if (still.length > 0) this.#options.settled(still);
    } catch {
      // The folder is away, or the vault is closing: its health says so. They stay hidden, and wait for the next look.
    } finally {
      this.#timer = null;
      this.#wait();
    }
  }
}

/** Nothing that a rule could judge: no word, no tag, no frontmatter. */
function isEmpty({ words, tags, frontmatterStatus }: CatalogRow): boolean {
  return words === 0 && tags.length === 0 && frontmatterStatus === 'none';
}
