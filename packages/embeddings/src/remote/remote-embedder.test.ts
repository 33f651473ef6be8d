import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { inspect } from 'node:util';
import type { GroveError } from '@grove/core';
import type { Embedder } from '@grove/search';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { describeEmbedder, dot } from '../testing/embedder-conformance.ts';
import {
  answerWith,
  type EmbeddingServer,
  type Misbehave,
  startEmbeddingServer,
  vectorOf,
} from '../testing/embedding-server.ts';
import { endpointOf } from './endpoint.ts';
import { askDimensions, openOpenAiCompatible } from './openai-compatible.ts';
import { openVoyage } from './voyage.ts';

const KEY = 'sk-a-secret-of-the-owner';
const NOTE = 'what only the note knows';

/** Numbers without end. */
const flood: Misbehave = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data":[');
  const more = () => {
    while (!response.destroyed && response.write('0.123456789,'.repeat(1000)));
  };
  response.on('drain', more);
  response.on('error', () => {});
  more();
};

/** Half an answer, and then nothing. */
const stall: Misbehave = (response) => {
  response.writeHead(200, { 'content-type': 'application/json' });
  response.write('{"data":[');
};

describeEmbedder('Voyage AI', async () => {
  const server = await startEmbeddingServer({ dimensions: 1024, key: KEY, batch: 128 });
  const embedder = openVoyage({ key: KEY, baseUrl: server.baseUrl });
  return { embedder, close: () => embedder.close().then(server.close) };
});

describeEmbedder('an OpenAI-compatible server', async () => {
  const server = await startEmbeddingServer({ dimensions: 64, batch: 2048 });
  const embedder = openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'bge-m3', dimensions: 64 });
  return { embedder, close: () => embedder.close().then(server.close) };
});

