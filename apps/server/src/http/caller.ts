import { grants, type KeyScope, type TrailFacts } from '@grove/access';
import { GroveError } from '@grove/core';
import type { OpenedVault, Principal, Scope } from '@grove/service';

/** Who a request is from, proven by its token. */
export interface Caller {
  /** The token that proved it; what was opened with it ends when it does. */
  readonly credential: string;
  readonly principal: Principal;
  /** As granted; what they imply is for `grants` to say. */
  readonly scopes: readonly KeyScope[];
  /** True where no rule keeps it from any note: only then can it have to do with keys of others. */
  readonly isUnlimited: boolean;
  /** The trail that limits it. */
  readonly trail: TrailFacts | null;
  /** The name of the OAuth client that holds the grant; null for a key. */
  readonly client: string | null;
  /** False for a grant that never asked to write, and may be led to ask. */
  readonly askedToWrite: boolean;
  /** The vault that the token belongs to. */
  readonly opened: OpenedVault;
  /** What this caller's operations may reach. */
  readonly scope: Scope;
}

/** Whose calls, sessions and streams count together: all tokens and grants of one trail, else the key or the grant. */
export function holderOf({ trail, principal }: Caller): string {
  return trail?.id ?? principal.id;
}

/**
 * Throws unless the caller's token grants `wanted`, or one of several: `scope_missing`, which names the first, or
 * `admin_key_needed` where no token of the caller's kind could.
 */
export function requireScope(caller: Caller, wanted: KeyScope | readonly KeyScope[]): void {
  const any = [wanted].flat();
  if (any.some((scope) => grants(caller.scopes, scope))) return;
  const isKey = caller.client === null && caller.trail === null;
  if (any[0] === 'admin' && !isKey) throw new GroveError('admin_key_needed');
  throw new GroveError('scope_missing', { scope: any[0] });
}

/**
 * Throws `key_limited` unless the caller sees all of its vault: with keys of others, whoever is kept from some notes would
 * learn their names or reach them.
 */
export function requireUnlimited({ isUnlimited }: Caller): void {
  if (!isUnlimited) throw new GroveError('key_limited');
}
