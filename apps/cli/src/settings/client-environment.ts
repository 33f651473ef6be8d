import { resolve } from 'node:path';
import type { ConfigFile } from './config-file.ts';
import { withoutQuery } from './embedder-url.ts';
import type { AllGiven } from './given.ts';
import { variableOf } from './setting-names.ts';
import type { SettingName } from './table.ts';

const LIMITS = ['readPaths', 'writePaths', 'denyPaths', 'readOnly'] as const satisfies readonly SettingName[];
const EMBEDDER = [
  'embedder',
  'embedderUrl',
  'embedderModel',
  'embedderDimensions',
] as const satisfies readonly SettingName[];

/**
 * The variables with which a client that starts Grove itself has the same limits and the same embedder. What a file says
 * comes by the file, so that a later change of it holds there too.
 *
 * The key of the embedder is not copied into the files of clients, nor an address with a query, which may hold one. Where
 * that is needed they embed nothing, for with another model they would replace the vectors.
 */
export function clientEnvironment(
  given: AllGiven,
  file: ConfigFile | null,
  from: string,
): Readonly<Record<string, string>> {
  const keyFile = given.get('embedderKeyFile');
  const config = file === null ? {} : { GROVE_CONFIG: file.path };
  if (isGivenAside(given, 'embedderKey') || mayHoldKey(given))
    return { ...config, ...variables(given, LIMITS), GROVE_EMBEDDER: 'off' };
  const key =
    keyFile === undefined || keyFile.source === 'file'
      ? {}
      : { [variableOf('embedderKeyFile')]: resolve(from, String(keyFile.value)) };
  return { ...config, ...variables(given, [...LIMITS, ...EMBEDDER]), ...key };
}

/** Whether the address, given elsewhere than in the file, has more than a path. */
function mayHoldKey(given: AllGiven): boolean {
  const url = String(given.get('embedderUrl')?.value ?? '');
  return isGivenAside(given, 'embedderUrl') && withoutQuery(url, '') !== url;
}

function variables(given: AllGiven, names: readonly SettingName[]): Record<string, string> {
  return Object.fromEntries(
    names
      .filter((name) => isGivenAside(given, name))
      .map((name) => [variableOf(name), String(given.get(name)?.value)]),
  );
}

/** Whether it comes from elsewhere than the file. */
function isGivenAside(given: AllGiven, name: SettingName): boolean {
  const source = given.get(name)?.source;
  return source !== undefined && source !== 'file';
}
