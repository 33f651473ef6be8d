import { PLAIN_GARDEN } from '@grove/vault';
import { describe, expect, it } from 'vitest';
import { type Growth, judgeStage, type Stage } from './stage.ts';

const { stages } = PLAIN_GARDEN;

describe('the stage of a note', () => {
  it.each<[Stage, Growth]>([
    ['seed', { age: 7, untouched: 7, words: 199, backlinks: 2 }],
    ['sprout', { age: 7, untouched: 0, words: 200, backlinks: 2 }],
    ['growing', { age: 7, untouched: 0, words: 10, backlinks: 3 }],
    ['sprout', { age: 7.01, untouched: 0, words: 10, backlinks: 0 }],
    ['sprout', { age: 30, untouched: 30, words: 900, backlinks: 2 }],
    ['growing', { age: 30.01, untouched: 29.99, words: 900, backlinks: 0 }],
    ['growing', { age: 90, untouched: 90, words: 900, backlinks: 4 }],
    ['growing', { age: 400, untouched: 29.99, words: 900, backlinks: 50 }],
    ['mature', { age: 180.01, untouched: 30, words: 1, backlinks: 5 }],
    ['growing', { age: 180, untouched: 30, words: 1, backlinks: 5 }],
    ['mature', { age: 900, untouched: 900, words: 1, backlinks: 5 }],
    ['withering', { age: 900, untouched: 180, words: 1, backlinks: 1 }],
    ['dormant', { age: 900, untouched: 180, words: 1, backlinks: 2 }],
    ['growing', { age: 900, untouched: 179.99, words: 1, backlinks: 0 }],
    ['seed', { age: -1, untouched: -1, words: 0, backlinks: 0 }],
  ])('is %s for %j', (stage, growth) => expect(judgeStage(growth, stages)).toBe(stage));
});
