import type { Embedder } from '@grove/search';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

/** An open embedder, and how to be rid of it and of what stands behind it. */
export interface OpenedEmbedder {
  readonly embedder: Embedder;
  close(): Promise<void>;
}

const NOTES = [
  'Rain barrels keep the water of the roof for the garden.',
  'The train to Basel leaves at seven in the morning.',
  'Add two eggs, flour and milk, and stir until the batter is smooth.',
];
const DIFFICULT: Readonly<Record<string, string>> = {
  nothing: '',
  'white space': ' \n\t ',
  'emoji alone': '🌱🌻👩‍🌾',
  'a literal [SEP]': 'before [SEP] after [CLS] [PAD] [MASK] [UNK]',
  '100 KB': 'The quick brown fox jumps over the lazy dog. '.repeat(2300),
  'one word of 100 KB': 'a'.repeat(100_000),
  'bytes of a program': String.fromCharCode(...Array.from({ length: 2000 }, (_, at) => (at * 7919) % 256)),
  'lone surrogates': `${'\ud800'} and ${'\udc00'}`,
  'other scripts': 'Дождевая бочка. 雨水桶。 برميل المطر',
};

/**
 * What every {@link Embedder} must do. `open` is called once, and once more for the test of `close`.
 *
 * @example describeEmbedder('the local embedder', async () => ({ embedder, close: () => embedder.close() }));
 */
export function describeEmbedder(name: string, open: () => Promise<OpenedEmbedder>): void {
  describe(`${name} as an embedder`, () => {
    let opened: OpenedEmbedder;
    let embedder: Embedder;
    beforeAll(async () => {
      opened = await open();
      embedder = opened.embedder;
    });
    afterAll(() => opened.close());

    const one = async (text: string) => (await embedder.embedPassages([text]))[0]!;

    it('names its model, and its dimensions in the id', () => {
      expect(embedder.id).toContain(`/${embedder.dimensions}`);
      expect(embedder.model).not.toBe('');
      expect(embedder.batch).toBeGreaterThan(0);
    });

    it('gives the same vector for a text in any company, in the order of the texts', async () => {
      const together = await embedder.embedPassages([...NOTES, 'a', 'much longer '.repeat(50), NOTES[0]!]);
      for (const [at, text] of NOTES.entries()) expect(together[at]).toEqual(await one(text));
      expect(together.at(-1)).toEqual(together[0]);
    });

    it('puts what is meant alike nearer than what is not', async () => {
      const query = await embedder.embedQuery('water of the roof for the garden');
      const vectors = await embedder.embedPassages(NOTES);
      const [rain, train, batter] = vectors.map((vector) => dot(query, vector));
      expect(rain).toBeGreaterThan(Math.max(train!, batter!) + 0.1);
    });

    it('embeds nothing for no texts, a full batch, and refuses a larger one', async () => {
      expect(await embedder.embedPassages([])).toEqual([]);
      const texts = Array.from({ length: embedder.batch }, (_, at) => `text ${at}`);
      const vectors = await embedder.embedPassages(texts);
      expect(vectors).toHaveLength(embedder.batch);
      expect(vectors.at(-1)).toEqual(await one(texts.at(-1)!));
      await expect(embedder.embedPassages([...texts, 'one more'])).rejects.toThrow(RangeError);
    });

    it.each(Object.keys(DIFFICULT))('gives a vector of length 1 for %s', async (kind) => {
      for (const vector of [await embedder.embedQuery(DIFFICULT[kind]!), await one(DIFFICULT[kind]!)]) {
        expect(vector).toBeInstanceOf(Float32Array);
        expect(vector).toHaveLength(embedder.dimensions);
        expect(dot(vector, vector)).toBeCloseTo(1, 4);
      }
    });

    it('answers each of many calls at the same time with its own vectors', async () => {
      const texts = Array.from({ length: 20 }, (_, at) => `note number ${at}`);
      const [passages, queries] = await Promise.all([
        Promise.all(texts.map(one)),
        Promise.all(texts.map((text) => embedder.embedQuery(text))),
      ]);
      expect(passages[7]).toEqual(await one(texts[7]!));
      expect(queries[13]).toEqual(await embedder.embedQuery(texts[13]!));
      expect(new Set(passages.map((vector) => vector.join())).size).toBe(texts.length);
    });

    it('gives up at once when it is told to, and goes on with the next call', async () => {
      const reason = new Error('no longer wanted');
      const aborted = AbortSignal.abort(reason);
      await expect(embedder.embedQuery('a', aborted)).rejects.toBe(reason);
      const controller = new AbortController();
      const texts = Array.from({ length: embedder.batch }, (_, at) => `${NOTES[at % 3]} ${at}`);
      const call = embedder.embedPassages(texts, controller.signal);
      controller.abort(reason);
      await expect(call).rejects.toBe(reason);
      expect(await one(NOTES[1]!)).toHaveLength(embedder.dimensions);
    });

    it('refuses with a code once it is closed, what was waiting too', async () => {
      const other = await open();
      const waiting = other.embedder.embedPassages(NOTES).catch((error: unknown) => error);
      await other.embedder.close();
      expect(await waiting).toMatchObject({ code: 'embedder_unavailable' });
      await expect(other.embedder.embedQuery('a')).rejects.toMatchObject({ code: 'embedder_unavailable' });
      await other.embedder.close();
      await other.close();
    });
  });
}

/** Dot product of two vectors; of length 1 it is their cosine. */
export function dot(a: Float32Array, b: Float32Array): number {
  return a.reduce((sum, value, at) => sum + value * b[at]!, 0);
}
