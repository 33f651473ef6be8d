import type { Control, TrailFacts } from '@grove/access';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { cookieOf, keepCookie } from '../../pages/cookies.ts';

const COOKIE = 'grove_invite';
const MONTH_S = 30 * 24 * 60 * 60;

/** Lets the page for signing in know, in this browser, that an invite was opened. */
export function rememberInvite(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | null,
  secret: string,
): void {
  keepCookie(request, reply, publicUrl, { name: COOKIE, value: secret, maxAge: MONTH_S });
}

/** The live trail of the invite that this browser has opened last; null for none, or one that is over. */
export function rememberedInvite(
  { trails }: Pick<Control, 'trails'>,
  request: FastifyRequest,
): TrailFacts | null {
  const secret = cookieOf(request, COOKIE);
  return secret === null ? null : trails.byInvite(secret);
}
