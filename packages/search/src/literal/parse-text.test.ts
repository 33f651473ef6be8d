import { describe, expect, it } from 'vitest';
import { parseText } from './parse-text.ts';

describe('parseText', () => {
  it.each([
    ['GB/s "read only"', ['GB/s', 'read only']],
    ['"unbalanced quote', ['"unbalanced', 'quote']],
    ['say "hi', ['say', '"hi']],
    ['  ', []],
    ['🚀 =>', ['🚀', '=>']],
    ['a a', ['a']],
  ])('reads %j', (query, parts) => {
    expect(parseText(query)).toEqual(parts);
  });

  it('bounds how much is looked for', () => {
    const parts = parseText(`${'x'.repeat(100_000)} ${Array.from({ length: 100 }, (_, at) => at).join(' ')}`);
    expect(parts.length).toBe(16);
    expect(Math.max(...parts.map((part) => part.length))).toBe(1000);
  });
});
