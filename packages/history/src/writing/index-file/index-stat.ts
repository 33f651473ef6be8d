/** What an index entry keeps of a file, from one `lstat` with `bigint: true`. */
export interface IndexStat {
  readonly dev: bigint;
  readonly ino: bigint;
  readonly uid: bigint;
  readonly gid: bigint;
  readonly size: bigint;
  readonly mtimeNs: bigint;
  readonly ctimeNs: bigint;
}

/** Of what is not on disk, or cannot be vouched for: git looks at the content then. */
export const UNKNOWN_STAT: IndexStat = {
  dev: 0n,
  ino: 0n,
  uid: 0n,
  gid: 0n,
  size: 0n,
  mtimeNs: 0n,
  ctimeNs: 0n,
};

/** What changes in the index: an entry with the stat of its file, or a path that goes. */
export type IndexChange =
  | {
      readonly path: string;
      readonly oid: string;
      readonly mode: string;
      readonly stat: IndexStat;
      /** Not in the work tree, and not to be taken for removed (git-update-index, "skip-worktree bit"). */
      readonly absent?: boolean;
    }
  | { readonly path: string; readonly removed: true };

const LOW = 0xffffffffn;
const SECOND = 1_000_000_000n;

/** In the flags: two more bytes of flags follow, from version 3 on. */
export const EXTENDED = 0x4000;
const SKIP_WORKTREE = 0x4000;

/**
 * An entry of stage 0 up to its path, the length of the path left out (gitformat-index): 62 bytes, or 64 with the mark of
 * a file that is not in the work tree.
 */
export function entryHead(mode: number, oid: string, stat: IndexStat, absent = false): Buffer {
  const head = Buffer.alloc(absent ? 64 : 62);
  if (absent) {
    head.writeUInt16BE(EXTENDED, 60);
    head.writeUInt16BE(SKIP_WORKTREE, 62);
  }
  const numbers = [
    stat.ctimeNs / SECOND,
    stat.ctimeNs % SECOND,
    stat.mtimeNs / SECOND,
    stat.mtimeNs % SECOND,
    stat.dev,
    stat.ino,
    BigInt(mode),
    stat.uid,
    stat.gid,
    stat.size,
  ];
  // git keeps the low 32 bits of each.
  for (const [i, number] of numbers.entries()) head.writeUInt32BE(Number(number & LOW), i * 4);
  head.write(oid, 40, 'hex');
  return head;
}
