/**
 * English words that say how a sentence is built and not what it is about. A model often sends whole
 * questions; these words would cost the longest postings lists and move only noise. They stay in phrases,
 * in names, and where a query holds nothing else.
 */
const STOP_WORDS: ReadonlySet<string> = new Set(
  (
    'a about all am an and any are as at be been being but by can could did do does doing for from had has ' +
    'have having he her here hers him his how i if in into is it its me my no not of on or our ours she ' +
    'should so some such than that the their theirs them then there these they this those to too was we ' +
    'were what when where which while who whom why will with would you your yours'
  ).split(' '),
);

/** True for an English function word in any case, also in a short form such as `what's` or `don't`. */
export function isStopWord(word: string): boolean {
  const lower = word.toLowerCase().replace('’', "'");
  if (STOP_WORDS.has(lower)) return true;
  return (
    STOP_WORDS.has(lower.replace(/'(?:s|re|ve|d|ll|m|t)$/, '')) || STOP_WORDS.has(lower.replace(/n't$/, ''))
  );
}
