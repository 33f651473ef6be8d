import { CATALOGUE } from '@grove/core';
import { afterAll, describe, expect, it } from 'vitest';
import { runGrove } from '../testing/processes.ts';
import { makeScratch } from '../testing/vault-folder.ts';
import { asTyped } from './as-typed.ts';

const scratch = makeScratch();
afterAll(() => scratch.remove());

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

  it('names no tool and no field where nothing was asked for', async () => {
    const { code, stderr } = await runGrove(['search', '', '--vault', scratch.vault, '--data', scratch.data]);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^Type words; to list notes by filters alone run \S+ list\.$/m);
  });
});
