import { applyPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { noteText, RUNS } from '../testing/random-notes.ts';
import { shortDiff } from './short-diff.ts';

describe('shortDiff', () => {
  it('shows what differs with a line around it', () => {
    expect(shortDiff('a\nb\nc\nd\ne\n', 'a\nb\nC\nd\ne\n', 1024)).toBe('@@ -2,3 +2,3 @@\n b\n-c\n+C\n d\n');
    expect(shortDiff('a', 'a\n', 1024)).toContain('No newline at end of file');
    expect(shortDiff('a', 'a', 1024)).toBe('');
  });

  it('keeps within its bytes and says that it is cut', () => {
    const before = 'línea 🌲\n'.repeat(200);
    for (const limit of [0, 5, 20, 64, 500, 1024]) {
      const diff = shortDiff(before, before.replaceAll('í', 'i'), limit);
      expect(Buffer.byteLength(diff)).toBeLessThanOrEqual(limit);
      expect(diff.isWellFormed()).toBe(true);
      if (limit > 10) expect(diff.endsWith('[cut]\n')).toBe(true);
    }
    const line = 'x'.repeat(5000);
    expect(shortDiff(line, `${line}y`, 200)).toContain('-xxx');
  });

  it('of texts with nothing in common is one hunk', () => {
    const old = Array.from({ length: 3000 }, (_, index) => `old ${index}\n`).join('');
    const now = Array.from({ length: 3000 }, (_, index) => `new ${index}\n`).join('');
    expect(shortDiff(`same\n${old}same\n`, `same\n${now}same\n`, 1024)).toMatch(
      /^@@ -2,3000 \+2,3000 @@\n-old 0\n/,
    );
  });

  it('is a patch', () => {
    fc.assert(
      fc.property(noteText, noteText, (before, after) => {
        const diff = shortDiff(before, after, 1_000_000);
        if (before !== after)
          expect(applyPatch(before, `--- a\n+++ b\n${diff}`, { autoConvertLineEndings: false })).toBe(after);
      }),
      { numRuns: RUNS },
    );
  });
});
