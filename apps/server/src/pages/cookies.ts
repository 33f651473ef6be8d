import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostOf } from '../http/authority.ts';

/** A cookie that is to be kept. */
export interface CookieWish {
  readonly name: string;
  readonly value: string;
  /** Seconds; null for as long as the browser is open. */
  readonly maxAge: number | null;
}

/** On https a cookie of this prefix is taken from this very host alone (RFC 6265bis, section 4.1.3.2). */
const OWN_HOST = '__Host-';

/** The value of a cookie that {@link keepCookie} set; null without one. */
export function cookieOf({ headers }: Pick<FastifyRequest, 'headers'>, name: string): string | null {
  if (headers.cookie === undefined) return null;
  const cookies = parseCookie(headers.cookie);
  return cookies[`${OWN_HOST}${name}`] ?? cookies[name] ?? null;
}

/** Sets a cookie that no script reads and no form of another site brings along; over https it is for https alone. */
export function keepCookie(
  request: FastifyRequest,
  reply: FastifyReply,
  publicUrl: string | null,
  { name, value, maxAge }: CookieWish,
): void {
  const secure = isHttps(request, publicUrl);
  const cookie = stringifySetCookie({
    name: secure ? `${OWN_HOST}${name}` : name,
    value,
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure,
    ...(maxAge === null ? {} : { maxAge }),
  });
  reply.header('set-cookie', cookie);
}

/** Takes a cookie away, by either of its names. */
export function dropCookie(reply: FastifyReply, name: string): void {
  const over = { value: '', path: '/', httpOnly: true, sameSite: 'lax', maxAge: 0 } as const;
  reply.header('set-cookie', stringifySetCookie({ ...over, name }));
  reply.header('set-cookie', stringifySetCookie({ ...over, name: `${OWN_HOST}${name}`, secure: true }));
}

/** Whether the browser came by https, which a proxy before this server may have taken off. */
function isHttps({ headers }: FastifyRequest, publicUrl: string | null): boolean {
  if (headers.origin?.startsWith('https://') === true) return true;
  if (publicUrl?.startsWith('https://') !== true) return false;
  return hostOf(headers.host ?? '') === hostOf(new URL(publicUrl).host);
}
