import { describe, expect, it } from 'vitest';
import { ClaimedMoments, claimedTimes } from './claimed-times.ts';

describe('claimed times', () => {
  it.each([
    ['2024-05-06', '2024-05-05T22:00:00Z'],
    ['2024-05-06 07:08', '2024-05-06T05:08:00Z'],
    ['2024-05-06T07:08:09.5', '2024-05-06T05:08:09.500Z'],
    ['2024-05-06 07:08:09 +0000', '2024-05-06T07:08:09Z'],
    ['2024-05-06T07:08:09Z', '2024-05-06T07:08:09Z'],
    [' 2024-01-06 ', '2024-01-05T23:00:00Z'],
  ])('%j in Berlin is %s', (written, moment) => {
    expect(new ClaimedMoments().at(claimedTimes({ created: written }).created, 'Europe/Berlin')).toBe(
      Date.parse(moment),
    );
  });

  it.each(['today', '2024-13-01', '06.05.2024', '2024-05-06T99:99', 20240506, null, ['2024-05-06'], ''])(
    '%j claims nothing',
    (written) => {
      expect(claimedTimes({ created: written, modified: written })).toEqual({
        created: null,
        modified: null,
      });
    },
  );

  it('mean something else in another zone', () => {
    const moments = new ClaimedMoments();
    expect(moments.at('2024-05-06', 'UTC')).toBe(Date.parse('2024-05-06T00:00:00Z'));
    expect(moments.at('2024-05-06', 'Asia/Tokyo')).toBe(Date.parse('2024-05-05T15:00:00Z'));
    expect(moments.at('2024-05-06', 'UTC')).toBe(Date.parse('2024-05-06T00:00:00Z'));
    expect(moments.at(null, 'UTC')).toBeNull();
  });

  it('takes the first key that holds a time', () => {
    expect(claimedTimes({ created: 'unknown', date: '2024-05-06', updated: '2024-05-07' })).toEqual({
      created: '2024-05-06',
      modified: '2024-05-07',
    });
  });
});
