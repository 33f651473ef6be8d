import { describe, expect, it } from 'vitest';
import { fenceNote } from './markdown.ts';
import { clip, obsidianLink } from './note-facts.ts';

describe('fenceNote', () => {
  it('cannot be closed by what the note holds', () => {
    const text = 'a\n````\nb\n``````md\nc';
    const fenced = fenceNote(text);
    const [fence] = fenced.split('markdown', 1);
    expect(fence).toBe('`````````'.slice(0, 7));
    expect(fenced.slice(fence?.length).indexOf(fence ?? '')).toBe(fenced.length - 2 * 7);
  });
});

describe('obsidianLink', () => {
  it('encodes names so that none can add a parameter', () => {
    expect(obsidianLink('My Vault & more', 'Beds/Bed #1 ü.md')).toBe(
      'obsidian://open?vault=My%20Vault%20%26%20more&file=Beds%2FBed%20%231%20%C3%BC',
    );
  });
});

describe('clip', () => {
  it('never leaves half a character', () => {
    expect(clip('ab🙂cd', 4)).toBe('ab…');
    expect(clip('\ud800x', 9).isWellFormed()).toBe(true);
  });
});
