import { messagesIn, type RawMessage } from './raw-mcp.ts';

/** Reads an open stream of events as they come. */
export class EventReader {
  readonly messages: RawMessage[] = [];
  /** Resolves when the stream has ended; with the error when it was cut. */
  readonly ended: Promise<Error | null>;
  #woken = Promise.withResolvers<void>();

  constructor(response: Response) {
    this.ended = this.#read(response);
  }

  /** The first message that fits, come already or still to come; throws when the stream ends without one. */
  async message(fits: (message: RawMessage) => boolean): Promise<RawMessage> {
    for (;;) {
      const found = this.messages.find(fits);
      if (found !== undefined) return found;
      const woken = this.#woken.promise;
      if ((await Promise.race([woken, this.ended])) !== undefined && !this.messages.some(fits))
        throw new Error('the stream ended without the message');
    }
  }

  async #read(response: Response): Promise<Error | null> {
    const decoder = new TextDecoder();
    let rest = '';
    try {
      for await (const chunk of response.body ?? []) {
        const parts = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\n\n');
        rest = parts.pop() ?? '';
        this.messages.push(...parts.flatMap(messagesIn));
        this.#woken.resolve();
        this.#woken = Promise.withResolvers<void>();
      }
      return null;
    } catch (error) {
      return error as Error;
    }
  }
}
