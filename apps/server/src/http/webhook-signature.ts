import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { GroveError } from '@grove/core';

/** Headers by which a git server says that a request is a webhook, or signs it. */
const MARKS = [
  'x-hub-signature-256',
  'x-gitlab-token',
  'x-github-event',
  'x-gitlab-event',
  'x-gitea-event',
  'x-forgejo-event',
] as const;

/** True for a request of a git server, signed or not. One that brings a key is the key's. */
export function isWebhook(headers: IncomingHttpHeaders): boolean {
  return headers.authorization === undefined && MARKS.some((mark) => headers[mark] !== undefined);
}

/**
 * Proves that a webhook is from whoever knows the secret: GitHub, Gitea and Forgejo sign the body with it
 * (https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries), GitLab sends it along.
 *
 * @throws GroveError `webhook_refused`
 */
export function requireSigned(headers: IncomingHttpHeaders, body: Buffer, secret: string | null): void {
  if (secret === null) throw refused('this server has no secret for webhooks');
  const { 'x-hub-signature-256': signature, 'x-gitlab-token': token } = headers;
  if (signature === undefined && token === undefined)
    throw refused('it is not signed; give the webhook the secret in the settings of the repository');
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const isProven =
    signature === undefined ? isSame(String(token), secret) : isSame(String(signature), expected);
  if (!isProven) throw refused('it is signed with another secret');
}

/** In a time that tells nothing of where two texts differ, nor of their lengths. */
function isSame(given: string, expected: string): boolean {
  const [left, right] = [given, expected].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(left!, right!);
}

function refused(reason: string): GroveError {
  return new GroveError('webhook_refused', { reason });
}
