import type { SyncWish } from '@grove/service';
import type { SyncSettings } from '../settings/sync-settings.ts';

/**
 * What the settings of a process say of sync.
 *
 * @param byItself false for a process of one call
 */
export function syncWish(
  { mode, token, pullSeconds, pushSeconds }: SyncSettings,
  { byItself }: { readonly byItself: boolean },
): SyncWish {
  return { mode, token, pullMs: pullSeconds * 1000, pushMs: pushSeconds * 1000, byItself };
}
