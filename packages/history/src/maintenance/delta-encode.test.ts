import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyDelta } from '../objects/delta.ts';
import { encodeDelta } from './delta-encode.ts';

const LIMIT = 1024 * 1024;

describe('a delta', () => {
  it('makes the result of its base, whatever was changed', () => {
    const piece = fc.uint8Array({ maxLength: 3000 });
    const edit = fc.record({ before: piece, old: piece, fresh: piece, after: piece });
    fc.assert(
      fc.property(edit, ({ before, old, fresh, after }) => {
        const base = Buffer.concat([before, old, after]);
        const result = Buffer.concat([before, fresh, after]);
        const delta = encodeDelta(base, result);
        if (delta !== null) expect(applyDelta(base, delta, LIMIT).equals(result)).toBe(true);
      }),
    );
  });

  it('is small where few bytes of many changed, in one place or in several', () => {
    const base = Buffer.from(Array.from({ length: 300_000 }, (_, at) => (at * 7919) % 251));
    const result = Buffer.from(base);
    for (const at of [3, 70_000, 70_019, 299_999]) result[at]! ^= 0xff;
    const delta = encodeDelta(base, result)!;
    expect(delta.length).toBeLessThan(200);
    expect(applyDelta(base, delta, LIMIT).equals(result)).toBe(true);
  });

  it('is none where it would save less than half', () => {
    const base = Buffer.from('a'.repeat(40));
    expect(encodeDelta(base, Buffer.from(`${'a'.repeat(10)}${'b'.repeat(30)}`))).toBeNull();
    expect(encodeDelta(base, Buffer.alloc(0))).toBeNull();
  });
});
