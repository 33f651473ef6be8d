import { SETTINGS, type Setting, type SettingName } from './table.ts';

/** What holds where a setting is not given, in words; empty where that is nothing. */
export function defaultWords(name: SettingName): string {
  const { otherwise }: Setting = SETTINGS[name];
  return otherwise ?? defaultValue(name) ?? '';
}

/** The value that would say the same as leaving a setting out; null where none does. */
export function defaultValue(name: SettingName): string | null {
  const value: unknown = SETTINGS[name].schema.parse(undefined);
  if (value === null || (Array.isArray(value) && value.length === 0)) return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  return String(value);
}
