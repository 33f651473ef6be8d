import { GroveError } from '@grove/core';

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

/** The variables as they were given; null or empty is absent. */
export interface EmbedderWords {
  readonly kind: 'off' | 'local' | 'voyage' | 'openai';
  readonly url: string | null;
  readonly model: string | null;
  readonly key: string | null;
  readonly dimensions: number | null;
}

/**
 * What the variables of the embedder come to. Where one would be passed over it is refused, unless all is switched off: who
 * names a server believes that it is asked.
 *
 * @throws `bad_input`, naming the variable
 * @example parseEmbedder({ kind: 'local', url: null, model: null, key: null, dimensions: null }) // { kind: 'local' }
 */
export function parseEmbedder(words: EmbedderWords): EmbedderSettings {
  const { kind, url, model, key, dimensions } = words;
  if (kind === 'off') return { kind };
  if (kind === 'local') {
    const given = Object.entries({ URL: url, MODEL: model, KEY: key, DIMENSIONS: dimensions });
    const [named] = given.find(([, value]) => value !== null) ?? [];
    if (named !== undefined)
      throw refused(`GROVE_EMBEDDER_${named} says something only beside GROVE_EMBEDDER=voyage or openai`);
    return { kind };
  }
  if (kind === 'voyage') {
    if (key === null) throw refused('GROVE_EMBEDDER=voyage needs GROVE_EMBEDDER_KEY');
    return { kind, key, model, dimensions, url };
  }
  if (url === null)
    throw refused('GROVE_EMBEDDER=openai needs GROVE_EMBEDDER_URL, such as http://localhost:11434/v1');
  if (model === null) throw refused('GROVE_EMBEDDER=openai needs GROVE_EMBEDDER_MODEL, such as bge-m3');
  return { kind, url, model, key, dimensions };
}

const refused = (reason: string) => new GroveError('bad_input', { reason });
