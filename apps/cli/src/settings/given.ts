import { GroveError, nearest } from '@grove/core';
import type { Environment } from '../system-folders.ts';
import { flagOf, variableOf } from './setting-names.ts';
import { SETTING_NAMES, type SettingName } from './table.ts';

/** A setting as somebody gave it. */
export interface Given {
  readonly value: string | readonly string[];
  readonly source: 'flag' | 'environment' | 'file';
  /** What who gave it knows it by, such as `--port` or `GROVE_PORT`. */
  readonly called: string;
}

/** The settings that were given; what is not in here has its default. */
export type AllGiven = ReadonlyMap<SettingName, Given>;

/** Flags as commander has them: true where one came without a value. */
export type Flags = Readonly<Partial<Record<SettingName, unknown>>>;

/** Variables that other parts of Grove read: the place of the file with settings, and what its tests are given. */
const OTHER_VARIABLES = ['GROVE_CONFIG', 'GROVE_TEST_DATA'];

/** What a flag gives wins over the environment, and that over a file. */
export function merged(...layers: readonly AllGiven[]): AllGiven {
  return new Map(layers.toReversed().flatMap((layer) => [...layer]));
}

/**
 * The settings that the environment gives. An empty variable is an absent one.
 *
 * @throws GroveError `bad_input` for a variable that is nearly one of ours: a deny list with a slip in its name must not be
 * ignored
 */
export function givenByEnvironment(environment: Environment): AllGiven {
  refuseSlips(environment);
  return new Map(
    SETTING_NAMES.flatMap((name) => {
      const called = variableOf(name);
      const value = environment[called];
      return value === undefined || value === '' ? [] : [[name, { value, source: 'environment', called }]];
    }),
  );
}

/**
 * The settings that the flags of a command line give.
 *
 * @throws GroveError `bad_input` for a flag with an empty value, such as that of a variable which is not set
 */
export function givenByFlags(flags: Flags): AllGiven {
  return new Map(
    SETTING_NAMES.flatMap((name) => {
      const [said, called] = [flags[name], flagOf(name)];
      if (said === undefined || (Array.isArray(said) && said.length === 0)) return [];
      const value = said === true ? 'on' : (said as string | readonly string[]);
      if (value === '' || (typeof value !== 'string' && value.includes('')))
        throw new GroveError('bad_input', { reason: `${called} says nothing` });
      return [[name, { value, source: 'flag', called }]];
    }),
  );
}

/** Sentences about variables that look like ours and are none: some may come from elsewhere. */
export function foreignVariables(environment: Environment): string[] {
  const known = SETTING_NAMES.map(variableOf).join(', ');
  return unknownVariables(environment).map(
    (name) => `${name} is not a setting of Grove and is ignored. Settings: ${known}.`,
  );
}

function refuseSlips(environment: Environment): void {
  const known = SETTING_NAMES.map((name) => withoutPrefix(variableOf(name)));
  for (const name of unknownVariables(environment)) {
    // Without what all begin with, and no parts: GROVE_SERVICE_PORT may come from elsewhere.
    const [near] = nearest(withoutPrefix(name.toUpperCase()), known, 1, { parts: false });
    if (near !== undefined)
      throw new GroveError('bad_input', { reason: `${name} is not a setting; did you mean GROVE_${near}?` });
  }
}

function unknownVariables(environment: Environment): string[] {
  const known = new Set([...SETTING_NAMES.map(variableOf), ...OTHER_VARIABLES]);
  return Object.keys(environment).filter(
    (name) => name.toUpperCase().startsWith('GROVE_') && !known.has(name),
  );
}

function withoutPrefix(variable: string): string {
  return variable.slice('GROVE_'.length);
}
