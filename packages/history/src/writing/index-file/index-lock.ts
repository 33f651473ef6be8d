import { join } from 'node:path';
import { Slices, type WriteFs } from '@grove/core';
import type { OwnLock } from '../locks/own-lock.ts';
import { writing } from '../write-failure.ts';
import { endOfPath, type IndexEntries, lowerBound, parseIndex } from './index-entries.ts';
import type { IndexReader } from './index-reader.ts';
import { entryHead, type IndexChange } from './index-stat.ts';
import { timeOfIndex } from './index-time.ts';
import { type IndexEdit, patchIndex, spliceIndex } from './splice-index.ts';

/** What a lock of the index needs of its surroundings. */
export interface IndexSurroundings {
  readonly fs: WriteFs;
  readonly gitDir: string;
  readonly reader: IndexReader;
  /** A vault-relative path from the top of the work tree, as HEAD's tree spells it where it has it. */
  spell(path: string): Promise<string>;
  /** A vault-relative path from the top of the work tree, spelled as it is given. */
  full(path: string): string;
  /** Entries of everything in HEAD. */
  headEntries(): Promise<IndexEdit[]>;
}

/** `index.lock`, held: no other program changes the index or commits. */
export class IndexLock implements AsyncDisposable {
  readonly #lock: OwnLock;
  readonly #around: IndexSurroundings;

  constructor(lock: OwnLock, around: IndexSurroundings) {
    this.#lock = lock;
    this.#around = around;
  }

  /**
   * Writes the index with these entries changed and gives the lock back. Call it when HEAD stands where it
   * shall: names are spelled as HEAD's tree has them. The content is synced before the new index takes its
   * name, unless `sync` is false. The stat of an entry is that of the file after its last change.
   *
   * Throws `git_busy` when somebody took the lock away, `repository_unwritable`, `repository_full`; the index
   * is unchanged then, and the lock still to be released.
   */
  async commit(changes: readonly IndexChange[], options: { sync?: boolean } = {}): Promise<void> {
    const { gitDir, reader } = this.#around;
    await writing(async () => {
      const snapshot = reader.read();
      // With an empty index in the place of a lost one, git's next commit would remove everything else.
      const edits = snapshot.mtimeNs === null ? await this.#around.headEntries() : [];
      const slices = new Slices();
      for (const change of changes) {
        if (slices.spent) await slices.rest();
        edits.push(...(await this.#edits(snapshot.entries, change)));
      }
      const wanted = unique(edits);
      const room = (size: number) => reader.room(size);
      const next =
        patchIndex(snapshot.entries, wanted, room) ?? parseIndex(spliceIndex(snapshot.entries, wanted, room));
      await this.#lock.write(next.bytes, (now) => timeOfIndex(now, snapshot, changes));
      if (options.sync !== false) await this.#lock.sync();
      // While it is locked nobody else replaces it.
      await this.#lock.replace(join(gitDir, 'index'), async () => reader.keep(next));
    });
  }

  /** Gives the lock back; the index stays as it was. Safe to call again, and after {@link commit}. */
  async release(): Promise<void> {
    await writing(() => this.#lock.release());
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.release();
  }

  async #edits(entries: IndexEntries, change: IndexChange): Promise<IndexEdit[]> {
    const full = this.#around.full(change.path);
    const spelled = await this.#around.spell(change.path);
    if ('removed' in change) return [{ path: findPath(entries, spelled), head: null }];
    const head = entryHead(Number.parseInt(change.mode, 8), change.oid, change.stat, change.absent);
    const edit = { path: Buffer.from(spelled), head };
    // HEAD spells the file anew, and the index still has the old name.
    const old = Buffer.from(full);
    return full !== spelled && holdsPath(entries, old) ? [{ path: old, head: null }, edit] : [edit];
  }
}

/** The path as the index spells it: as given, or in the other Unicode form. */
export function findPath(entries: IndexEntries, path: string): Buffer {
  const forms = [path, path.normalize('NFC'), path.normalize('NFD')].map((form) => Buffer.from(form));
  return forms.find((form) => holdsPath(entries, form)) ?? forms[0]!;
}

/** True when the index has an entry of this path, of any stage. */
export function holdsPath(entries: IndexEntries, path: Buffer): boolean {
  const at = lowerBound(entries, path);
  return endOfPath(entries, path, at) > at;
}

/** Of changes to one path the last counts. */
function unique(edits: readonly IndexEdit[]): IndexEdit[] {
  return [...new Map(edits.map((edit) => [edit.path.toString('latin1'), edit])).values()];
}
