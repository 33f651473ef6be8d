import type { Control } from '@grove/access';
import { systemClock } from '@grove/core';
import { NO_CALL_LIMITS } from '../http/call-limit-settings.ts';
import { type AppOptions, DEFAULT_LIMITS } from '../http/options.ts';
import { createLog } from '../log.ts';
import type { Garden } from './open-garden.ts';

/** How an open garden is served unless a test says otherwise: for this machine alone, silently, and calls as often as they like. */
export function gardenOptions({ opened }: Pick<Garden, 'opened'>, control: Control): AppOptions {
  return {
    control,
    vaults: [opened],
    version: '0.0.0-test',
    log: createLog('silent'),
    clock: systemClock,
    publicUrl: null,
    names: { host: '127.0.0.1', allowedHosts: [], allowedOrigins: [] },
    limits: DEFAULT_LIMITS,
    callLimits: NO_CALL_LIMITS,
  };
}
