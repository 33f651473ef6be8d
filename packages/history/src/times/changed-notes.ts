import { isUtf8 } from 'node:buffer';
import type { Slices } from '@grove/core';
import { isFolder, isRegularFile, TreeCursor } from '../objects/tree.ts';
import { unreadable } from '../repository/unreadable.ts';

/** One note that a commit changed. */
export interface NoteChange {
  /** Vault-relative, as the tree spells it. */
  readonly path: string;
  readonly kind: 'added' | 'modified' | 'deleted';
  /** Blob id: the new one, or the first parent's for a deleted note. */
  readonly blob: string;
}

// Of VaultPath: no note has a longer path.
const MAX_PATH_BYTES = 1024;
// A tree may hold itself many times over; no honest commit touches as much.
const MAX_STEPS = 500_000;

/**
 * The notes in which `tree` differs from every one of `parents`, ordered as git orders paths; all of its
 * notes when there are no parents. Null stands for a tree that is not there. Trees are compared by id and
 * entered only where they differ. Hidden names, links and submodules are no notes, and a change of the file
 * mode alone is none.
 *
 * Throws `repository_unreadable` for damaged trees and for more than half a million changes.
 */
export async function changedNotes(
  read: (tree: string) => Promise<Buffer>,
  tree: string | null,
  parents: readonly (string | null)[],
  slices: Slices,
): Promise<NoteChange[]> {
  const changes: NoteChange[] = [];
  let steps = 0;

  async function compare(
    folder: string,
    own: string | null,
    others: readonly (string | null)[],
  ): Promise<void> {
    // Reads that a cache answers do not let the event loop run.
    if (slices.spent) await slices.rest();
    const cursors: TreeCursor[] = [];
    for (const oid of [own, ...others]) {
      const cursor = new TreeCursor(oid === null ? Buffer.alloc(0) : await read(oid));
      cursor.next();
      cursors.push(cursor);
    }
    for (let round = 1; ; round++) {
      const first = least(cursors);
      if (first === null) return;
      const here = cursors.map((cursor) => cursor.standing && cursor.compareName(first) === 0);
      if (!isHidden(first) && differsFromAll(cursors, here)) {
        const oids = cursors.map((cursor, i) => (here[i] && isPartOfVault(cursor) ? cursor.oid() : null));
        const path = pathOf(folder, first);
        if (path !== null && isFolder(first.mode)) {
          if (++steps > MAX_STEPS) throw unreadable('a commit changes more than half a million folders');
          await compare(path, oids[0]!, oids.slice(1));
        } else if (path !== null) {
          collect(path, oids);
        }
      }
      // Not before the entry was read: the cursors compare against `first`.
      cursors.forEach((cursor, i) => {
        if (here[i]) cursor.next();
      });
      if (round % 256 === 0 && slices.spent) await slices.rest();
    }
  }

  function collect(path: string, [own, ...others]: readonly (string | null)[]): void {
    // A link that became a note, or the other way round, is one side absent.
    if (others.some((other) => other === own) || (own === null && others.length === 0)) return;
    if (++steps > MAX_STEPS) throw unreadable('a commit changes more than half a million notes');
    if (own == null) changes.push({ path, kind: 'deleted', blob: others[0]! });
    else
      changes.push({ path, kind: others.every((other) => other === null) ? 'added' : 'modified', blob: own });
  }

  if (!parents.includes(tree)) await compare('', tree, parents);
  return changes;
}

function least(cursors: readonly TreeCursor[]): TreeCursor | null {
  let first: TreeCursor | null = null;
  for (const cursor of cursors) {
    if (cursor.standing && (first === null || cursor.compareName(first) < 0)) first = cursor;
  }
  return first;
}

function differsFromAll(cursors: readonly TreeCursor[], here: readonly boolean[]): boolean {
  for (let i = 1; i < cursors.length; i++) {
    if (here[i] === here[0] && (!here[0] || cursors[i]!.sameOid(cursors[0]!))) {
      // The same content under another mode may be a note on one side only.
      if (!here[0] || cursors[i]!.mode === cursors[0]!.mode) return false;
    }
  }
  return true;
}

function isHidden(cursor: TreeCursor): boolean {
  return cursor.bytes[cursor.nameStart] === 0x2e;
}

function isPartOfVault({ bytes, mode, nameEnd, nameStart }: TreeCursor): boolean {
  if (isFolder(mode)) return true;
  return (
    isRegularFile(mode) &&
    nameEnd - nameStart > 3 &&
    bytes[nameEnd - 3] === 0x2e &&
    (bytes[nameEnd - 2]! | 0x20) === 0x6d &&
    (bytes[nameEnd - 1]! | 0x20) === 0x64
  );
}

function pathOf(folder: string, { bytes, nameStart, nameEnd }: TreeCursor): string | null {
  const name = bytes.subarray(nameStart, nameEnd);
  if (!isUtf8(name)) return null;
  const path = folder === '' ? name.toString('utf8') : `${folder}/${name.toString('utf8')}`;
  return Buffer.byteLength(path) > MAX_PATH_BYTES ? null : path;
}
