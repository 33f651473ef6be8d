import { isFolder, TreeCursor } from '../../objects/tree.ts';
import { entryHead, UNKNOWN_STAT } from './index-stat.ts';
import type { IndexEdit } from './splice-index.ts';

// No file has such a stat: git looks at the content of each once, and enters the real one.

/** Index entries of everything in a tree, as `git reset` would make them; stats are left open. */
export async function entriesOfTree(
  oid: string,
  readTree: (oid: string) => Promise<Buffer>,
  folder: Buffer = Buffer.alloc(0),
): Promise<IndexEdit[]> {
  const cursor = new TreeCursor(await readTree(oid));
  const edits: IndexEdit[] = [];
  while (cursor.next()) {
    const path = Buffer.concat([folder, cursor.bytes.subarray(cursor.nameStart, cursor.nameEnd)]);
    if (isFolder(cursor.mode)) {
      const below = Buffer.concat([path, Buffer.from('/')]);
      for (const edit of await entriesOfTree(cursor.oid(), readTree, below)) edits.push(edit);
    } else {
      edits.push({ path, head: entryHead(cursor.mode, cursor.oid(), UNKNOWN_STAT) });
    }
  }
  return edits;
}
