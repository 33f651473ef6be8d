import { statSync } from 'node:fs';
import { join } from 'node:path';
import { openControl } from '@grove/access';
import { isGroveError, systemClock } from '@grove/core';
import type { TrailRules } from '@grove/trails';
import type { Log } from '../log.ts';

/** A process that wants to know stands still while another holds the file. */
const PATIENCE_MS = 250;

/**
 * The rules of all trails of one vault as they are now, disabled and expired ones too, since those may come back; null
 * where they cannot be read, as the log says. A control.db of another user is not opened: what is made beside it would
 * be in that user's way.
 */
export function trailsOfVault(dataDir: string, slug: string, log: Log): readonly TrailRules[] | null {
  const file = statSync(join(dataDir, 'control.db'), { throwIfNoEntry: false });
  if (file === undefined) return [];
  const user = process.getuid?.();
  if (user !== undefined && file.uid !== user) {
    log.warn('no links are added to notes: the trails are of another user');
    return null;
  }
  try {
    const control = openControl({ dataDir, clock: systemClock, changePatienceMs: PATIENCE_MS });
    try {
      return control.trails.list({ vault: slug }).map(({ rules }) => rules);
    } finally {
      control.close();
    }
  } catch (error) {
    if (!isGroveError(error)) throw error;
    log.warn({ err: error }, 'no links are added to notes: the trails cannot be read');
    return null;
  }
}
