import { expect, it } from 'vitest';
import { PatternVerdicts } from './pattern-verdicts.ts';

/** A pattern that tells how often it was asked. */
function counted(): { readonly matches: (text: string) => boolean; asked: number } {
  const pattern = {
    asked: 0,
    matches: (text: string) => {
      pattern.asked += 1;
      return text.startsWith('a');
    },
  };
  return pattern;
}

it('asks a pattern once for each short text, also in another call', () => {
  const verdicts = new PatternVerdicts();
  const [first, again, other] = [counted(), counted(), counted()];
  for (const pattern of [first, again]) {
    const matches = verdicts.keeping('one', pattern.matches);
    expect(['a', 'b', 'a', 'b'].map(matches)).toEqual([true, false, true, false]);
  }
  expect(['a', 'b'].map(verdicts.keeping('other', other.matches))).toEqual([true, false]);
  expect([first.asked, again.asked, other.asked]).toEqual([2, 0, 2]);
});

it('keeps nothing of long texts, and the patterns that were used last', () => {
  const verdicts = new PatternVerdicts();
  const pattern = counted();
  const matches = verdicts.keeping('one', pattern.matches);
  for (const text of ['a'.repeat(1_000), 'a'.repeat(1_000), 'a', 'a']) expect(matches(text)).toBe(true);
  expect(pattern.asked).toBe(3);
  for (let at = 0; at < 50; at += 1) verdicts.keeping(`more ${at}`, counted().matches)('a');
  expect(verdicts.keeping('one', pattern.matches)('a')).toBe(true);
  expect(pattern.asked).toBe(4);
});
