import type { Slices } from '@grove/core';
import type { GitFileTimes } from '@grove/vault';
import { type Life, UNBORN } from './life.ts';
import { livesAfter, type MadeCommit } from './made-commit.ts';
import type { HistoryRows, PathRow } from './rows.ts';

const PAGE_ROWS = 250;

/** Times and blobs of the notes at HEAD, in memory: a look-up is a look into a map. */
export class KnownNotes {
  readonly #notes = new Map<string, { readonly blob: string; readonly times: GitFileTimes | null }>();
  // Paths that HEAD does not spell in NFC, by the NFC form (a Mac without core.precomposeunicode).
  readonly #aliases = new Map<string, string>();
  /** By the commits after the last one that was taken up. */
  readonly #foreseen = new Map<string, Life>();

  /** The note at this path, in either Unicode form. */
  get(path: string): { readonly blob: string; readonly times: GitFileTimes | null } | null {
    const exact = this.#notes.get(path);
    if (exact !== undefined) return exact;
    const normal = path.normalize('NFC');
    return this.#notes.get(this.#aliases.get(normal) ?? normal) ?? null;
  }

  /** Path and blob of each. */
  *blobs(): Generator<[path: string, blob: string]> {
    for (const [path, { blob }] of this.#notes) yield [path, blob];
  }

  /** Takes a commit for taken up until {@link update} or {@link load} read its notes again. */
  foresee(rows: HistoryRows, commit: MadeCommit): void {
    const lifeOf = (path: string) => this.#foreseen.get(path) ?? rows.findPath(path) ?? UNBORN;
    for (const [path, life] of livesAfter(commit, lifeOf)) {
      this.#set({ ...life, path, head: life.blob });
      this.#foreseen.set(path, life);
    }
  }

  /** Reads every note at HEAD. */
  async load(rows: HistoryRows, slices: Slices): Promise<void> {
    for (let after = 0; ; ) {
      const page = rows.headPaths(after, PAGE_ROWS);
      for (const row of page) this.#set(row);
      if (page.length < PAGE_ROWS) return;
      after = page.at(-1)!.id;
      if (slices.spent) await slices.rest();
    }
  }

  /** Reads these paths again. */
  async update(rows: HistoryRows, touched: Iterable<number>, slices: Slices): Promise<void> {
    for (const id of touched) {
      const row = rows.path(id);
      if (row !== null) this.#set(row);
      if (slices.spent) await slices.rest();
    }
  }

  #set({ path, head, created, modified, found }: Omit<PathRow, 'id'>): void {
    this.#foreseen.delete(path);
    const normal = path.normalize('NFC');
    if (head === null) {
      this.#notes.delete(path);
      if (this.#aliases.get(normal) === path) this.#aliases.delete(normal);
      return;
    }
    const known = created !== null && modified !== null;
    this.#notes.set(path, { blob: head, times: known ? { created, modified, found, blob: head } : null });
    if (normal !== path) this.#aliases.set(normal, path);
  }
}
