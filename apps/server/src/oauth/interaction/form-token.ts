import { createHmac, timingSafeEqual } from 'node:crypto';
import type { Control } from '@grove/access';
import { GroveError } from '@grove/core';

/**
 * What a form of one authorization carries, so that no other page can send it: only this server can make it, and the
 * authorization is that of the browser's own cookie.
 */
export function formToken({ secrets }: Pick<Control, 'secrets'>, uid: string): string {
  const [key = ''] = secrets.cookieKeys();
  return createHmac('sha256', key).update(`authorization form ${uid}`).digest('base64url');
}

/** Throws `form_refused` for a form that this server did not send for this authorization. */
export function requireFormToken(control: Pick<Control, 'secrets'>, uid: string, sent: string): void {
  const wanted = Buffer.from(formToken(control, uid));
  const given = Buffer.from(sent);
  if (given.length !== wanted.length || !timingSafeEqual(given, wanted)) throw new GroveError('form_refused');
}
