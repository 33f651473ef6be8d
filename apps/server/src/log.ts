import { destination, type LevelWithSilent, type Logger, pino } from 'pino';

/** The log of a process; never given note text. */
export type Log = Logger;

/**
 * A log that writes JSON lines to stderr: stdout belongs to the protocol.
 *
 * @example createLog('warn').warn({ vault: 'garden' }, 'the folder vanished')
 */
export function createLog(level: LevelWithSilent): Log {
  return pino({ level, base: { pid: process.pid } }, destination({ fd: 2, sync: true }));
}
