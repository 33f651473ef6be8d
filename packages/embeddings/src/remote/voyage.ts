import type { Embedder } from '@grove/search';
import { endpointOf } from './endpoint.ts';
import { RemoteEmbedder } from './remote-embedder.ts';

/** How Voyage AI is asked. */
export interface VoyageOptions {
  readonly key: string;
  readonly model?: string;
  readonly dimensions?: number;
  /** Where another address than Voyage AI's own answers for it. */
  readonly baseUrl?: string;
  /** How long one request may take; 30 seconds when left out. */
  readonly limitMs?: number;
}

/**
 * Opens Voyage AI (https://docs.voyageai.com/reference/embeddings-api): `voyage-4-large` with 1024 dimensions when
 * nothing else is said. Texts of notes and of queries are sent there. Opening asks nothing.
 *
 * @throws `bad_input` when the key or the address cannot be one
 * @example const embedder = openVoyage({ key: 'pa-...' });
 */
export function openVoyage(options: VoyageOptions): Embedder {
  const { model = 'voyage-4-large', dimensions = 1024 } = options;
  return new RemoteEmbedder({
    id: `${model}/${dimensions}`,
    model,
    dimensions,
    batch: 128,
    endpoint: endpointOf(options.baseUrl ?? 'https://api.voyageai.com/v1', options.key),
    limitMs: options.limitMs ?? 30_000,
    body: (input, input_type) => ({
      model,
      input,
      input_type,
      output_dimension: dimensions,
      truncation: true,
    }),
  });
}
