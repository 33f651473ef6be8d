import { type GroveError, isGroveError } from '@grove/core';
import {
  type DestinationStream,
  destination,
  type LevelWithSilent,
  type Logger,
  pino,
  stdSerializers,
} from 'pino';

/** The log of a process; never given note text. */
export type Log = Logger;

/** A key, wherever in a line it stands: in an address, in the words of an error. */
const KEY = /grove_[A-Za-z0-9_-]{43}/g;

/**
 * A log that writes JSON lines to stderr, because stdout belongs to the protocol. No line holds a key, an
 * Authorization header or the address of a request, which may name a note.
 *
 * @example createLog('warn').warn({ vault: 'garden' }, 'the folder vanished')
 */
export function createLog(
  level: LevelWithSilent,
  to: DestinationStream = destination({ fd: 2, sync: true }),
): Log {
  const whole = level === 'debug' || level === 'trace';
  const err = (error: unknown): unknown =>
    isGroveError(error) && !whole ? brief(error) : stdSerializers.err(error as Error);
  const req = ({ method }: { readonly method?: string }): object => ({ method });
  return pino(
    {
      level,
      base: { pid: process.pid },
      serializers: { err, req },
      redact: ['authorization', '*.authorization', '*.headers.authorization'],
      hooks: { streamWrite: (line) => line.replaceAll(KEY, 'grove_[hidden]') },
    },
    to,
  );
}

/** An error of the catalogue needs no stack: its code, its words and its next step tell all. */
function brief({ code, message, hint }: GroveError): object {
  return { code, message, hint };
}
