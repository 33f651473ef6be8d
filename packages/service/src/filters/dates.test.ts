import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseMoment, requireMoment } from './dates.ts';

const berlin = { now: Date.parse('2026-11-30T14:00:00+01:00'), zone: 'Europe/Berlin' };
const iso = (input: string): string | null => {
  const moment = parseMoment(input, berlin);
  return moment === null ? null : new Date(moment).toISOString();
};

describe('parseMoment', () => {
  it.each([
    ['2026-11-30', '2026-11-29T23:00:00.000Z'],
    ['2026-07-01', '2026-06-30T22:00:00.000Z'],
    ['2026-11', '2026-10-31T23:00:00.000Z'],
    ['2026', '2025-12-31T23:00:00.000Z'],
    ['2026-W48', '2026-11-22T23:00:00.000Z'],
    ['2026-11-30T12:00', '2026-11-30T11:00:00.000Z'],
    ['2026-11-30 12:00', '2026-11-30T11:00:00.000Z'],
    ['2026-11-30T12:00Z', '2026-11-30T12:00:00.000Z'],
    ['today', '2026-11-29T23:00:00.000Z'],
    ['Yesterday', '2026-11-28T23:00:00.000Z'],
    ['7d', '2026-11-23T13:00:00.000Z'],
    ['2 weeks ago', '2026-11-16T13:00:00.000Z'],
    ['12h', '2026-11-30T01:00:00.000Z'],
    ['3m', '2026-08-30T12:00:00.000Z'],
    ['now', '2026-11-30T13:00:00.000Z'],
  ])('%s in the zone of the vault', (input, expected) => expect(iso(input)).toBe(expected));

  it.each(['', 'soon', '7', '7 lightyears', '2026-13-01', '2026-02-30', 'constructor', '1 constructor'])(
    '%j names no moment',
    (input) => expect(parseMoment(input, berlin)).toBeNull(),
  );

  it('bears any text', () => {
    const hostile = fc.oneof(
      fc.string(),
      fc.string({ unit: fc.constantFrom(...'0123456789dwmyT:-W Z+'.split('')) }),
    );
    fc.assert(
      fc.property(hostile, (input) => {
        const moment = parseMoment(input, berlin);
        expect(moment === null || Number.isFinite(moment)).toBe(true);
      }),
    );
  });

  it('teaches what a date filter takes', () => {
    expect(() => requireMoment('after', 'soon', berlin)).toThrow(/after.*"soon" is no date/);
  });
});
