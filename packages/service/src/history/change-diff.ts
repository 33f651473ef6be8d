import { isGroveError } from '@grove/core';
import type { GitStore, LogChange } from '@grove/history';
import { decodeNote, shortDiff } from '@grove/markdown';

const DIFF_BYTES = 1024;
/** Longer texts are not compared for a list of commits. */
const LONGEST = 256 * 1024;

/**
 * What a commit changed in one note, as the hunks of a unified diff of at most 1 KB. Null where there is nothing to
 * show: an exact rename, a note that is no text or very long, a parent that a shallow clone leaves out.
 */
export async function changeDiff(
  store: GitStore,
  commit: string,
  { path, kind, blob }: Pick<LogChange, 'path' | 'kind' | 'blob'>,
): Promise<string | null> {
  if (kind === 'renamed') return null;
  try {
    const own = await textOf(store, blob, path);
    const other = kind === 'modified' ? await textBefore(store, commit, path) : '';
    if (own === null || other === null) return null;
    const [before, after] = kind === 'deleted' ? [own, ''] : [other, own];
    return shortDiff(before, after, DIFF_BYTES) || null;
  } catch (error) {
    if (isGroveError(error, 'repository_unreadable') || isGroveError(error, 'note_not_text')) return null;
    throw error;
  }
}

async function textBefore(store: GitStore, commit: string, path: string): Promise<string | null> {
  const [parent] = (await store.readCommit(commit)).parents;
  const before = parent === undefined ? null : await store.blobAt(parent, path);
  return before === null ? '' : shortText(before.bytes, path);
}

async function textOf(store: GitStore, blob: string, path: string): Promise<string | null> {
  return shortText(await store.readBlob(blob), path);
}

function shortText(bytes: Uint8Array, path: string): string | null {
  return bytes.byteLength > LONGEST ? null : decodeNote(bytes, path).text;
}
