import { folderOf, type VaultPath } from '@grove/core';
import { staleInbox, type WaitingNote } from '@grove/graph';
import type { NoteRow } from '@grove/vault';
import { plural } from '../../answers/markdown.ts';
import { noteFacts } from '../../answers/note-facts.ts';
import type { Scope } from '../../contract.ts';
import { diagnosis } from './diagnosis.ts';
import { callFor } from './mending-call.ts';

/** Notes that were never put in their place. */
export const staleInboxDiagnosis = diagnosis('stale_inbox', {
  find: ({ view, clock, vault }) => staleInbox(view, clock.now(), vault.garden),
  paths: ({ row }: WaitingNote) => [row.path],
  tell: (scope, { row, untouched }) => {
    const to = `${placeFor(scope, row)}${row.path.slice(row.path.lastIndexOf('/') + 1)}`;
    const isFree = scope.view.get(to as VaultPath) === null;
    return {
      ...noteFacts(scope, row),
      why: `has waited in the inbox for ${plural(Math.floor(untouched), 'day')}`,
      ...callFor(
        scope,
        isFree ? [{ action: 'move', path: row.path, to, if_hash: scope.sourceHash(row) }] : [],
      ),
    };
  },
});

/** Where notes of its type belong, else where most notes lie that it hangs together with, else at the top. */
function placeFor({ view, vault }: Scope, row: NoteRow): string {
  const inbox = folderOf(row.path);
  const ruled = vault.schema.types.find(({ name }) => name.toLowerCase() === row.type?.toLowerCase());
  const near = [...view.targetIds(row), ...view.sourceIds(row)].flatMap((id) => view.byId(id) ?? []);
  const counts = new Map<string, number>();
  for (const { path } of near) {
    const folder = folderOf(path);
    if (folder !== inbox && folder !== '') counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  const [most] = [...counts].sort((a, b) => b[1] - a[1] || (a[0] < b[0] ? -1 : 1));
  const folder = ruled?.folders[0] ?? most?.[0];
  return folder === undefined ? '' : `${folder}/`;
}
