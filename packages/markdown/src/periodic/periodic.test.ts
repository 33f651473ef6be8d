import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatPeriodic, readPeriodic } from './format.ts';
import { parsePeriodic } from './parse.ts';

// 2026-11-30 is a Monday; in Auckland it is December already.
const NOW = Date.UTC(2026, 10, 30, 12, 0);

describe('parsePeriodic', () => {
  it.each([
    ['today', 'daily', '2026-11-30'],
    ['Yesterday', 'daily', '2026-11-29'],
    [' tomorrow ', 'daily', '2026-12-01'],
    ['2024-02-29', 'daily', '2024-02-29'],
    ['daily:today', 'daily', '2026-11-30'],
    ['daily:2026-01-02', 'daily', '2026-01-02'],
    ['weekly:2026-W48', 'weekly', '2026-11-23'],
    ['weekly:2026W01', 'weekly', '2025-12-29'],
    ['weekly:today', 'weekly', '2026-11-30'],
    ['Weekly: 2026-11-26', 'weekly', '2026-11-23'],
    ['monthly:2026-11', 'monthly', '2026-11-01'],
    ['monthly:today', 'monthly', '2026-11-01'],
    ['quarterly:2026-Q4', 'quarterly', '2026-10-01'],
    ['yearly:2026', 'yearly', '2026-01-01'],
    ['yearly:yesterday', 'yearly', '2026-01-01'],
  ])('%j', (input, granularity, date) => {
    expect(parsePeriodic(input, NOW, 'Europe/Berlin')).toEqual({ granularity, date });
  });

  it.each([
    '',
    'toString',
    '2026-02-30',
    '2026-1-2',
    '20261130',
    '2026-11',
    '2026-W48',
    'weekly:2026-W54',
    'weekly:2026-11',
    'monthly:2026-13',
    'monthly:2026',
    'quarterly:2026-Q5',
    'daily:2026',
    'hourly:2026',
    'Meeting today',
  ])('knows no period %j', (input) => {
    expect(parsePeriodic(input, NOW, 'Europe/Berlin')).toBeNull();
  });

  it('takes the day of the time zone', () => {
    expect(parsePeriodic('today', NOW, 'Pacific/Auckland')?.date).toBe('2026-12-01');
    expect(parsePeriodic('today', Date.UTC(2026, 10, 30, 5), 'America/New_York')?.date).toBe('2026-11-30');
    expect(parsePeriodic('today', Date.UTC(2026, 10, 30, 4), 'America/New_York')?.date).toBe('2026-11-29');
  });

  it('steps over the change to summer time', () => {
    expect(parsePeriodic('tomorrow', Date.UTC(2026, 2, 28, 22, 30), 'Europe/Berlin')?.date).toBe(
      '2026-03-29',
    );
  });
});

describe('formatPeriodic', () => {
  it.each([
    ['2026-11-30', 'YYYY-MM-DD', '2026-11-30'],
    ['2026-11-30', 'YYYY/MM/YYYY-MM-DD dddd', '2026/11/2026-11-30 Monday'],
    ['2026-11-23', 'GGGG-[W]WW', '2026-W48'],
    ['2026-11-23', 'gggg-[W]ww', '2026-W48'],
    ['2025-12-29', 'GGGG-[W]WW', '2026-W01'],
    ['2026-01-04', 'gggg-[W]ww', '2026-W02'],
    ['2024-12-29', 'gggg-[W]ww', '2025-W01'],
    ['2026-10-01', 'YYYY-[Q]Q', '2026-Q4'],
    ['2026-03-01', 'D. MMMM YY', '1. March 26'],
    ['2026-03-02', 'ddd, MMM Do YYYY', 'Mon, Mar 2nd 2026'],
    ['2026-03-11', 'Do DDDD dd E e', '11th 070 We 3 3'],
    ['2026-03-11', '[on] YYYY [at YYYY]', 'on 2026 at YYYY'],
    ['2026-03-11', 'HH:mm', '00:00'],
  ])('writes %s as %j', (date, pattern, name) => {
    expect(formatPeriodic(date, pattern, 'moment')).toBe(name);
  });

  it.each([
    ['yyyy_MM_dd', '2026_03_01'],
    ['MMM do, yyyy', 'Mar 1st, 2026'],
    ['EEEE, dd.MM.yyyy', 'Sunday, 01.03.2026'],
    ['E, d MMMM yyyy', 'Sun, 1 March 2026'],
    ["yyyy 'week' ww", '2026 week 09'],
    ["yyyy-MM-dd 'o''clock'", "2026-03-01 o'clock"],
  ])('writes a date as Java does by %j', (pattern, name) => {
    expect(formatPeriodic('2026-03-01', pattern, 'java')).toBe(name);
  });

  it('refuses a date that does not exist', () => {
    expect(() => formatPeriodic('2026-02-30', 'YYYY', 'moment')).toThrow(RangeError);
  });
});

describe('readPeriodic', () => {
  const day = fc
    .date({ min: new Date('1970-01-01'), max: new Date('2099-12-31'), noInvalidDate: true })
    .map((date) => date.toISOString().slice(0, 10));

  it.each([
    ['YYYY-MM-DD', 'moment'],
    ['YYYY/MM/YYYY-MM-DD dddd', 'moment'],
    ['dddd Do MMMM YYYY', 'moment'],
    ['[Journal (daily)] D.M.YYYY', 'moment'],
    ['yyyy_MM_dd', 'java'],
    ['MMM do, yyyy', 'java'],
    ['EEEE, dd.MM.yyyy', 'java'],
  ] as const)('reads back what was written by %j', (pattern, style) => {
    fc.assert(
      fc.property(day, (date) => {
        expect(readPeriodic(formatPeriodic(date, pattern, style), pattern, style)).toBe(date);
      }),
    );
  });

  it('reads weeks, months, quarters and years as their first day', () => {
    expect(readPeriodic('2026-W48', 'GGGG-[W]WW', 'moment')).toBe('2026-11-23');
    expect(readPeriodic('2026-W01', 'gggg-[W]ww', 'moment')).not.toBeNull();
    expect(readPeriodic('2026-11', 'YYYY-MM', 'moment')).toBe('2026-11-01');
    expect(readPeriodic('2026-Q4', 'YYYY-[Q]Q', 'moment')).toBe('2026-10-01');
    expect(readPeriodic('2026', 'YYYY', 'moment')).toBe('2026-01-01');
  });

  it.each([
    ['2026-11-31', 'YYYY-MM-DD'],
    ['2026-11-30x', 'YYYY-MM-DD'],
    ['x2026-11-30', 'YYYY-MM-DD'],
    ['2026-11-30 Friday', 'YYYY-MM-DD dddd'],
    ['Home', 'YYYY-MM-DD'],
    ['30', 'DD'],
    ['1'.repeat(200), 'DMHhms'.repeat(60)],
  ])('%j is no date by %j', (name, pattern) => {
    expect(readPeriodic(name, pattern, 'moment')).toBeNull();
  });
});
