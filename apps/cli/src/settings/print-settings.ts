import type { Run } from '../run.ts';
import { plainTable } from '../terminal/plain-table.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { withoutQuery } from './embedder-url.ts';
import { variableOf, wordOf } from './setting-names.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './table.ts';

/** What stands in the place of a secret. */
const MASK = '********';

/** Shows each setting with its value and where that comes from. Secrets are masked. */
export function printSettings(run: Run, asJson: boolean): void {
  const { configFile, given } = run.settings;
  const rows = SETTING_NAMES.map((name) => ({
    name: wordOf(name),
    variable: variableOf(name),
    value: shownValue(run, name),
    source: given.get(name)?.source ?? 'default',
  }));
  if (asJson) {
    printJson(run, { config_file: configFile, settings: rows });
    return;
  }
  const lines = plainTable(
    ['setting', 'value', 'from'],
    rows.map(({ name, value, source }) => [name, asText(value), source]),
  );
  const file = `File: ${configFile ?? 'none'}`;
  run.stdout.write(withoutControls(`${file}\n\n${lines}\n`));
}

type Shown = string | number | boolean | readonly string[] | null;

function shownValue({ settings }: Run, name: SettingName): Shown {
  const { kind }: Setting = SETTINGS[name];
  if (name === 'data') return settings.dataDir;
  if (name === 'logLevel') return settings.logLevel;
  const value = settings.values[name];
  if (value === null) return null;
  if (kind === 'secret') return MASK;
  return name === 'embedderUrl' ? withoutQuery(String(value), MASK) : value;
}

function asText(value: Shown): string {
  if (value === null) return '-';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'object') return value.length === 0 ? '-' : value.join(', ');
  return String(value);
}
