import type { Slices } from '@grove/core';
import type { GitObject, ObjectType } from '../objects/git-object.ts';
import { objectId } from '../writing/objects/object-id.ts';
import { unreadableObject } from './unreadable-object.ts';

/** An object that is to go into a pack, and where to read it. */
export interface Source {
  readonly oid: string;
  /** Orders versions of the same thing; larger is newer. */
  readonly time: number;
  /** Null when it is gone. */
  read(): Promise<GitObject | null>;
}

/** A source that was read and is whole. */
export interface Surveyed {
  readonly source: Source;
  readonly type: ObjectType;
  /** The same for versions of one tree or note, as far as their first bytes tell; null where deltas gain nothing. */
  readonly key: string | null;
}

const TYPE_ORDER: readonly ObjectType[] = ['commit', 'tag', 'tree', 'blob'];
const KEY_BYTES = 48;

/**
 * Reads every source once, checks it against its id and puts those that are whole into the order of the pack: versions
 * of one thing in a row, the newest first, since the newest are read most.
 */
export async function survey(
  sources: readonly Source[],
  slices: Slices,
  onRead: () => void,
): Promise<Surveyed[]> {
  const surveyed: Surveyed[] = [];
  for (const source of sources) {
    const object = await readWhole(source);
    onRead();
    if (object !== null) surveyed.push({ source, type: object.type, key: keyOf(object) });
    if (slices.spent) await slices.rest();
  }
  return surveyed.sort(
    (left, right) =>
      TYPE_ORDER.indexOf(left.type) - TYPE_ORDER.indexOf(right.type) ||
      compare(left.key ?? '', right.key ?? '') ||
      right.source.time - left.source.time ||
      compare(left.source.oid, right.source.oid),
  );
}

/** The object, or null where it is gone, damaged or too large. */
export async function readWhole(source: Pick<Source, 'oid' | 'read'>): Promise<GitObject | null> {
  try {
    const object = await source.read();
    return object !== null && objectId(object) === source.oid ? object : null;
  } catch (error) {
    if (unreadableObject(error)) return null;
    throw error;
  }
}

function keyOf({ type, data }: GitObject): string | null {
  if (type === 'commit' || type === 'tag') return null;
  // A tree's first entry as far as its name: what follows is an id, which changes.
  const end = type === 'tree' ? data.indexOf(0) : KEY_BYTES;
  return data.toString('latin1', 0, end < 0 ? KEY_BYTES : Math.min(end, 512));
}

function compare(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
