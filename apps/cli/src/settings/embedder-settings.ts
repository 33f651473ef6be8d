import { GroveError } from '@grove/core';
import { readSecretFile } from './secret-file.ts';
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

/** The settings of the embedder as they were read. */
interface ReadEmbedder {
  readonly embedder: EmbedderSettings;
  readonly warnings: readonly string[];
}

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
 * @returns with sentences about a file with the key that others may read
 * @throws GroveError `bad_input`, naming the setting
 */
export function embedderSettings(values: Values, called: Called, from: string): ReadEmbedder {
  const { embedder: kind, embedderUrl: url, embedderModel: model, embedderDimensions: dimensions } = values;
  if (kind === 'off') return { embedder: { kind }, warnings: [] };
  if (kind === 'local') {
    const idle = OF_SERVERS.find((name) => values[name] !== null);
    if (idle !== undefined)
      throw refused(`${called(idle)} says something only where ${called('embedder')} is voyage or openai`);
    return { embedder: { kind }, warnings: [] };
  }
  const is = `${called('embedder')} is ${kind}, which needs`;
  const { key, warnings } = keyOf(values, called, from);
  if (kind === 'voyage') {
    if (key === null) throw refused(`${is} ${called('embedderKey')} or ${called('embedderKeyFile')}`);
    return { embedder: { kind, key, model, dimensions, url }, warnings };
  }
  if (url === null) throw refused(`${is} ${called('embedderUrl')}, such as http://localhost:11434/v1`);
  if (model === null) throw refused(`${is} ${called('embedderModel')}, such as bge-m3`);
  return { embedder: { kind, url, model, key, dimensions }, warnings };
}

/** Whoever searches by meaning asks the server, so every verb needs the key. */
function keyOf(
  values: Values,
  called: Called,
  from: string,
): { readonly key: string | null; readonly warnings: readonly string[] } {
  const { value, file, called: fileCalled } = secretWords(values, 'embedderKey', called);
  if (file === null) return { key: value, warnings: [] };
  const { text, warnings } = readSecretFile(from, file, fileCalled);
  return { key: text.trim(), warnings };
}

const refused = (reason: string) => new GroveError('bad_input', { reason });
