import { endOfPath, type IndexEntries, lowerBound, stageOf } from './index-entries.ts';
import { EXTENDED } from './index-stat.ts';
import { closeIndex, SUM_BYTES } from './index-sum.ts';

/** One path to set, or to take out where `head` is null. */
export interface IndexEdit {
  /** From the top of the work tree, as the index spells it. */
  readonly path: Buffer;
  /** See `entryHead`. */
  readonly head: Buffer | null;
}

/** From this position on up to `removedTo` entries go; `fresh` comes in before them. */
interface Cut {
  readonly at: number;
  readonly removedTo: number;
  readonly fresh: IndexEdit | null;
}

/**
 * The bytes of an index with some entries changed, all others byte for byte (in version 4 the entry behind a
 * changed one names anew what it shares with it). As `git add` does, a path that is set takes the place of
 * its unmerged stages, of what lies below it, and of a file that stands where a folder of it is.
 *
 * Of the extensions only the undo data of resolved merges (REUC) stays: cached trees (TREE), untracked files
 * (UNTR), the monitor's marks (FSMN) and tables of offsets (EOIE, IEOT) would be false, git makes them anew.
 *
 * `room` gives the memory for a number of bytes; the index's own must not be part of it.
 */
export function spliceIndex(
  index: IndexEntries,
  edits: readonly IndexEdit[],
  room: (size: number) => Buffer = Buffer.allocUnsafe,
): Buffer {
  const writer = new EntryWriter(index);
  let at = 0;
  for (const cut of cutsOf(index, edits)) {
    writer.copy(at, cut.at);
    if (cut.fresh !== null) writer.write(cut.fresh);
    at = Math.max(at, cut.removedTo);
  }
  writer.copy(at, index.count);
  const header = Buffer.from(index.bytes.subarray(0, 12));
  header.writeUInt32BE(writer.count, 8);
  // Version 2 knows no further flags, and is else the same as 3.
  if (index.version === 2 && edits.some(({ head }) => isExtended(head))) header.writeUInt32BE(3, 4);
  const kept = index.extensions.filter(({ name }) => name === 'REUC').map(({ bytes }) => bytes);
  return joined([header, ...writer.parts, ...kept], index, room);
}

/**
 * What {@link spliceIndex} and parsing its result give, made the short way where every path that is set has its one
 * entry already: the others stay where they are. Null where that is not so.
 */
export function patchIndex(
  index: IndexEntries,
  edits: readonly IndexEdit[],
  room: (size: number) => Buffer = Buffer.allocUnsafe,
): IndexEntries | null {
  if (index.version === 4 || index.extensions.length > 0) return null;
  const places: number[] = [];
  for (const { path, head } of edits) {
    const at = lowerBound(index, path);
    if (head === null || endOfPath(index, path, at) !== at + 1 || stageOf(index, at) > 0) return null;
    const start = index.starts[at]!;
    // An entry with more flags than git add would give it is written anew.
    if (index.pathStarts[at] !== start + head.length || isExtended(head)) return null;
    places.push(start);
  }
  const end = index.starts[index.count]!;
  const bytes = room(end + SUM_BYTES);
  bytes.set(index.bytes.subarray(0, end));
  for (const [i, { head, path }] of edits.entries()) {
    bytes.set(head!, places[i]!);
    bytes.writeUInt16BE(flags(head!, path), places[i]! + 60);
  }
  closeIndex(bytes, index.bytes);
  return { ...index, bytes, paths: bytes };
}

/** The parts one behind the other, closed by their sum. */
function joined(
  parts: readonly Buffer[],
  { bytes: before }: IndexEntries,
  room: (size: number) => Buffer,
): Buffer {
  const size = parts.reduce((sum, { length }) => sum + length, SUM_BYTES);
  const bytes = room(size);
  let filled = 0;
  for (const part of parts) {
    bytes.set(part, filled);
    filled += part.length;
  }
  closeIndex(bytes, before);
  return bytes;
}

