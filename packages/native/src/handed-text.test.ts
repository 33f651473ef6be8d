import { describe, expect, it } from 'vitest';
import { handText, takeText, UNITS_PER_CALL } from './handed-text.ts';
import { inCalls } from './in-calls.ts';
import { decodeOutline, outline, outlineAsync } from './index.ts';
import { note, useIndices } from './testing/notes.ts';

const indices = useIndices();

describe('a text of several megabytes', () => {
  const wide = `${'狐'.repeat(UNITS_PER_CALL - 1)}😀é\0`.repeat(3);

  it('crosses in parts and comes back as it was, no character cut', async () => {
    expect(await takeText(await handText(wide))).toBe(wide);
    expect(await takeText(await handText(''))).toBe('');
  });

  it('keeps its offsets where half a pair stands alone at the end of a part', async () => {
    const lone = `${'a'.repeat(UNITS_PER_CALL - 1)}\ud83d${'b'.repeat(10)}`;
    expect(await takeText(await handText(lone))).toBe(lone.toWellFormed());
  });

  it('has the outline that it has when it is parsed at once', async () => {
    const text = `# One 😀\n\n${'See [[狐|fox]], [x](y.md "t") and `code`.\n\n'.repeat(20_000)}## Two\n`;
    expect(text.length).toBeGreaterThan(UNITS_PER_CALL);
    const parted = await outlineAsync(text);
    const whole = outline(text);
    expect(parted.strings).toBe(whole.strings);
    expect([...decodeOutline(parted)]).toEqual([...decodeOutline(whole)]);
  });

  it('is indexed, found and read again', async () => {
    const text = `${'filler words\n'.repeat(60_000)}needle 😀`;
    const index = await indices.open([note(1, 'short'), note(2, text), note(3, 'short too')]);
    const { hits } = await index.search({ query: { kind: 'word', text: 'needle' }, view: null, limit: 5 });
    expect(hits.map(({ id }) => id)).toEqual([2]);
    expect(await index.text(2)).toBe(text);
    expect(await index.text(9)).toBeNull();
  });
});

describe('items of many sizes', () => {
  it('are shared out in order, long ones alone', () => {
    const long = UNITS_PER_CALL + 1;
    expect([...inCalls([1, 2, long, 3, long, 4, 5], 2, (size) => size)]).toEqual([
      [1, 2],
      [long],
      [3],
      [long],
      [4, 5],
    ]);
  });
});
