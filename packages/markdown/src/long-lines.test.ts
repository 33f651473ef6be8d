import { describe, expect, it } from 'vitest';
import { parseNote } from './parse.ts';

// In quadratic time each of these takes many minutes; the runner's own limit would end it.
describe('one line of megabytes is read in linear time', () => {
  it.each([
    ['a tag of slashes', `#a${'/'.repeat(3_000_000)}b`, 1],
    ['dollar signs', '$'.repeat(3_000_000), 0],
    ['slashes in a tag property', `---\ntags: "${'/'.repeat(50_000)}b"\n---\n`, 1],
  ])('%s', (_, text, tags) => {
    const note = parseNote(text, { dialect: 'obsidian', path: 'a.md' });
    expect(note.headings).toEqual([]);
    expect(note.tags).toHaveLength(tags);
  });
});
