import { describe, expect, it } from 'vitest';
import { nearest } from './nearest.ts';

describe('nearest', () => {
  it('finds slips and parts, nearest first, and nothing else', () => {
    expect(nearest('limt', ['limit', 'query', 'offset'], 2)).toEqual(['limit']);
    expect(nearest('qurey', ['limit', 'query', 'offset'], 2)).toEqual(['query']);
    expect(nearest('Grove', ['Projects/Grove', 'Garden', 'grove'], 3)).toEqual(['grove', 'Projects/Grove']);
    expect(nearest('xyz', ['limit', 'query'], 3)).toEqual([]);
    expect(nearest('', ['a'], 3)).toEqual([]);
  });

  it('takes fewer letters for a slip where it is told to', () => {
    expect(nearest('Japan', ['Catan'], 1)).toEqual(['Catan']);
    expect(nearest('Japan', ['Catan'], 1, { slip: 0.25 })).toEqual([]);
    expect(nearest('Jaan', ['Japan', 'Java'], 2, { slip: 0.25 })).toEqual(['Japan']);
  });

  it('bears names of any length', () => {
    expect(nearest('x'.repeat(100_000), ['y'.repeat(100_000), 'x'.repeat(300)], 1)).toEqual([
      'x'.repeat(300),
    ]);
  });

  it('leaves parts out where they are no slip', () => {
    expect(nearest('SERVICE_PORT', ['PORT'], 1)).toEqual(['PORT']);
    expect(nearest('SERVICE_PORT', ['PORT'], 1, { parts: false })).toEqual([]);
    expect(nearest('DENY_PATH', ['DENY_PATHS'], 1, { parts: false })).toEqual(['DENY_PATHS']);
  });
});
