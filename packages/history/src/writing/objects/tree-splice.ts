import { isFolder, TreeCursor } from '../../objects/tree.ts';
import { keyOf, TreeTable } from './tree-table.ts';

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

/** Bytes of a tree that go, and an entry that comes in before them. */
interface Cut {
  readonly from: number;
  readonly to: number;
  readonly fresh: { readonly key: Buffer; readonly bytes: Buffer } | null;
}

/**
 * A tree object's content with some entries changed, every other one byte for byte, in git's order. A name
 * that is set replaces a file or folder of the same name. Names must not repeat. Throws
 * `repository_unreadable` for a damaged tree.
 *
 * @example spliceTree(Buffer.alloc(0), [{ name: 'Plan.md', entry: { mode: 0o100644, oid } }])
 */
export function spliceTree(tree: Buffer, edits: readonly TreeEdit[]): Buffer {
  const table = TreeTable.of(tree);
  if (!table.sorted) return spliceTree(inOrder(tree), edits);
  const cuts: Cut[] = [];
  for (const { name, entry } of edits) {
    const bytes = Buffer.from(name);
    const found = table.find(bytes);
    if (found !== null) cuts.push({ from: found.start, to: found.end, fresh: null });
    if (entry === null) continue;
    const folder = isFolder(entry.mode);
    const at = table.placeOf(bytes, folder);
    cuts.push({ from: at, to: at, fresh: { key: keyOf(bytes, folder), bytes: encode(bytes, entry) } });
  }
  cuts.sort((left, right) => left.from - right.from || Buffer.compare(keyAt(left), keyAt(right)));
  const parts: Buffer[] = [];
  let kept = 0;
  for (const { from, to, fresh } of cuts) {
    if (from > kept) parts.push(tree.subarray(kept, from));
    if (fresh !== null) parts.push(fresh.bytes);
    kept = Math.max(kept, to);
  }
  parts.push(tree.subarray(kept));
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
  const forms = [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
  const table = TreeTable.of(tree);
  for (const form of table.sorted ? forms : []) {
    const place = table.find(Buffer.from(form));
    if (place !== null)
      return { name: form, mode: place.mode, oid: tree.toString('hex', place.end - 20, place.end) };
  }
  if (table.sorted && fold === null) return null;
  const folded = fold?.(name);
  let best: { readonly rank: number; readonly entry: FoundEntry } | null = null;
  for (const cursor = new TreeCursor(tree); cursor.next(); ) {
    const spelled = cursor.name();
    const form = forms.indexOf(spelled);
    const rank = form >= 0 ? form : fold?.(spelled) === folded && fold !== null ? forms.length : null;
    if (rank !== null && rank < (best?.rank ?? Number.POSITIVE_INFINITY))
      best = { rank, entry: found(cursor) };
  }
  return best?.entry ?? null;
}

/** The entries of a tree that git would not write so, in the order in which it would. */
function inOrder(tree: Buffer): Buffer {
  const entries: { readonly key: Buffer; readonly bytes: Buffer }[] = [];
  let start = 0;
  for (const cursor = new TreeCursor(tree); cursor.next(); start = cursor.oidStart + 20) {
    const name = tree.subarray(cursor.nameStart, cursor.nameEnd);
    const bytes = tree.subarray(start, cursor.oidStart + 20);
    entries.push({ key: keyOf(name, isFolder(cursor.mode)), bytes });
  }
  entries.sort((left, right) => Buffer.compare(left.key, right.key));
  // Twice the same name: only once can be set anew.
  const last = new Map(entries.map((entry) => [entry.key.toString('latin1'), entry.bytes]));
  return Buffer.concat([...last.values()]);
}

function found(cursor: TreeCursor): FoundEntry {
  return { name: cursor.name(), mode: cursor.mode, oid: cursor.oid() };
}

function encode(name: Buffer, entry: { readonly mode: number; readonly oid: string }): Buffer {
  const head = Buffer.from(`${entry.mode.toString(8)} `);
  return Buffer.concat([head, name, Buffer.from([0]), Buffer.from(entry.oid, 'hex')]);
}

function keyAt({ fresh }: Cut): Buffer {
  return fresh?.key ?? Buffer.alloc(0);
}
