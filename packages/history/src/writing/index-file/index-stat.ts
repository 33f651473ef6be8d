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

/** What changes in the index: an entry with the stat of its file, or a path that goes. */
export type IndexChange =
  | { readonly path: string; readonly oid: string; readonly mode: string; readonly stat: IndexStat }
  | { readonly path: string; readonly removed: true };

const LOW = 0xffffffffn;
const SECOND = 1_000_000_000n;

/** The first 62 bytes of an entry of stage 0, flags but the length of the path left out (gitformat-index). */
export function entryHead(mode: number, oid: string, stat: IndexStat): Buffer {
  const head = Buffer.alloc(62);
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
