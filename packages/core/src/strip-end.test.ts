import { describe, expect, it } from 'vitest';
import { stripEnd } from './strip-end.ts';

describe('stripEnd', () => {
  it.each([
    ['Projects//', 'Projects'],
    ['a/b', 'a/b'],
    ['///', ''],
    ['', ''],
  ])('%j becomes %j', (text, stripped) => {
    expect(stripEnd(text, '/')).toBe(stripped);
  });
});
