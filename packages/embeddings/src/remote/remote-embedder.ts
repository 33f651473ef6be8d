import type { Embedder } from '@grove/search';
import { unavailable } from '../unavailable.ts';
import type { Endpoint } from './endpoint.ts';
import { postJson } from './post-json.ts';
import { isOfTheTexts } from './refusals.ts';
import { readVectors } from './vectors.ts';

/** Which side of a search a text is on. */
export type Side = 'query' | 'document';

/** What tells one service from another. */
export interface Service {
  readonly id: string;
  readonly model: string;
  readonly dimensions: number;
  /** Most texts of one request. */
  readonly batch: number;
  readonly endpoint: Endpoint;
  /** How long one request may take. */
  readonly limitMs: number;
  body(texts: readonly string[], side: Side): object;
}

/** Of one text; some two thousand tokens, many times what a part of a note has. */
const TEXT_UNITS = 8_000;
/** Of the texts of one request: services refuse what has more tokens than they take at once. */
const REQUEST_UNITS = 100_000;
/** A text is not shortened further than this for a service that refuses it. */
const LEAST_UNITS = 500;
/** Longest form of a number in JSON, with what stands around it; indented answers included. */
const NUMBER_BYTES = 64;

/** An {@link Embedder} over HTTP. It sends texts to its endpoint alone, and leaves it to the caller when to try again. */
export class RemoteEmbedder implements Embedder {
  readonly id: string;
  readonly model: string;
  readonly host: string;
  readonly dimensions: number;
  readonly batch: number;
  readonly #service: Service;
  readonly #closing = new AbortController();

  constructor(service: Service) {
    this.id = service.id;
    this.model = service.model;
    this.host = service.endpoint.host;
    this.dimensions = service.dimensions;
    this.batch = service.batch;
    this.#service = service;
  }

  async embedPassages(texts: readonly string[], signal?: AbortSignal): Promise<readonly Float32Array[]> {
    if (texts.length > this.batch) throw new RangeError(`At most ${this.batch} texts a call`);
    const vectors: Float32Array[] = [];
    for (const part of parts(texts.map(sendable)))
      vectors.push(...(await this.#embed(part, 'document', signal)));
    return vectors;
  }

  async embedQuery(text: string, signal?: AbortSignal): Promise<Float32Array> {
    const [vector] = await this.#embed([sendable(text)], 'query', signal);
    return vector!;
  }

  async close(): Promise<void> {
    this.#closing.abort(unavailable({ reason: 'the embedder was closed' }));
  }

  /**
   * What a service refuses is asked for in halves, then the text in question shorter and shorter: a model with a small
   * context must not keep a vault from being embedded for one long line. A wrong setting ends it after some requests.
   */
  async #embed(
    texts: readonly string[],
    side: Side,
    signal: AbortSignal | undefined,
  ): Promise<readonly Float32Array[]> {
    try {
      return await this.#ask(texts, side, signal);
    } catch (error) {
      if (!isOfTheTexts(error)) throw error;
      const [first = '', ...others] = texts;
      if (others.length > 0) {
        const half = texts.length >> 1;
        const before = await this.#embed(texts.slice(0, half), side, signal);
        return [...before, ...(await this.#embed(texts.slice(half), side, signal))];
      }
      if (first.length <= LEAST_UNITS) throw error;
      return await this.#embed([sendable(first.slice(0, first.length >> 1))], side, signal);
    }
  }

  async #ask(texts: readonly string[], side: Side, signal: AbortSignal | undefined): Promise<Float32Array[]> {
    const { endpoint, model, dimensions, limitMs } = this.#service;
    const stop =
      signal === undefined ? this.#closing.signal : AbortSignal.any([signal, this.#closing.signal]);
    stop.throwIfAborted();
    const answer = await postJson(endpoint, {
      body: this.#service.body(texts, side),
      model,
      limitMs,
      maxBytes: texts.length * dimensions * NUMBER_BYTES + (1 << 16),
      signal: stop,
    });
    return readVectors(answer, { host: endpoint.host, count: texts.length, dimensions });
  }
}

/** The text as a service takes it: not empty, without control characters and lone surrogates, not too long. */
function sendable(text: string): string {
  const clean = text
    .slice(0, TEXT_UNITS)
    .toWellFormed()
    .replaceAll(/[\x00-\x08\x0b\x0c\x0e-\x1f\x7f]/g, ' ');
  return clean.trim() === '' ? '-' : clean;
}

/** The texts in parts, none of which is too much for one request. */
function* parts(texts: readonly string[]): Generator<readonly string[]> {
  let part: string[] = [];
  let units = 0;
  for (const text of texts) {
    if (part.length > 0 && units + text.length > REQUEST_UNITS) {
      yield part;
      [part, units] = [[], 0];
    }
    part.push(text);
    units += text.length;
  }
  if (part.length > 0) yield part;
}
