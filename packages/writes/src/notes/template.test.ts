import { describe, expect, it } from 'vitest';
import { clockTime, fillTemplate } from './template.ts';

const facts = {
  title: 'Day of planting',
  date: '2026-11-29',
  now: Date.parse('2026-11-30T13:04:05Z'),
  zone: 'Europe/Berlin',
};

describe('a template', () => {
  it.each([
    ['# {{title}}', '# Day of planting'],
    ['{{date}} at {{time}}', '2026-11-29 at 14:04'],
    ['{{ DATE }}', '2026-11-29'],
    ['{{date:dddd, MMMM Do YYYY}}', 'Sunday, November 29th 2026'],
    ['{{date:YYYY-MM-DD HH:mm}}', '2026-11-29 14:04'],
    ['{{time:h:mm A}}', '2:04 PM'],
    ['{{time:[at] HH.mm.ss}}', 'at 14.04.05'],
    ['{{date:[{date}]}}', '{{date:[{date}]}}'],
    ['{{unknown}} {{}} {{ title', '{{unknown}} {{}} {{ title'],
    ['<% tp.date.now() %> $& {{title}}', '<% tp.date.now() %> $& Day of planting'],
  ])('%s becomes %s', (template, filled) => expect(fillTemplate(template, facts)).toBe(filled));

  it('puts a title in as it is, whatever it holds', () => {
    expect(fillTemplate('{{title}}', { ...facts, title: '$1 {{date}}' })).toBe('$1 {{date}}');
  });
});

it('the time of day is that of the zone', () => {
  expect(clockTime(facts.now, 'Asia/Tokyo')).toBe('22:04');
});
