import { createLog, type Log } from '@grove/server';
import type { Run } from '../run.ts';

/** The log of a process that serves. */
export function servingLog({ settings, stderr }: Pick<Run, 'settings' | 'stderr'>): Log {
  return createLog(settings.logLevel, stderr, settings.logFormat ?? undefined);
}

/** The log of a verb that does one thing and ends: what it has to say is in its answer. */
export function verbLog({ settings, stderr }: Pick<Run, 'settings' | 'stderr'>): Log {
  return createLog(settings.verbLogLevel, stderr, settings.logFormat ?? undefined);
}
