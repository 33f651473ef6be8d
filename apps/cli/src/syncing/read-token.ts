import { GroveError } from '@grove/core';
import type { Run } from '../run.ts';
import { askSecret } from '../terminal/ask-secret.ts';
import { readText } from '../writing/read-text.ts';

/** Longer ones are something else. */
const LONGEST = 4_000;

/**
 * A token for a remote: asked for at a terminal, where it is not shown, else read from stdin.
 *
 * @throws GroveError `bad_input` for none, and for what is no token
 */
export async function readToken(run: Run): Promise<string> {
  const typed = run.stdin.isTTY ? await askSecret(run, 'Token: ') : await readText(run, undefined);
  const token = (typed ?? '').trim();
  if (token === '') throw new GroveError('bad_input', { reason: 'no token was given; nothing was changed' });
  if (token.length > LONGEST || /[\s\p{Cc}]/u.test(token))
    throw new GroveError('bad_input', {
      reason: 'a token is one word without spaces; nothing was changed',
    });
  return token;
}
