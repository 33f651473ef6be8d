import { isFolder, TreeCursor } from '../../objects/tree.ts';

/** One entry to set, or to take out where `entry` is null. The name is as the tree spells it. */
export interface TreeEdit {
  readonly name: string;
  readonly entry: { readonly mode: number; readonly oid: string } | null;
}

/** An entry found in a tree. */
export interface FoundEntry {
  readonly name: string;
  readonly mode: number;
  readonly oid: string;
}

/**
 * A tree object's content with some entries changed, every other one byte for byte, in git's order. A name
 * that is set replaces a file or folder of the same name. Names must not repeat. Throws
 * `repository_unreadable` for a damaged tree.
 *
 * @example spliceTree(Buffer.alloc(0), [{ name: 'Plan.md', entry: { mode: 0o100644, oid } }])
 */
export function spliceTree(tree: Buffer, edits: readonly TreeEdit[]): Buffer {
  const dropped = new Set(edits.map(({ name }) => Buffer.from(name).toString('latin1')));
  const fresh = edits.flatMap(({ name, entry }) => (entry === null ? [] : [encode(name, entry)]));
  fresh.sort((left, right) => Buffer.compare(left.key, right.key));
  const parts: Buffer[] = [];
  const cursor = new TreeCursor(tree);
  let next = 0;
  let kept = 0;
  let end = 0;
  const flush = (upTo: number) => {
    if (upTo > kept) parts.push(tree.subarray(kept, upTo));
  };
  while (cursor.next()) {
    const start = end;
    end = cursor.oidStart + 20;
    while (next < fresh.length && compareKey(fresh[next]!.key, cursor) < 0) {
      flush(start);
      kept = start;
      parts.push(fresh[next++]!.bytes);
    }
    if (!dropped.has(tree.toString('latin1', cursor.nameStart, cursor.nameEnd))) continue;
    flush(start);
    kept = end;
  }
  flush(end);
  for (; next < fresh.length; next++) parts.push(fresh[next]!.bytes);
  return Buffer.concat(parts);
}

/**
 * Finds an entry by name: exactly, else in the other Unicode form, else, where `fold` is given, by what it
 * makes equal. Null when there is none.
 */
export function findEntry(
  tree: Buffer,
  name: string,
  fold: ((name: string) => string) | null = null,
): FoundEntry | null {
  const cursor = new TreeCursor(tree);
  const forms = new Set([name, name.normalize('NFC'), name.normalize('NFD')]);
  const wanted = [...forms].map((form) => Buffer.from(form));
  const folded = fold?.(name);
  let other: FoundEntry | null = null;
  let equal: FoundEntry | null = null;
  while (cursor.next()) {
    const length = cursor.nameEnd - cursor.nameStart;
    for (const [i, bytes] of wanted.entries()) {
      if (bytes.length !== length || bytes.compare(tree, cursor.nameStart, cursor.nameEnd) !== 0) continue;
      if (i === 0) return found(cursor);
      other ??= found(cursor);
    }
    if (fold && equal === null && fold(cursor.name()) === folded) equal = found(cursor);
  }
  return other ?? equal;
}

function found(cursor: TreeCursor): FoundEntry {
  return { name: cursor.name(), mode: cursor.mode, oid: cursor.oid() };
}

function encode(name: string, entry: { readonly mode: number; readonly oid: string }) {
  const bytes = Buffer.from(name);
  const key = isFolder(entry.mode) ? Buffer.concat([bytes, Buffer.from('/')]) : bytes;
  const head = Buffer.from(`${entry.mode.toString(8)} `);
  return { key, bytes: Buffer.concat([head, bytes, Buffer.from([0]), Buffer.from(entry.oid, 'hex')]) };
}

/** Git's order of entries (base_name_compare): a folder's name counts as if it ended in `/`. */
function compareKey(key: Buffer, cursor: TreeCursor): number {
  const length = cursor.nameEnd - cursor.nameStart;
  const same = Math.min(length, key.length);
  const order = key.compare(cursor.bytes, cursor.nameStart, cursor.nameStart + same, 0, same);
  if (order !== 0) return order;
  const after = length > same ? cursor.bytes[cursor.nameStart + same]! : isFolder(cursor.mode) ? 0x2f : 0;
  return (key[same] ?? 0) - after;
}
