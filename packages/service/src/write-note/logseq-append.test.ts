import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTestVault } from '../testing/opened.ts';

it('makes bullets of what is appended in a Logseq graph, also where that creates the page', async () => {
  const vault = await openTestVault(
    { '.grove/vault.yaml': 'dialect: logseq\n', 'pages/Old.md': '- first\n' },
    { writes: true },
  );
  try {
    const append = (path: string) =>
      vault.ok('write_note', { action: 'append', path, content: 'A line\n\nAnother' });
    await append('pages/Old.md');
    await append('pages/New.md');
    const read = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
    expect(read('pages/Old.md')).toBe('- first\n- A line\n- Another\n');
    expect(read('pages/New.md')).toBe('- A line\n- Another\n');
  } finally {
    await vault.close();
  }
});
