import type { GitStore, Merging, PathRules, TheirChange, TreeLeaf } from '@grove/history';
import { mergeKeepingOurs } from '@grove/markdown';
import type { ConflictReason } from './contract.ts';
import { isFile, isSameLeaf } from './leaves.ts';

/** Larger files are not merged by lines, in bytes. */
const LARGEST_TEXT = 5 * 1024 * 1024;
/** Git takes a file for binary that has a NUL among its first bytes. */
const LOOKED_AT = 8000;
const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** What becomes of a path that they changed. */
export interface Decision {
  /** What the branch has there afterwards. */
  readonly result: TreeLeaf | null;
  /** Why it is not what they have, where something of theirs is not in it. */
  readonly conflict: ConflictReason | null;
}

/** Decides about one path, storing what is merged. Theirs is not what the base has. */
export async function mergeFile(
  store: GitStore,
  merging: Merging,
  { base, ours, theirs }: Omit<TheirChange, 'path'>,
  rules: PathRules,
): Promise<Decision> {
  if (isSameLeaf(ours, theirs)) return { result: ours, conflict: null };
  if (isSameLeaf(base, ours)) return { result: theirs, conflict: null };
  if (theirs === null) return { result: ours, conflict: 'deleted_there' };
  if (ours === null) return { result: null, conflict: 'deleted_here' };
  if (!isFile(ours) || !isFile(theirs)) return { result: ours, conflict: 'kinds' };
  const mode = base !== null && ours.mode === base.mode ? theirs.mode : ours.mode;
  const oidOf = isFile(base) ? base.oid : null;
  if (ours.oid === theirs.oid || theirs.oid === oidOf)
    return { result: { mode, oid: ours.oid }, conflict: null };
  if (ours.oid === oidOf) return { result: { mode, oid: theirs.oid }, conflict: null };
  const texts = rules.mergeable
    ? [
        oidOf === null ? '' : await textOf(store, oidOf),
        await textOf(store, ours.oid),
        await textOf(store, theirs.oid),
      ]
    : [];
  const [old, mine, other] = texts;
  if (old == null || mine == null || other == null)
    return { result: { mode, oid: ours.oid }, conflict: 'binary' };
  const { text, isWhole } = mergeKeepingOurs(old, mine, other);
  const oid = text === mine ? ours.oid : await merging.blob(Buffer.from(text));
  return { result: { mode, oid }, conflict: isWhole ? null : 'lines' };
}

async function textOf(store: GitStore, oid: string): Promise<string | null> {
  return (await store.sizeOf(oid)) > LARGEST_TEXT ? null : asText(await store.readBlob(oid));
}

/** Bytes that may be merged by lines, or null. */
export function asText(bytes: Uint8Array): string | null {
  if (bytes.length > LARGEST_TEXT || bytes.subarray(0, LOOKED_AT).includes(0)) return null;
  try {
    return UTF8.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return null;
    throw error;
  }
}
