import { grants, type KeyScope, type VerifiedKey } from '@grove/access';
import { GroveError } from '@grove/core';
import type { OpenedVault, Scope } from '@grove/service';

/** Who a request is from, proven by its key. */
export interface Caller {
  /** The token that proved it; what was opened with it ends when it does. */
  readonly credential: string;
  readonly key: VerifiedKey['key'];
  /** The vault that the key belongs to. */
  readonly opened: OpenedVault;
  /** What this caller's operations may reach. */
  readonly scope: Scope;
}

/** Throws `scope_missing` unless the caller's key grants `wanted`, or one of several; it names the first. */
export function requireScope(caller: Caller, wanted: KeyScope | readonly KeyScope[]): void {
  const any = [wanted].flat();
  if (any.some((scope) => grants(caller.key.scopes, scope))) return;
  throw new GroveError('scope_missing', { scope: any[0] });
}
