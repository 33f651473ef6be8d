import { isGroveError } from '@grove/core';
import { isReadable } from '@grove/server';
import { note, ok, problem } from '../finding.ts';
import { reasonOf } from './ask.ts';
import { OAuthWalk, WalkFault } from './oauth-walk.ts';
import type { ServerCheck } from './subject.ts';

/** The whole way of a client that is let in by OAuth: from the refused call to a call with a token, and its end. */
export const oauth: ServerCheck = {
  name: 'OAuth',
  run: async ({ url, publicUrl, keys }) => {
    if (isReadable(publicUrl ?? url)) return note('off: nobody signs in at an address without TLS');
    if (keys === null) return note('not checked: no client could be made');
    const walk = new OAuthWalk(url, publicUrl ?? url, keys.guest);
    try {
      await walk.go();
      return ok('a client is let in, calls, renews its token and is let out');
    } catch (error) {
      if (isGroveError(error)) throw error;
      const reason = error instanceof WalkFault ? error.message : reasonOf(error);
      return problem(
        `stopped at the step "${walk.step}": ${reason}`,
        'See the lines of this moment in the log of the server (GROVE_LOG_LEVEL=info); docs/connecting.md says what each step needs.',
      );
    }
  },
};
