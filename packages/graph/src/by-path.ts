import type { NoteRow } from '@grove/vault';

/** Code-unit order of paths: ties break by it, so that equal Views answer in equal order. */
export function byPath(a: Pick<NoteRow, 'path'>, b: Pick<NoteRow, 'path'>): number {
  return a.path < b.path ? -1 : a.path > b.path ? 1 : 0;
}
