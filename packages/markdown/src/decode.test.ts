import { GroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeNote } from './decode.ts';

function codeOf(bytes: Uint8Array): string | undefined {
  try {
    decodeNote(bytes, 'Ideas.md');
  } catch (error) {
    if (error instanceof GroveError) return error.code;
    throw error;
  }
  return undefined;
}

describe('decodeNote', () => {
  it('gives back the bytes of any text, byte order mark and NUL included', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.boolean(), (body, marked) => {
        const bytes = Buffer.from(`${marked ? '\ufeff' : ''}${body}\0`);
        const { text, bom } = decodeNote(bytes);
        expect(Buffer.from(text)).toEqual(bytes);
        expect(bom).toBe(text.startsWith('\ufeff'));
      }),
    );
  });

  it.each([
    ['a lone continuation byte', [0x61, 0x80]],
    ['a cut sequence', [0xe2, 0x82]],
    ['an overlong form', [0xc0, 0xaf]],
    ['an encoded surrogate', [0xed, 0xa0, 0x80]],
    ['UTF-16 LE', [0xff, 0xfe, 0x61, 0x00]],
    ['UTF-16 BE', [0xfe, 0xff, 0x00, 0x61]],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9]],
  ])('refuses %s with note_not_text', (_, bytes) => {
    expect(codeOf(Uint8Array.from(bytes))).toBe('note_not_text');
  });

  it('names the note in the error', () => {
    expect(() => decodeNote(Uint8Array.of(0xff), 'a/Ideas.md')).toThrow('a/Ideas.md');
  });
});
