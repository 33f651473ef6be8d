import type { CatalogueEntry } from './entry.ts';

/** Errors of pages on which people sign in and agree. */
export const SIGNING_IN = {
  authorization_over: {
    status: 400,
    message:
      'This connection is not waiting for an answer: its time is over, or it began in another browser.',
    hint: 'Go back to the client and connect once more.',
  },
  client_gone: {
    status: 400,
    message: 'The client that asked to be connected is not known any more.',
    hint: 'Remove the connection in the client, and add it once more.',
  },
  form_refused: {
    status: 403,
    message: 'This form was not sent by a page of this server.',
    hint: 'Load the page again and send the form from there.',
  },
  sign_in_limited: {
    status: 429,
    message: 'Too many wrong passphrases were sent.',
    hint: 'Try again in {seconds} seconds. On the machine of the server, "grove passphrase set" sets another one at any time.',
  },
  tokens_full: {
    status: 409,
    message: 'There are {limit} tokens of this invite, and more are not made by its page.',
    hint: 'Connect by signing in, or ask whoever sent the invite for a token.',
  },
  clients_full: {
    status: 409,
    message: 'By this trail {limit} clients are connected already, and no more are let in.',
    hint: 'Ask whoever shares it to end some of them: "grove trails show" lists them, "grove grants revoke ID" ends one.',
  },
  oauth_needs_https: {
    status: 404,
    message: 'Nobody signs in here: at an http:// address tokens and passphrases can be read on the way.',
    hint: 'Use a key, or put a proxy with TLS in front of the server and start it with --public-url https://...',
  },
  upstream_failed: {
    status: 502,
    message: 'Signing in at {provider} did not work.',
    hint: 'Go back and try again, or sign in with the passphrase; the log of the server says why.',
  },
} as const satisfies Record<string, CatalogueEntry>;
