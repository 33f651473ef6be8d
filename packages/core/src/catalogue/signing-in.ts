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
} as const satisfies Record<string, CatalogueEntry>;
