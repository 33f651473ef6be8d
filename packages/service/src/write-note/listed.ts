import type { Scope } from '../contract.ts';

/** Whether this caller may write now: then it is shown `write_note`. Paths are judged with each call. */
export function canWrite(scope: Pick<Scope, 'writes' | 'may' | 'writable'>): boolean {
  return scope.writes.on && scope.writes.notes !== null && hasWriteRights(scope);
}

/** Whether this caller may write where writing is on. */
export function hasWriteRights({ may, writable }: Pick<Scope, 'may' | 'writable'>): boolean {
  return !writable.readOnly && (may.append || may.write);
}
