import { describe, expect, it } from 'vitest';
import { parseNoteReference } from './reference.ts';

describe('parseNoteReference', () => {
  it.each([
    ['Note', 'Note', null],
    ['Folder/Note.md', 'Folder/Note.md', null],
    ['Note#Heading', 'Note', 'Heading'],
    ['Note#Heading#Sub', 'Note', 'Heading#Sub'],
    ['Note#^block', 'Note', '^block'],
    ['#Heading', '', 'Heading'],
    ['Note#', 'Note', null],
    ['[[Note#Heading|label]]', 'Note', 'Heading'],
    ['![[Note#^block]]', 'Note', '^block'],
    ['[[Note\\|label]]', 'Note', null],
    [' Note # Heading ', 'Note', 'Heading'],
    ['', '', null],
  ])('%j', (input, name, section) => {
    expect(parseNoteReference(input)).toEqual({ name, section });
  });
});
