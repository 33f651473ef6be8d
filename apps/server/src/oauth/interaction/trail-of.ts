import type { Control, TrailFacts } from '@grove/access';

/**
 * The live trail that a text lets somebody in by: an invite link, the secret of one, or a token of the trail. The token of
 * a client that was let in is none.
 */
export function trailOf(
  { trails, credentials }: Pick<Control, 'trails' | 'credentials'>,
  text: string,
): TrailFacts | null {
  const secret = secretIn(text);
  const trail = trails.byInvite(secret);
  if (trail !== null) return trail;
  const verified = credentials.verify(secret);
  return verified?.kind === 'trail' ? verified.trail : null;
}

/**
 * The secret in what a person pastes.
 *
 * @example secretIn('https://notes.example.org/invite/invite_abc') // 'invite_abc'
 */
export function secretIn(text: string): string {
  const trimmed = text.trim();
  const [, secret] = /\/invite\/([A-Za-z0-9_-]+)\/?$/.exec(trimmed) ?? [];
  return secret ?? trimmed;
}
