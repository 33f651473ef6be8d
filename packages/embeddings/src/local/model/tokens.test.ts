import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MODEL_FOLDER } from './model-files.ts';
import { MAX_TOKENS, openTokenizer } from './tokens.ts';

const bytes = readFileSync(join(MODEL_FOLDER, 'tokenizer.json'));
const tokenize = openTokenizer(bytes);
const { vocab } = JSON.parse(bytes.toString()).model as { vocab: Record<string, number> };
const names = new Map(Object.entries(vocab).map(([name, id]) => [id, name]));
const words = (text: string) => tokenize(text).map((id) => names.get(id));

describe('tokens', () => {
  it('are those of the words, in lower case and without accents', () => {
    expect(words('Fenêtre at 21°C, embeddings!')).toEqual([
      '[CLS]',
      'fen',
      '##et',
      '##re',
      'at',
      '21',
      '##°',
      '##c',
      ',',
      'em',
      '##bed',
      '##ding',
      '##s',
      '!',
      '[SEP]',
    ]);
  });

  it.each(['[SEP]', '[CLS]', '[MASK]', '[PAD]', '[UNK]'])('take a literal %s for what it says', (name) => {
    expect(words(`a ${name}b`)).toEqual(['[CLS]', 'a', '[', ...words(name).slice(2, -2), ']', 'b', '[SEP]']);
    expect(tokenize(name).slice(1, -1)).not.toContain(vocab[name]);
  });

  it('pass over NUL and lone surrogates', () => {
    expect(words('a\u0000b \ud800 c\udc00')).toEqual(['[CLS]', 'ab', 'c', '[SEP]']);
  });

  it('are at most as many as the model takes, the closing one among them', () => {
    const ids = tokenize('word '.repeat(5000));
    expect(ids).toHaveLength(MAX_TOKENS);
    expect([ids[0], ids.at(-1)]).toEqual([vocab['[CLS]'], vocab['[SEP]']]);
  });

  it('are sound for any text', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 2000 }),
      fc.string({ unit: fc.nat(0xffff).map((unit) => String.fromCharCode(unit)), maxLength: 2000 }),
      fc.string({ maxLength: 3000 }),
    );
    fc.assert(
      fc.property(text, (value) => {
        const ids = tokenize(value);
        const own = [vocab['[CLS]'], vocab['[SEP]'], vocab['[PAD]'], vocab['[MASK]']];
        return (
          ids.length >= 2 &&
          ids.length <= MAX_TOKENS &&
          ids.every((id) => Number.isInteger(id) && id >= 0 && id < 30_522) &&
          !ids.slice(1, -1).some((id) => own.includes(id))
        );
      }),
    );
  });
});
