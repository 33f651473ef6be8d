import { GroveError } from '@grove/core';
import type { SettingName, Values } from './table.ts';

/** A secret that is said, or the file that holds it; neither where there is none. */
export interface SecretWords {
  readonly value: string | null;
  readonly file: string | null;
  /** What the setting of the file is known by. */
  readonly called: string;
}

/** What a person knows a setting by: as it was given, else its variable. */
export type Called = (name: SettingName) => string;

/** Settings that come as a secret and a file with it. */
type SecretName = Extract<
  { [Name in SettingName]: `${Name}File` extends SettingName ? Name : never }[SettingName],
  SettingName
>;

/**
 * A secret that is set in one of two ways.
 *
 * @throws GroveError `bad_input` when it is set in both
 */
export function secretWords(values: Values, name: SecretName, called: Called): SecretWords {
  const fileName = `${name}File` as const;
  const [value, file] = [values[name], values[fileName]];
  if (value !== null && file !== null)
    throw new GroveError('bad_input', {
      reason: `${called(name)} and ${called(fileName)} are both set; leave one out`,
    });
  return { value, file, called: called(fileName) };
}

/** True where the secret is set, in either way. */
export function isSet({ value, file }: SecretWords): boolean {
  return value !== null || file !== null;
}
