import type { Scope } from '../contract.ts';

/** Whether this caller may write now: then it is shown `write_note`. Paths are judged with each call. */
export function canWrite({ writes, may, writable }: Pick<Scope, 'writes' | 'may' | 'writable'>): boolean {
  return writes.on && writes.notes !== null && !writable.readOnly && (may.append || may.write);
}
