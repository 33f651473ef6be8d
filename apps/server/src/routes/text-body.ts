import { GroveError } from '@grove/core';
import type { FastifyInstance } from 'fastify';

/** The text of a note, as a body brings it. */
export class TextBody {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/** Takes bodies of Markdown and of plain text too, for the routes of this context; an empty one is an empty text. */
export function takeTextBodies(app: FastifyInstance): void {
  app.addContentTypeParser(
    ['text/markdown', 'text/plain'],
    { parseAs: 'buffer' },
    async (_: unknown, body: Buffer) => new TextBody(textOf(body)),
  );
}

/** The bytes as they are: a byte order mark is a part of the text. */
function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(body);
  } catch (cause) {
    throw new GroveError(
      'bad_body',
      { reason: 'it is not UTF-8' },
      { cause, hint: 'Send the text of the note in UTF-8.' },
    );
  }
}
