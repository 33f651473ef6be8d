import { expect, it } from 'vitest';
import { withVary } from './vary.ts';

it.each([
  [undefined, 'Origin'],
  ['', 'Origin'],
  ['Accept', 'Accept, Origin'],
  ['accept, ORIGIN', 'accept, ORIGIN'],
  ['*', '*'],
  [['Accept', 'Authorization'], 'Accept, Authorization, Origin'],
])('adds Origin to %j', (present, expected) => {
  expect(withVary(present, 'Origin')).toBe(expected);
});
