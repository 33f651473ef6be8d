import type { Control } from '@grove/access';
import type { Clock } from '@grove/core';
import type { FastifyReply, FastifyRequest } from 'fastify';

/** A step of a person that the owner may want to look up later. */
export interface Step {
  /** `sign_in`, `consent`, `refusal`. */
  readonly tool: string;
  readonly principal: {
    readonly kind: 'owner' | 'trail' | 'grant';
    readonly id: string;
    readonly name: string;
  };
  readonly trail: string | null;
  readonly client: string;
  /** Empty while none was chosen. */
  readonly vault: string;
  /** `ok`, or the code of an error. */
  readonly outcome: string;
}

/** Writes a step into the audit, with the address that it came from. */
export function recordStep(
  { control, clock }: { readonly control: Pick<Control, 'audit'>; readonly clock: Clock },
  request: FastifyRequest,
  reply: FastifyReply,
  step: Step,
): void {
  control.audit.record({
    ...step,
    at: clock.now(),
    via: 'oauth',
    ms: reply.elapsedTime,
    found: null,
    withheld: null,
    address: request.ip,
    requestId: request.id,
  });
}
