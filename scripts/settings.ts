import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { defaultValue, defaultWords } from '../apps/cli/src/settings/default-words.ts';
import { flagOf, variableOf } from '../apps/cli/src/settings/setting-names.ts';
import {
  GROUPS,
  SETTING_NAMES,
  SETTINGS,
  type Setting,
  type SettingName,
} from '../apps/cli/src/settings/table.ts';

/** Where the settings stand as an example of an environment, and where they are told. */
export const envExample = fileURLToPath(new URL('../.env.example', import.meta.url));
export const settingsPage = fileURLToPath(new URL('../docs/settings.md', import.meta.url));

/** The text of `.env.example`, made from the table of settings. */
export function renderEnvExample(): string {
  const lines = [
    '# The settings of Grove as environment variables: for a shell, a systemd unit or Docker Compose. Each is told in',
    '# docs/settings.md. Take the # away in front of what you set. Secrets can be in files of their own instead.',
    '# Made from apps/cli/src/settings/table.ts by `node scripts/settings.ts`.',
  ];
  for (const group of GROUPS) {
    lines.push('', `## ${group}`);
    for (const name of namesOf(group)) {
      const { meaning, otherwise }: Setting = SETTINGS[name];
      const without = otherwise === undefined ? '' : `; without it: ${otherwise.replaceAll('`', '')}`;
      lines.push('', `# ${meaning}${without}`, `#${variableOf(name)}=${defaultValue(name) ?? ''}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

/** The text of `docs/settings.md` with its tables made anew: what is between the marks of a group is the table's. */
export function renderSettingsPage(before: string): string {
  return GROUPS.reduce((page, group) => {
    const [start, end] = [`<!-- settings: ${group} -->\n`, '<!-- end of settings -->'];
    const from = page.indexOf(start);
    if (from === -1) throw new Error(`docs/settings.md has no line "${start.trim()}"`);
    const to = page.indexOf(end, from);
    return `${page.slice(0, from + start.length)}\n${tableOf(group)}\n\n${page.slice(to)}`;
  }, before);
}

function tableOf(group: Setting['group']): string {
  const rows = namesOf(group).map((name) => {
    const { meaning }: Setting = SETTINGS[name];
    return `| \`${variableOf(name)}\` | ${flagCell(name)} | ${cell(meaning)} | ${cell(defaultWords(name))} |`;
  });
  return ['| variable | flag | meaning | default |', '| --- | --- | --- | --- |', ...rows].join('\n');
}

function flagCell(name: SettingName): string {
  const { flag }: Setting = SETTINGS[name];
  const verbs = { every: ' of every verb', serving: ' of `start`, `stdio`', start: ' of `start`' };
  return flag === 'none' ? '' : `\`${flagOf(name)}\`${verbs[flag]}`;
}

function namesOf(group: Setting['group']): SettingName[] {
  return SETTING_NAMES.filter((name) => SETTINGS[name].group === group);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|');
}

if (import.meta.main) {
  writeFileSync(envExample, renderEnvExample());
  writeFileSync(settingsPage, renderSettingsPage(readFileSync(settingsPage, 'utf8')));
  console.log('.env.example and docs/settings.md written');
}
