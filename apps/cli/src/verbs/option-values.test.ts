import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from '../program.ts';
import type { Run } from '../run.ts';
import { flagOf } from '../settings/setting-names.ts';
import { SETTING_NAMES, SETTINGS, type Setting } from '../settings/table.ts';
import { VERB_NAMES, type VerbName } from '../verb-names.ts';
import { joinLists } from './option-values.ts';

/** What stands in a usage line for a list with commas: a word for several things, and no number of them. */
const LIST = /<(?:list|(?!address|days|seconds)\w+s)>$/;

async function listOptions(verb: VerbName) {
  const program = await buildProgram({ version: '0.0.0', path: '', environment: {} } as Run, [verb]);
  const command = program.commands.find((one) => one.name() === verb);
  return [command as Command, ...(command?.commands ?? [])].flatMap(({ options }) =>
    options.filter(({ flags }) => LIST.test(flags)),
  );
}

describe('options that take a list with commas', () => {
  it.each(VERB_NAMES)('keep what was said before when %s is given one twice', async (verb) => {
    for (const { flags, parseArg } of await listOptions(verb)) {
      const first = parseArg?.('Private, Work', undefined as never);
      expect([flags, parseArg?.('Health', first as never)]).toEqual([flags, 'Private, Work,Health']);
    }
  });

  it('are all lists of the settings, and those of keys and trails', async () => {
    const start = (await listOptions('start')).map(({ long }) => long);
    const settings = SETTING_NAMES.filter((name) => {
      const { kind, flag }: Setting = SETTINGS[name];
      return kind === 'list' && (flag === 'start' || flag === 'serving');
    });
    expect(start).toEqual(settings.map(flagOf));
    expect((await listOptions('stdio')).map(({ long }) => long)).toContain('--deny-paths');
    expect((await listOptions('connect')).map(({ long }) => long)).toEqual(['--scopes']);
    expect(await listOptions('keys')).toHaveLength(4);
    expect(await listOptions('trails')).toHaveLength(7 + 7 + 1);
  });

  it('are refused where one of several lists names nothing', () => {
    expect(joinLists(' ', joinLists('Private'))).toBe(' ');
    expect(joinLists('Health', joinLists(''))).toBe('');
  });
});