/** Longer paths are found by their NUL. */
function flags(head: Buffer, path: Buffer): number {
  return head.readUInt16BE(60) | Math.min(path.length, 0xfff);
}

function isExtended(head: Buffer | null): boolean {
  return head !== null && (head.readUInt16BE(60) & EXTENDED) !== 0;
}

function cutsOf(index: IndexEntries, edits: readonly IndexEdit[]): Cut[] {
  const cuts: Cut[] = [];
  for (const edit of edits) {
    const { path } = edit;
    const at = lowerBound(index, path);
    const set = edit.head !== null;
    cuts.push({ at, removedTo: endOfPath(index, path, at), fresh: set ? edit : null });
    if (!set) continue;
    const below = lowerBound(index, Buffer.concat([path, Buffer.from('/')]));
    // "0" is the character behind "/".
    const behind = lowerBound(index, Buffer.concat([path, Buffer.from('0')]));
    if (behind > below) cuts.push({ at: below, removedTo: behind, fresh: null });
    for (let slash = path.indexOf(0x2f); slash >= 0; slash = path.indexOf(0x2f, slash + 1)) {
      const folder = path.subarray(0, slash);
      const file = lowerBound(index, folder);
      const removedTo = endOfPath(index, folder, file);
      if (removedTo > file) cuts.push({ at: file, removedTo, fresh: null });
    }
  }
  const pathOf = (cut: Cut) => cut.fresh?.path ?? Buffer.alloc(0);
  return cuts.sort((left, right) => left.at - right.at || Buffer.compare(pathOf(left), pathOf(right)));
}

class EntryWriter {
  readonly parts: Buffer[] = [];
  count = 0;
  readonly #index: IndexEntries;
  /** Path of the entry written last, for version 4. */
  #last: Buffer = Buffer.alloc(0);
  /** Position of the entry written last, or -1 when it is a fresh one. */
  #lastPosition = -1;

  constructor(index: IndexEntries) {
    this.#index = index;
  }

  copy(from: number, to: number): void {
    if (from >= to) return;
    const { bytes, starts, version } = this.#index;
    let first = from;
    if (version === 4 && this.#lastPosition !== from - 1) {
      this.parts.push(
        bytes.subarray(starts[from]!, starts[from]! + this.#headLength(from)),
        this.#compressed(this.#path(from)),
      );
      first++;
    }
    this.parts.push(bytes.subarray(starts[first]!, starts[to]!));
    this.count += to - from;
    this.#lastPosition = to - 1;
    this.#last = this.#path(to - 1);
  }

  write(edit: IndexEdit): void {
    const head = Buffer.from(edit.head!);
    head.writeUInt16BE(flags(head, edit.path), 60);
    if (this.#index.version === 4) this.parts.push(head, this.#compressed(edit.path));
    else this.parts.push(head, edit.path, Buffer.alloc(8 - ((head.length + edit.path.length) % 8)));
    this.count++;
    this.#last = edit.path;
    this.#lastPosition = -2;
  }

  #path(position: number): Buffer {
    const { paths, pathStarts, pathEnds } = this.#index;
    return paths.subarray(pathStarts[position]!, pathEnds[position]!);
  }

  #headLength(position: number): number {
    return this.#index.bytes.readUInt16BE(this.#index.starts[position]! + 60) & EXTENDED ? 64 : 62;
  }

  #compressed(path: Buffer): Buffer {
    let same = 0;
    while (same < path.length && same < this.#last.length && path[same] === this.#last[same]) same++;
    return Buffer.concat([offset(this.#last.length - same), path.subarray(same), Buffer.from([0])]);
  }
}

/** The variable-length number of a pack's OFS_DELTA (gitformat-pack), which version 4 uses too. */
function offset(value: number): Buffer {
  const digits = [value & 0x7f];
  for (let rest = Math.floor(value / 128); rest > 0; rest = Math.floor(rest / 128)) {
    rest--;
    digits.unshift(0x80 | (rest & 0x7f));
  }
  return Buffer.from(digits);
}
