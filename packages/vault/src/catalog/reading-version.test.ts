import { contentHash, parseVaultPath } from '@grove/core';
import { type Dialect, parseNote } from '@grove/markdown';
import { expect, it } from 'vitest';
import { judgedNote } from './read-note.ts';
import { CODEC_VERSION } from './row-codec.ts';

const TEXTS = [
  '---\ntype: [book, "[[Types/client|Client]]"]\ntags: [a, [b], "c d"]\nprivate: false\n---\nx #e/f\n',
  '---\nPrivate: yes\n---\n',
  '\n---\nprivate: true\n---\nx\n',
  '+++\nprivate = true\n+++\nx\n',
  '---\nprivate: [\n---\nx\n',
  '---\nown: &own {private: true, tags: k, type: l}\n<<: *own\n---\nx\n',
  '---\ntags: a\n',
  '- private:: true\n  tags:: g\n  type:: [[h]]\n',
  'x %% #i %% <!-- #j --> `#k`\n',
];

/**
 * What a catalog holds decides what trails show. When notes are judged otherwise than before, catalogs that were written
 * before must be made anew: raise CODEC_VERSION, then take the new value.
 */
it('judges notes as the version of the catalog says', () => {
  const dialects: readonly Dialect[] = ['obsidian', 'logseq'];
  const judged = dialects.flatMap((dialect) =>
    TEXTS.map((text) => judgedNote(parseVaultPath('a.md'), parseNote(text, { dialect, path: 'a.md' }))),
  );
  const reading = contentHash(Buffer.from(JSON.stringify(judged)));
  expect({ version: CODEC_VERSION, reading }).toEqual({ version: 10, reading: '7a2987c94250949b' });
});
