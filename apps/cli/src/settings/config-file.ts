import { dirname, join, resolve } from 'node:path';
import { GroveError, nearest } from '@grove/core';
import { readSmallFile } from '../small-file.ts';
import { configFolderOf, type Environment, homeOf } from '../system-folders.ts';
import type { AllGiven, Given } from './given.ts';
import { warningsIfOpen } from './secret-file.ts';
import { wordOf } from './setting-names.ts';
import { SETTING_NAMES, SETTINGS, type Setting, type SettingName } from './table.ts';

/** A file with settings that was read. */
export interface ConfigFile {
  readonly path: string;
  readonly given: AllGiven;
  /** Sentences for whoever starts Grove. */
  readonly warnings: readonly string[];
}

/** More than any file with settings has; what is larger is something else. */
const MOST_BYTES = 64 * 1024;
/** Nobody needs aliases here; some let a small file grow without end. */
const MOST_ALIASES = 20;

/**
 * Reads the file with settings: the one that is named, which must be there, else the one in the system's place for it.
 *
 * @param named by `--config` or `GROVE_CONFIG`
 * @returns null where none is named and none is there
 * @throws GroveError `bad_input` with one sentence for what cannot be read or understood
 */
export async function readConfigFile(
  named: string | null,
  environment: Environment,
  { from, platform }: { readonly from: string; readonly platform: NodeJS.Platform },
): Promise<ConfigFile | null> {
  const path = named === null ? defaultConfigFile(environment, platform) : resolve(from, named);
  const read = readSmallFile(path, MOST_BYTES);
  if (read.text === null) {
    if (named === null && read.missing) return null;
    throw refused(path, read.reason);
  }
  const given = givenByFile(path, await parseMapping(path, read.text), homeOf(environment));
  const secrets = [...given.keys()].filter((name) => infoOf(name).kind === 'secret');
  const warnings = secrets.length > 0 ? warningsIfOpen(path, read) : [];
  return { path, given, warnings };
}

/** Where a file with settings is looked for: XDG, Application Support or AppData, each with `grove`. */
export function defaultConfigFile(environment: Environment, platform: NodeJS.Platform): string {
  return join(configFolderOf(environment, platform), 'grove', 'config.yaml');
}

async function parseMapping(path: string, text: string): Promise<Readonly<Record<string, unknown>>> {
  // Most runs have no file.
  const { LineCounter, parseDocument } = await import('yaml');
  const lines = new LineCounter();
  let value: unknown;
  try {
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false });
    const broken = document.errors[0];
    if (broken !== undefined)
      throw refused(path, `is no YAML: line ${lines.linePos(broken.pos[0]).line}: ${broken.message}`);
    value = document.toJS({ maxAliasCount: MOST_ALIASES });
  } catch (error) {
    // What yaml throws for aliases without end, and for nesting without end.
    if (error instanceof ReferenceError || error instanceof RangeError)
      throw refused(path, 'is nested or repeated beyond measure', error);
    throw error;
  }
  if (value === null || value === undefined) return {};
  if (typeof value !== 'object' || Array.isArray(value))
    throw refused(path, 'is no list of settings such as "port: 8420", one a line');
  return value as Readonly<Record<string, unknown>>;
}

function givenByFile(path: string, mapping: Readonly<Record<string, unknown>>, homeDir: string): AllGiven {
  const known = new Map(SETTING_NAMES.map((name) => [wordOf(name), name]));
  return new Map(
    Object.entries(mapping).flatMap(([word, found]): [SettingName, Given][] => {
      const name = known.get(word);
      if (name === undefined) throw unknown(path, word, [...known.keys()]);
      const called = `${word} in ${path}`;
      const said = asText(found, called, infoOf(name));
      if (said === null) return [];
      const value = placed(name, said, dirname(path), homeDir);
      return [[name, { value, source: 'file', called }]];
    }),
  );
}

/** The value as an environment would have it, or a list of such; null for none. */
function asText(value: unknown, called: string, { kind }: Setting): string | readonly string[] | null {
  if (value === null || value === '') return null;
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (kind !== 'list' || !Array.isArray(value))
    throw new GroveError('bad_input', { reason: `${called} is no single value` });
  if (!value.every((entry) => typeof entry === 'string' || typeof entry === 'number'))
    throw new GroveError('bad_input', { reason: `${called} has an entry that is no text` });
  return value.length === 0 ? null : value.map(String);
}

/** A path starts from the folder of the file that names it. A vault may also be called by its short name. */
function placed(
  name: SettingName,
  said: string | readonly string[],
  folder: string,
  homeDir: string,
): string | readonly string[] {
  if (name !== 'vault' && infoOf(name).kind !== 'path') return said;
  if (typeof said !== 'string') return said.map((one) => placed(name, one, folder, homeDir) as string);
  if (/^~(?:$|[/\\])/.test(said)) return join(homeDir, said.slice(1));
  return name === 'vault' && !/[/\\.]/.test(said) ? said : resolve(folder, said);
}

function infoOf(name: SettingName): Setting {
  return SETTINGS[name];
}

function unknown(path: string, word: string, known: readonly string[]): GroveError {
  const [near] = nearest(word.replace(/^GROVE_/i, '').replaceAll('_', '-'), known, 1);
  const meant = near === undefined ? `Settings: ${known.join(', ')}` : `did you mean ${near}?`;
  return refused(path, `has "${word.slice(0, 40)}", which is not a setting; ${meant}`);
}

function refused(path: string, what: string, cause?: unknown): GroveError {
  return new GroveError('bad_input', { reason: `${path} ${what}` }, { cause });
}
