import type { SettingName } from './table.ts';

/** The variable of a setting. @example variableOf('readPaths') // 'GROVE_READ_PATHS' */
export function variableOf(name: SettingName): string {
  return `GROVE_${wordOf(name).replaceAll('-', '_').toUpperCase()}`;
}

/** What a file calls a setting. @example wordOf('readPaths') // 'read-paths' */
export function wordOf(name: SettingName): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** The flag of a setting. @example flagOf('readPaths') // '--read-paths' */
export function flagOf(name: SettingName): string {
  return `--${wordOf(name)}`;
}
