import { Tokenizer } from '@huggingface/tokenizers';

/** Most tokens that the model takes, its two own ones among them. */
export const MAX_TOKENS = 512;
/** No more of a text is looked at: enough for {@link MAX_TOKENS} in any language, and bounded work. */
const MAX_UNITS = 8_000;

/** Turns a text into the token numbers of the model, at most {@link MAX_TOKENS}. */
export type Tokenize = (text: string) => number[];

/**
 * Makes the tokenizer from the bytes of `tokenizer.json`. What a text says is text: a literal `[SEP]` in a note is
 * three signs and letters, never the token of that name; NUL and lone surrogates are passed over.
 *
 * @example openTokenizer(bytes)('a [SEP] b') // [101, 1037, 1031, 19802, 1033, 1038, 102]
 */
export function openTokenizer(bytes: Uint8Array): Tokenize {
  const data = JSON.parse(new TextDecoder().decode(bytes)) as object;
  // Only the tokens listed here are looked for in texts; those around a text come from the post-processor.
  const tokenizer = new Tokenizer({ ...data, added_tokens: [] }, {});
  return (text) => {
    const { ids } = tokenizer.encode(text.slice(0, MAX_UNITS).toWellFormed());
    return ids.length <= MAX_TOKENS ? ids : [...ids.slice(0, MAX_TOKENS - 1), ids.at(-1)!];
  };
}
