import type { Control } from '@grove/access';
import type { FastifyReply } from 'fastify';
import { formToken, requireFormToken } from '../../pages/form-token.ts';
import type { OwnerSession } from '../sign-in/sessions.ts';

/** Types of the forms of the pages. */
export const FORM_TYPE = 'application/x-www-form-urlencoded';

/** How every route of the owner's pages is registered: no key opens it, and the session is asked for by the pages. */
export const OWNER_ROUTE = {
  config: { access: 'open' as const, bodies: FORM_TYPE },
  exposeHeadRoute: false,
};

/** What the forms of one session carry. */
export function ownerFormToken(control: Pick<Control, 'secrets'>, { id }: OwnerSession): string {
  return formToken(control, `owner ${id}`);
}

/** Throws `form_refused` for a form that no page of this session sent. */
export function requireOwnerForm(
  control: Pick<Control, 'secrets'>,
  { id }: OwnerSession,
  sent: string,
): void {
  requireFormToken(control, `owner ${id}`, sent);
}

/** Sends the browser on to a page, which it loads by GET. */
export function goTo(reply: FastifyReply, path: string): FastifyReply {
  return reply.header('cache-control', 'no-store').redirect(path, 303);
}
