let segmenter: Intl.Segmenter | null = null;

/**
 * A text by what readers take for one character each. What splits it is made with the first use, for that takes some ten
 * milliseconds.
 *
 * @example [...graphemes('a👩‍🌾')].map(({ segment }) => segment) // ['a', '👩‍🌾']
 */
export function graphemes(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter('und', { granularity: 'grapheme' });
  return segmenter.segment(text);
}
