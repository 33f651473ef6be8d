import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { hostOf } from '../http/authority.ts';

/** A cookie that is to be kept. */
export interface CookieWish {
  readonly name: string;
  readonly value: string;
  /** Seconds; null for as long as the browser is open. */
  readonly maxAge: number | null;
  /** True for one that lets nobody in: it is kept for http too where the browser does not tell how it came. */
  readonly isHarmless?: boolean;
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
  wish: CookieWish,
): void {
  const way = wayOf(request, publicUrl);
  if (way !== 'http') setCookie(reply, wish, true);
  if (way === 'http' || (way === 'untold' && wish.isHarmless === true)) setCookie(reply, wish, false);
}

function setCookie(reply: FastifyReply, { name, value, maxAge }: CookieWish, secure: boolean): void {
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

/**
 * How the browser came, which a proxy before this server may have taken off. Behind a public address of https it came by
 * that, unless it says itself that it is at another name of this server without it: a proxy may have rewritten the Host.
 */
function wayOf({ headers }: FastifyRequest, publicUrl: string | null): 'https' | 'http' | 'untold' {
  const { origin, host = '' } = headers;
  if (origin?.startsWith('https://') === true) return 'https';
  if (publicUrl?.startsWith('https://') !== true) return 'http';
  if (hostOf(host) === hostOf(new URL(publicUrl).host)) return 'https';
  return origin === `http://${host}` ? 'http' : 'untold';
}
