import type { AnyOperation, Scope } from '@grove/service';

/**
 * Whether the caller's rights ever let it call an operation: what reads needs the right to read, what writes one of the
 * rights to write. Whether the vault may be written now is told by the call, so that who kept an old list learns why.
 */
export function mayCall({ may }: Pick<Scope, 'may'>, { hints }: Pick<AnyOperation, 'hints'>): boolean {
  return hints.readOnlyHint ? may.read : may.append || may.write;
}
