import type { VaultPath } from '@grove/core';

/**
 * When the notes of an outside edit were saved: the newest moment, in milliseconds, and as `2026-11-30T08:12:00Z path`
 * those that were saved in another second. No moment is later than `now`; a note that is gone has none.
 *
 * @example savedTimes([{ path, modified: 5_000 }], 9_000) // { newest: 5_000, others: [] }
 */
export function savedTimes(
  files: readonly { readonly path: VaultPath; readonly modified: number | null }[],
  now: number,
): { readonly newest: number; readonly others: readonly string[] } {
  const saved = files.flatMap(({ path, modified }) =>
    modified === null ? [] : [{ path, time: wholeSeconds(Math.min(modified, now)) }],
  );
  const newest = saved.reduce((latest, { time }) => Math.max(latest, time), saved.length === 0 ? now : 0);
  const others = saved
    .filter(({ time }) => time !== newest)
    .map(({ path, time }) => `${new Date(time).toISOString().replace('.000Z', 'Z')} ${path}`);
  return { newest, others };
}

/** As git keeps time, which begins in 1970. */
function wholeSeconds(time: number): number {
  return Math.max(0, Math.floor(time / 1000) * 1000);
}
