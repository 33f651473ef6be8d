import type { AuditEntry, Control } from '@grove/access';
import type { Clock } from '@grove/core';
import type { FastifyRequest } from 'fastify';

/** What a person did on a page, who may want to look it up later. */
export interface Step extends Pick<AuditEntry, 'via' | 'tool' | 'vault' | 'ms' | 'outcome'> {
  /** The owner unless told. */
  readonly principal?: AuditEntry['principal'];
  /** None unless told. */
  readonly trail?: AuditEntry['trail'];
  /** None unless told. */
  readonly client?: AuditEntry['client'];
  /** The address that the request came from, where that is kept. */
  readonly address: AuditEntry['address'];
}

/** Who the owner is in the audit. */
const OWNER: AuditEntry['principal'] = { kind: 'owner', id: 'owner', name: 'owner' };

/**
 * Writes down what a person did on a page.
 *
 * @example recordStep(options, request, { tool: 'sign_in', via: 'owner', vault: '', ms, outcome: 'ok', address: request.ip })
 */
export function recordStep(
  { control, clock }: { readonly control: Pick<Control, 'audit'>; readonly clock: Clock },
  { id: requestId }: FastifyRequest,
  { principal = OWNER, trail = null, client = null, ...step }: Step,
): void {
  const entry = { ...step, principal, trail, client, found: null, withheld: null, requestId };
  control.audit.record({ ...entry, at: clock.now() });
}