describe('what is sent', () => {
  let server: EmbeddingServer;
  beforeEach(async () => {
    server = await startEmbeddingServer({ dimensions: 32, batch: 128 });
  });
  afterEach(() => server.close());

  it('to Voyage AI: the texts, their side, the model, and the key in a header', async () => {
    const embedder = openVoyage({ key: KEY, baseUrl: server.baseUrl, dimensions: 32 });
    await embedder.embedPassages(['one', 'two']);
    await embedder.embedQuery('three');
    const rest = { model: 'voyage-4-large', output_dimension: 32, truncation: true };
    expect(server.received.map(({ body }) => body)).toEqual([
      { input: ['one', 'two'], input_type: 'document', ...rest },
      { input: ['three'], input_type: 'query', ...rest },
    ]);
    expect(server.received[0]).toMatchObject({
      path: '/v1/embeddings',
      headers: { authorization: `Bearer ${KEY}` },
    });
    expect(openVoyage({ key: KEY })).toMatchObject({
      id: 'voyage-4-large/1024',
      host: 'api.voyageai.com',
      dimensions: 1024,
    });
  });

  it('to an OpenAI-compatible server: no key where there is none, no dimensions where none are asked for', async () => {
    const options = { baseUrl: server.baseUrl, model: 'nomic-embed-text', dimensions: 32 };
    const prefixes = { queryPrefix: 'search_query: ', passagePrefix: 'search_document: ' };
    const embedder = openOpenAiCompatible({ ...options, ...prefixes });
    await embedder.embedPassages(['one']);
    await embedder.embedQuery('two');
    const rest = { model: 'nomic-embed-text', encoding_format: 'float' };
    expect(server.received.map(({ body }) => body)).toEqual([
      { input: ['search_document: one'], ...rest },
      { input: ['search_query: two'], ...rest },
    ]);
    expect(server.received[0]?.headers).not.toHaveProperty('authorization');
    expect(embedder.id).toMatch(/^nomic-embed-text\/32\/[0-9a-f]{8}$/);
    await openOpenAiCompatible({ ...options, model: 'text-embedding-3-small' }).embedQuery('three');
    expect(server.received.at(-1)?.body).toHaveProperty('dimensions', 32);
  });

  it('is cut, cleaned and spread over requests, so that no service refuses it for its size', async () => {
    const embedder = openVoyage({ key: KEY, baseUrl: server.baseUrl, dimensions: 32 });
    const texts = [
      ...Array.from({ length: 30 }, (_, at) => `${at} ${'x '.repeat(10_000)}`),
      'a\u0000b\ud800',
      '',
    ];
    expect(await embedder.embedPassages(texts)).toHaveLength(32);
    const sizes = server.received.map(({ body }) => body.input.reduce((sum, text) => sum + text.length, 0));
    expect(sizes.length).toBeGreaterThan(1);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(100_000);
    const sent = server.received.flatMap(({ body }) => body.input);
    expect(sent.slice(-2)).toEqual(['a b\ufffd', '-']);
    expect(sent[29]).toMatch(/^29 x/);
  });

  it.each([
    ['http://localhost:11434', 'http://localhost:11434/v1/embeddings'],
    ['http://localhost:1234/v1/', 'http://localhost:1234/v1/embeddings'],
    ['https://a.example/openai/v1?api-version=1', 'https://a.example/openai/v1/embeddings?api-version=1'],
    ['https://a.example/v2/embeddings', 'https://a.example/v2/embeddings'],
  ])('goes, for the base URL %s, to %s', (baseUrl, url) => {
    expect(endpointOf(baseUrl, undefined).url.href).toBe(url);
  });

  it.each(['', 'localhost:11434', 'ftp://a.example', 'file:///etc/passwd', 'https://ann:secret@a.example'])(
    'goes nowhere for the base URL "%s"',
    (baseUrl) => {
      const open = () => openOpenAiCompatible({ baseUrl, model: 'm', dimensions: 3 });
      expect(open).toThrow(expect.objectContaining({ code: 'bad_input' }));
      expect(open).not.toThrow(/secret/);
    },
  );

  it('holds no key that a header cannot hold, and the error does not quote it', () => {
    for (const key of ['', 'two words', 'line\nbreak', 'schlüssel']) {
      expect(() => openVoyage({ key })).toThrow(expect.objectContaining({ code: 'bad_input' }));
      if (key !== '') expect(() => openVoyage({ key })).not.toThrow(key);
    }
  });

  it('is one word, when the dimensions of a model are asked for', async () => {
    expect(await askDimensions({ baseUrl: server.baseUrl, model: 'm' })).toBe(32);
    expect(server.received[0]?.body.input).toEqual(['dimensions']);
  });
});

