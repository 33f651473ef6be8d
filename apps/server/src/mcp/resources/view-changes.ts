import type { VaultPath } from '@grove/core';
import type { Scope } from '@grove/service';
import type { NoteRow } from '@grove/vault';
import { noteUri, STATUS_URI, TAGS_URI } from './note-uri.ts';

/** What became different in one View. */
export interface ViewChange {
  /** Notes that came, went, or have another content. One that became hidden has gone. */
  readonly updated: readonly VaultPath[];
  /** Whether notes came or went. */
  readonly isOtherList: boolean;
  /** Whether a tag is on other notes than before. */
  readonly areOtherTags: boolean;
}

/** The resources that are different now; the status, which counts notes and words, is with any of them. */
export function changedUris({ updated, areOtherTags }: ViewChange): readonly string[] {
  return [...updated.map(noteUri), ...(areOtherTags ? [TAGS_URI] : []), STATUS_URI];
}

/** Changes that come within this time are told of together. */
const QUIET_MS = 300;

/**
 * Tells what changes in one View, by what it shows before and after: of a note that is hidden there is nothing to
 * tell. The View is listened to only while somebody listens here.
 */
export class ViewChanges {
  readonly #scope: Pick<Scope, 'view'>;
  readonly #listeners = new Set<(change: ViewChange) => void>();
  /** The notes that changed, as they were last told of; null: they were not there. */
  readonly #told = new Map<number, NoteRow | null>();
  #timer: NodeJS.Timeout | null = null;
  #detach: (() => void) | null = null;

  constructor(scope: Pick<Scope, 'view'>) {
    this.#scope = scope;
  }

  /** Whether the View is listened to. */
  get isAttached(): boolean {
    return this.#detach !== null;
  }

  /** Hears of changes from now on, until what is returned is called. A listener must not throw. */
  listen(listener: (change: ViewChange) => void): () => void {
    // A function of its own: the same one may listen twice.
    const own = (change: ViewChange): void => listener(change);
    this.#listeners.add(own);
    if (this.#detach === null) this.#attach();
    return () => {
      if (this.#listeners.delete(own) && this.#listeners.size === 0) this.#end();
    };
  }

  #attach(): void {
    this.#detach = this.#scope.view.onChange((changes) => {
      for (const { before, after } of changes) {
        const id = before?.id ?? after?.id;
        if (id !== undefined && !this.#told.has(id)) this.#told.set(id, before);
      }
      this.#timer ??= setTimeout(() => this.#tell(), QUIET_MS).unref();
    });
  }

  #end(): void {
    this.#detach?.();
    this.#detach = null;
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
    this.#told.clear();
  }

  #tell(): void {
    this.#timer = null;
    const updated = new Set<VaultPath>();
    let isOtherList = false;
    let areOtherTags = false;
    for (const [id, before] of this.#told) {
      const after = this.#scope.view.byId(id);
      if (before?.path === after?.path && before?.contentHash === after?.contentHash) continue;
      if (before?.path !== after?.path) isOtherList = true;
      if (tagsOf(before) !== tagsOf(after)) areOtherTags = true;
      for (const row of [before, after]) if (row !== null) updated.add(row.path);
    }
    this.#told.clear();
    if (updated.size === 0) return;
    for (const listener of this.#listeners) listener({ updated: [...updated], isOtherList, areOtherTags });
  }
}

function tagsOf(row: NoteRow | null | undefined): string {
  return row?.tags.join('\n') ?? '';
}
