/**
 * The secret in what a person pastes: an invite link, or the secret or token itself.
 *
 * @example inviteSecretOf('https://notes.example.org/invite/invite_abc') // 'invite_abc'
 */
export function inviteSecretOf(text: string): string {
  const trimmed = text.trim();
  const [, secret] = /\/invite\/([A-Za-z0-9_-]+)\/?$/.exec(trimmed) ?? [];
  return secret ?? trimmed;
}