describe('a service that fails', () => {
  let server: EmbeddingServer;
  let embedder: Embedder;
  beforeEach(async () => {
    server = await startEmbeddingServer({ dimensions: 8, key: KEY, batch: 128 });
    embedder = openVoyage({ key: KEY, baseUrl: server.baseUrl, dimensions: 8, limitMs: 1500 });
  });
  afterEach(() => server.close());

  const row = (numbers: unknown, index = 0) => ({ index, embedding: numbers });
  const good = vectorOf('a', 8);
  const httpDate = (ms: number) => new Date(Date.now() + ms).toUTCString();

  it.each<[string, Misbehave, RegExp, boolean]>([
    ['429', answerWith(429, {}), /takes no more texts for now \(HTTP 429\)/, false],
    [
      'an empty account',
      answerWith(429, { error: { code: 'insufficient_quota' } }),
      /nothing left \(HTTP 429, insufficient_quota\)/,
      true,
    ],
    ['402', answerWith(402, {}), /nothing left/, true],
    [
      'a wrong key',
      answerWith(401, { error: { message: `Bearer ${KEY} is wrong` } }),
      /refuses the key \(HTTP 401\)/,
      true,
    ],
    [
      'an unknown model',
      answerWith(404, { error: { type: 'not_found' } }),
      /has no model "voyage-4-large" at this address/,
      true,
    ],
    ['a refusal', answerWith(400, { detail: `${KEY} ${NOTE}` }), /refuses the request \(HTTP 400\)/, true],
    ['500 with a page', answerWith(500, `<html>${NOTE}`), /does not work for now \(HTTP 500\)/, false],
    ['503', answerWith(503, {}), /does not work for now/, false],
    [
      'JSON that is cut off',
      answerWith(200, '{"data":[{"index":0,"embedding":[0.1,'),
      /cut off or no JSON/,
      false,
    ],
    ['a page', answerWith(200, '<html>'), /cut off or no JSON/, false],
    ['no data', answerWith(200, { ok: true }), /holds no vectors/, false],
    ['null', answerWith(200, 'null'), /holds no vectors/, false],
    ['too few vectors', answerWith(200, { data: [] }), /gave 0 vectors for 1 texts/, false],
    [
      'too many vectors',
      answerWith(200, { data: [row(good), row(good, 1)] }),
      /gave 2 vectors for 1 texts/,
      false,
    ],
    ['other dimensions', answerWith(200, { data: [row([1, 2, 3])] }), /vectors of 3 numbers, not 8/, true],
    [
      'NaN',
      answerWith(200, '{"data":[{"index":0,"embedding":[NaN,1,1,1,1,1,1,1]}]}'),
      /cut off or no JSON/,
      false,
    ],
    [
      'null for NaN',
      answerWith(200, { data: [row([null, 1, 1, 1, 1, 1, 1, 1])] }),
      /a vector that is none/,
      false,
    ],
    [
      'infinite numbers',
      answerWith(200, '{"data":[{"index":0,"embedding":[1e999,1,1,1,1,1,1,1]}]}'),
      /a vector that is none/,
      false,
    ],
    ['zeros', answerWith(200, { data: [row([0, 0, 0, 0, 0, 0, 0, 0])] }), /a vector that is none/, false],
    ['base64', answerWith(200, { data: [row('AAAA')] }), /a vector that is none/, false],
    ['a row that is null', answerWith(200, { data: [null] }), /a vector that is none/, false],
    ['an answer without end', flood, /larger than vectors can be/, false],
    ['an ended connection', (response) => response.destroy(), /connection was ended by 127/, false],
    ['an answer that stops', stall, /did not answer within 1.5 seconds/, false],
    ['no answer', () => {}, /did not answer within 1.5 seconds/, false],
  ])('with %s is unavailable, in a sentence without key and text', async (_, way, reason, permanent) => {
    server.next(way, way);
    for (const call of [() => embedder.embedPassages([NOTE]), () => embedder.embedQuery(NOTE)]) {
      const error = await call().then(
        () => null,
        (thrown: unknown) => thrown as GroveError,
      );
      expect(error).toMatchObject({
        code: 'embedder_unavailable',
        message: expect.stringMatching(reason),
        hint: expect.stringMatching(/\.$/),
        data: { permanent },
      });
      const shown = inspect(error, { depth: 10, showHidden: true });
      for (const secret of [KEY, NOTE]) expect(shown).not.toContain(secret);
    }
    expect(await embedder.embedQuery(NOTE)).toHaveLength(8);
  });

  it.each([
    ['seconds', () => '2', 2000, 2000],
    ['a date', () => httpDate(60_000), 50_000, 60_000],
    ['a date that is past', () => httpDate(-60_000), 0, 0],
    ['far too many seconds', () => '999999999', 3_600_000, 3_600_000],
    ['nonsense', () => 'soon', null, null],
  ])('and says Retry-After with %s is left alone for that long', async (_, value, least, most) => {
    for (const status of [429, 503]) {
      server.next(answerWith(status, {}, { 'retry-after': value() }));
      const error = await embedder.embedQuery('a').catch((thrown: unknown) => thrown as GroveError);
      const { retryAfterMs } = (error as GroveError).data;
      if (least === null) expect(retryAfterMs).toBeNull();
      else {
        expect(retryAfterMs).toBeGreaterThanOrEqual(least);
        expect(retryAfterMs).toBeLessThanOrEqual(most!);
      }
    }
  });

  it('by sending elsewhere gets no text there', async () => {
    const other = await startEmbeddingServer({ dimensions: 8, batch: 128 });
    for (const status of [301, 302, 303, 307, 308]) {
      server.next(answerWith(status, '', { location: `${other.baseUrl}/embeddings` }));
      await expect(embedder.embedPassages([NOTE])).rejects.toMatchObject({
        code: 'embedder_unavailable',
        message: expect.stringMatching(new RegExp(`a redirect, which is not followed \\(HTTP ${status}\\)`)),
        data: { permanent: true },
      });
    }
    expect(other.received).toEqual([]);
    await other.close();
  });

  it('because nothing listens there, or no such host is known, is unavailable', async () => {
    const free = createServer().listen(0, '127.0.0.1');
    await once(free, 'listening');
    const { port } = free.address() as AddressInfo;
    free.close();
    await once(free, 'close');
    const at = (baseUrl: string) => openOpenAiCompatible({ baseUrl, model: 'm', dimensions: 8 });
    await expect(at(`http://127.0.0.1:${port}`).embedQuery(NOTE)).rejects.toMatchObject({
      message: expect.stringContaining(`nothing listens at 127.0.0.1:${port} (ECONNREFUSED)`),
      hint: expect.stringContaining('that the embedder runs'),
      data: { permanent: false },
    });
    await expect(at('http://nowhere.invalid').embedQuery(NOTE)).rejects.toMatchObject({
      code: 'embedder_unavailable',
      message: expect.stringContaining('nowhere.invalid'),
    });
  });

  it('while a call waits is let go of as soon as the call is not wanted', async () => {
    const controller = new AbortController();
    const reason = new Error('no longer wanted');
    server.next(() => controller.abort(reason));
    await expect(embedder.embedQuery('a', controller.signal)).rejects.toBe(reason);
  });

  it('over a text that is too long for it gets shorter ones, and every other text as it is', async () => {
    const short = await startEmbeddingServer({ dimensions: 8, batch: 4, longest: 1200 });
    const small = openOpenAiCompatible({ baseUrl: short.baseUrl, model: 'm', dimensions: 8 });
    const texts = ['one', 'two', 'long '.repeat(1000), 'four', 'five', 'six'];
    const vectors = await small.embedPassages(texts);
    for (const at of [0, 1, 3, 4, 5]) expect(vectors[at]).toEqual(await small.embedQuery(texts[at]!));
    expect(dot(vectors[2]!, await small.embedQuery('long long'))).toBeGreaterThan(0.9);
    expect(short.received.length).toBeLessThan(20);
    await short.close();
  });

  it('over every text is asked some few times and no more', async () => {
    const none = await startEmbeddingServer({ dimensions: 8, batch: 0 });
    const small = openOpenAiCompatible({ baseUrl: none.baseUrl, model: 'm', dimensions: 8 });
    const texts = Array.from({ length: small.batch }, () => 'long '.repeat(1000));
    await expect(small.embedPassages(texts)).rejects.toMatchObject({
      data: { permanent: true, status: 400 },
    });
    expect(none.received.length).toBeLessThan(20);
    await none.close();
  });

  it('may give its vectors in any order, by index or without', async () => {
    server.next(answerWith(200, { data: [row(vectorOf('b', 8), 1), row(vectorOf('a', 8), 0)] }));
    const [a, b] = await embedder.embedPassages(['a', 'b']);
    expect(dot(a!, await embedder.embedQuery('a'))).toBeCloseTo(1, 5);
    expect(dot(b!, await embedder.embedQuery('b'))).toBeCloseTo(1, 5);
    server.next(
      answerWith(200, { data: [{ embedding: vectorOf('a', 8) }, { embedding: vectorOf('b', 8) }] }),
    );
    expect(await embedder.embedPassages(['a', 'b'])).toEqual([a, b]);
  });
});
