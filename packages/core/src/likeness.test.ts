import { expect, it } from 'vitest';
import { likeness, runsOf } from './likeness.ts';

it('runs overlap, and the ends count as blanks', () => {
  expect([...runsOf('ab', 2)]).toEqual([' a', 'ab', 'b ']);
  expect([...runsOf('ab', 3)]).toEqual(['  a', ' ab', 'ab ']);
});

it('likeness is 1 for equal texts, 0 for texts with nothing in common, and in between else', () => {
  expect(likeness(runsOf('heron', 3), runsOf('heron', 3))).toBe(1);
  expect(likeness(runsOf('heron', 3), runsOf('otter', 3))).toBe(0);
  expect(likeness(runsOf('night', 2), runsOf('nacht', 2))).toBe(0.5);
  expect(likeness(new Set(), new Set())).toBe(0);
});
