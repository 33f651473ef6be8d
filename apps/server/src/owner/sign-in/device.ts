import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Control } from '@grove/access';

const WRITTEN = /^([A-Za-z0-9_-]{22})\.([A-Za-z0-9_-]{43})$/;

/** A name for a browser in which the owner signed in, signed so that no other browser gets one. It lets nobody in. */
export function newDevice(control: Pick<Control, 'secrets'>): string {
  const id = randomBytes(16).toString('base64url');
  return `${id}.${signatureOf(control, id)}`;
}

/** The name in what {@link newDevice} made; null for anything else. */
export function deviceOf(control: Pick<Control, 'secrets'>, written: string | null): string | null {
  const [, id, signature] = WRITTEN.exec(written ?? '') ?? [];
  if (id === undefined || signature === undefined) return null;
  return timingSafeEqual(Buffer.from(signature), Buffer.from(signatureOf(control, id))) ? id : null;
}

function signatureOf({ secrets }: Pick<Control, 'secrets'>, id: string): string {
  const [key = ''] = secrets.cookieKeys();
  return createHmac('sha256', key).update(`device ${id}`).digest('base64url');
}
