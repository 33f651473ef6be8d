import { CATALOGUE } from '@grove/core';
import { describe, expect, it } from 'vitest';
import { asTyped } from './as-typed.ts';

describe('asTyped', () => {
  it.each([
    [
      'hash_required',
      'Read it with grove get and send its source_hash with --if-hash. grove append and grove edit need none.',
    ],
    [
      'would_drop_subsections',
      'Send them too, or --no-subsections to keep them, or --subsections to drop them.',
    ],
    ['elided_content', 'Change only what differs with grove edit; --overwrite writes the line as it is.'],
    ['frontmatter_broken', 'Mend that line first, with grove edit and --scope note.'],
    ['edit_ambiguous', 'Add text around it until one place fits, or give --all.'],
    ['note_not_found', 'Search for it with grove search, or list notes with grove list.'],
    ['git_busy', expect.stringMatching(/^Run the command again in a moment\./)],
    ['bad_path', CATALOGUE.bad_path.hint],
  ] as const)('says the next step of %s as it is typed', (code, typed) => {
    expect(asTyped(CATALOGUE[code].hint)).toEqual(typed);
  });
});
