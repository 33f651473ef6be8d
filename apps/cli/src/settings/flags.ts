import { type Command, Option } from 'commander';
import type { Run } from '../run.ts';
import { joinLists } from '../verbs/option-values.ts';
import type { Flags } from './given.ts';
import { flagOf, variableOf } from './setting-names.ts';
import { SETTING_NAMES, SETTINGS, type Setting } from './table.ts';

/** What a verb that serves does: `grove stdio` takes what means something without HTTP. */
type Serving = 'start' | 'stdio';

/** Adds the settings as flags, and `--print-config`, with which the verb shows them and ends. */
export function addSettingFlags(command: Command, serving: Serving): Command {
  command.option('--print-config', 'show each setting, with where it comes from, and end');
  for (const name of SETTING_NAMES) {
    const { flag, meaning, value, group, kind }: Setting = SETTINGS[name];
    if (flag !== 'serving' && !(flag === 'start' && serving === 'start')) continue;
    const option = new Option(`${flagOf(name)} ${value}`, `${meaning} (${variableOf(name)})`);
    if (kind === 'list') option.argParser(joinLists);
    command.addOption(option.helpGroup(`${group}:`));
  }
  return command;
}

/** The settings among the options of a verb; other verbs have options of such names that mean something else. */
export function settingFlags(action: Command, verb: string | null): Flags {
  const serves = verb === 'start' || verb === 'stdio';
  const options: Readonly<Record<string, unknown>> = action.optsWithGlobals();
  return Object.fromEntries(
    SETTING_NAMES.filter((name) => serves || SETTINGS[name].flag === 'every').map((name) => [
      name,
      options[name],
    ]),
  );
}

/** What a verb with these flags does: shows the settings where that is asked, else what it is for. */
export function unlessPrinted<Options extends { readonly printConfig?: boolean; readonly json?: boolean }>(
  run: Run,
  serve: (options: Options) => Promise<void>,
): (options: Options) => Promise<void> {
  return async (options) => {
    if (options.printConfig !== true) return await serve(options);
    const { printSettings } = await import('./print-settings.ts');
    printSettings(run, options.json === true);
  };
}
