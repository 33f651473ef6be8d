import { type GroveError, isGroveError } from '@grove/core';
import { destination, type LevelWithSilent, type Logger, pino, stdSerializers } from 'pino';

/** The log of a process; never given note text. */
export type Log = Logger;

/**
 * A log that writes JSON lines to stderr: stdout belongs to the protocol.
 *
 * @example createLog('warn').warn({ vault: 'garden' }, 'the folder vanished')
 */
export function createLog(level: LevelWithSilent): Log {
  const whole = level === 'debug' || level === 'trace';
  const err = (error: unknown): unknown =>
    isGroveError(error) && !whole ? brief(error) : stdSerializers.err(error as Error);
  return pino(
    { level, base: { pid: process.pid }, serializers: { err } },
    destination({ fd: 2, sync: true }),
  );
}

/** An error of the catalogue needs no stack: its code, its words and its next step tell all. */
function brief({ code, message, hint }: GroveError): object {
  return { code, message, hint };
}
