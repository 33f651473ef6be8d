import { describe, expect, it } from 'vitest';
import { countWords } from './words.ts';

describe('countWords', () => {
  it.each([
    ['', 0],
    ['one', 1],
    ['one two\tthree\nfour', 4],
    ["don't real-time 1.0.21 C++", 4],
    ['-- ## *** |', 0],
    ['Hello, 世界', 3],
    ['ひらがなkana', 5],
    ['Привет, мир', 2],
    ['don’t', 1],
    ['안녕 하세요', 2],
    ['a\u00a0b\u2003c', 3],
    ['𠀀', 1],
  ])('%j has %i', (text, words) => {
    expect(countWords(text, 0, text.length)).toBe(words);
  });

  it('counts between two offsets only', () => {
    expect(countWords('one two three', 4, 7)).toBe(1);
  });
});
