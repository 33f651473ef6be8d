import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Control } from '@grove/access';
import { GroveError } from '@grove/core';

/**
 * What a form carries so that no page of somebody else can send it (CSRF): only this server can make it.
 *
 * @param subject what the form belongs to and the browser proves by a cookie of its own, such as a session
 * @example html`<input type="hidden" name="form" value="${formToken(control, `owner ${session.id}`)}">`
 */
export function formToken({ secrets }: Pick<Control, 'secrets'>, subject: string): string {
  const [key = ''] = secrets.cookieKeys();
  return createHmac('sha256', key).update(`form ${subject}`).digest('base64url');
}

/** Throws `form_refused` unless the token is the one that {@link formToken} makes for this subject. */
export function requireFormToken(control: Pick<Control, 'secrets'>, subject: string, sent: string): void {
  const wanted = Buffer.from(formToken(control, subject));
  const given = Buffer.from(sent);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new GroveError('form_refused');
}
