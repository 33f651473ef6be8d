import { GroveError } from '@grove/core';
import type { NoteWriteCaller, NoteWrites } from '@grove/writes';
import type { Scope } from '../contract.ts';
import { nearestNotes } from '../notes/nearest-notes.ts';

/**
 * The way to change notes, and who changes them.
 *
 * @throws GroveError `writes_off`, `writes_unavailable`
 */
export function writeCaller(scope: Scope): { readonly notes: NoteWrites; readonly caller: NoteWriteCaller } {
  const { writes, view, principal, may, writable } = scope;
  if (!writes.on) throw new GroveError('writes_off');
  if (writes.notes === null) throw new GroveError('writes_unavailable', { reason: reasonFor(scope) });
  const { kind, id, name, client } = principal;
  return {
    notes: writes.notes,
    caller: {
      view,
      author: { kind, id, name, client: client ?? null },
      may,
      policy: writable,
      nearest: (reference) => nearestNotes(view, reference, 5),
      confirm: scope.confirm,
    },
  };
}

/** What is wrong with the history or the disk is for who sees all of the vault. */
function reasonFor({ view, writes }: Scope): string {
  return (view.isOwner ? writes.problem : null) ?? 'its history cannot be written.';
}
