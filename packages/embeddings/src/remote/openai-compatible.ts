import { createHash } from 'node:crypto';
import type { Embedder } from '@grove/search';
import { endpointOf } from './endpoint.ts';
import { postJson } from './post-json.ts';
import { RemoteEmbedder } from './remote-embedder.ts';
import { readVectors } from './vectors.ts';

/** How an OpenAI-compatible server is asked. */
export interface OpenAiCompatibleOptions {
  /** Such as `https://api.openai.com/v1`, `http://localhost:11434/v1` (Ollama) or `http://localhost:1234/v1` (LM Studio). */
  readonly baseUrl: string;
  readonly model: string;
  /** Numbers of a vector of this model; {@link askDimensions} finds them out. */
  readonly dimensions: number;
  /** Left out for a server that wants none. */
  readonly key?: string;
  /** Put before a query, for models that tell queries from passages by it. */
  readonly queryPrefix?: string;
  /** Put before a passage. Another one makes other vectors. */
  readonly passagePrefix?: string;
  /** Ask for vectors of `dimensions` numbers; `text-embedding-3-*` alone is asked when left out, for others may refuse. */
  readonly shorten?: boolean;
  /** How long one request may take; a minute when left out, for a model on an old processor. */
  readonly limitMs?: number;
}

/**
 * Opens a server that speaks OpenAI's `/v1/embeddings`: Ollama, LM Studio, llama.cpp, vLLM, OpenAI. Texts of notes and
 * of queries are sent there. Opening asks nothing.
 *
 * @throws `bad_input` when the key or the address cannot be one
 * @example const embedder = openOpenAiCompatible({ baseUrl: 'http://localhost:11434/v1', model: 'bge-m3', dimensions: 1024 });
 */
export function openOpenAiCompatible(options: OpenAiCompatibleOptions): Embedder {
  const { model, dimensions, queryPrefix = '', passagePrefix = '' } = options;
  const shorten = options.shorten ?? model.startsWith('text-embedding-3-');
  return new RemoteEmbedder({
    id: `${model}/${dimensions}${formOf(passagePrefix)}`,
    model,
    dimensions,
    batch: 64,
    endpoint: endpointOf(options.baseUrl, options.key),
    limitMs: options.limitMs ?? 60_000,
    body: (texts, side) => ({
      model,
      input: texts.map((text) => (side === 'query' ? queryPrefix : passagePrefix) + text),
      encoding_format: 'float',
      ...(shorten ? { dimensions } : {}),
    }),
  });
}

/**
 * Asks a server how many numbers a vector of its model has, by embedding one word.
 *
 * @throws `bad_input`, `embedder_unavailable` as the embedder does
 * @example await askDimensions({ baseUrl: 'http://localhost:11434/v1', model: 'bge-m3' }) // 1024
 */
export async function askDimensions(
  options: Pick<OpenAiCompatibleOptions, 'baseUrl' | 'model' | 'key' | 'limitMs'>,
  signal: AbortSignal = new AbortController().signal,
): Promise<number> {
  const { model, limitMs = 60_000 } = options;
  const endpoint = endpointOf(options.baseUrl, options.key);
  const body = { model, input: ['dimensions'], encoding_format: 'float' };
  const answer = await postJson(endpoint, { body, model, limitMs, maxBytes: 1 << 20, signal });
  return readVectors(answer, { host: endpoint.host, count: 1, dimensions: null })[0]!.length;
}

/** Vectors of passages with a prefix are not compared with those without. */
function formOf(passagePrefix: string): string {
  if (passagePrefix === '') return '';
  return `/${createHash('sha256').update(passagePrefix).digest('hex').slice(0, 8)}`;
}
