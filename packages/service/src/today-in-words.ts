import { DateTime } from 'luxon';
import type { Scope } from './contract.ts';

/**
 * The day that it is where the vault lies.
 *
 * @example 'Monday, 2026-11-30 (Europe/Vienna)'
 */
export function todayInWords({ clock, vault }: Pick<Scope, 'clock' | 'vault'>): string {
  const today = DateTime.fromMillis(clock.now(), { zone: vault.zone });
  return `${today.toFormat('cccc', { locale: 'en' })}, ${today.toISODate() ?? ''} (${vault.zone})`;
}
