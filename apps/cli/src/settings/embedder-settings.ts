import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode, GroveError } from '@grove/core';
import { type Called, secretWords } from './secrets.ts';
import type { SettingName, Values } from './table.ts';

/** What turns notes into vectors, as the settings have it. */
export type EmbedderSettings =
  | { readonly kind: 'off' }
  | { readonly kind: 'local' }
  | {
      readonly kind: 'voyage';
      readonly key: string;
      readonly model: string | null;
      readonly dimensions: number | null;
      /** Where another address than Voyage AI's own answers for it. */
      readonly url: string | null;
    }
  | {
      readonly kind: 'openai';
      readonly url: string;
      readonly model: string;
      readonly key: string | null;
      /** Null: the server is asked. */
      readonly dimensions: number | null;
    };

/** What says something only where a server is asked. */
const OF_SERVERS = [
  'embedderUrl',
  'embedderModel',
  'embedderKey',
  'embedderKeyFile',
  'embedderDimensions',
] as const satisfies readonly SettingName[];

/**
 * What the settings of the embedder come to. Where one would be passed over it is refused, unless all is switched off: who
 * names a server believes that it is asked.
 *
 * @param from the folder that the file with the key is looked for from
 * @throws GroveError `bad_input`, naming the setting
 */
export function embedderSettings(values: Values, called: Called, from: string): EmbedderSettings {
  const { embedder: kind, embedderUrl: url, embedderModel: model, embedderDimensions: dimensions } = values;
  if (kind === 'off') return { kind };
  if (kind === 'local') {
    const idle = OF_SERVERS.find((name) => values[name] !== null);
    if (idle !== undefined)
      throw refused(`${called(idle)} says something only where ${called('embedder')} is voyage or openai`);
    return { kind };
  }
  const is = `${called('embedder')} is ${kind}, which needs`;
  const key = keyOf(values, called, from);
  if (kind === 'voyage') {
    if (key === null) throw refused(`${is} ${called('embedderKey')} or ${called('embedderKeyFile')}`);
    return { kind, key, model, dimensions, url };
  }
  if (url === null) throw refused(`${is} ${called('embedderUrl')}, such as http://localhost:11434/v1`);
  if (model === null) throw refused(`${is} ${called('embedderModel')}, such as bge-m3`);
  return { kind, url, model, key, dimensions };
}

/** Whoever searches by meaning asks the server, so every verb needs the key. */
function keyOf(values: Values, called: Called, from: string): string | null {
  const { value, file } = secretWords(values, 'embedderKey', called);
  if (file === null) return value;
  try {
    return readFileSync(resolve(from, file), 'utf8').trim() || null;
  } catch (cause) {
    const code = errorCode(cause);
    if (code === undefined) throw cause;
    throw new GroveError(
      'bad_input',
      { reason: `${called('embedderKeyFile')}: ${file} cannot be read (${code})` },
      { cause },
    );
  }
}

const refused = (reason: string) => new GroveError('bad_input', { reason });
