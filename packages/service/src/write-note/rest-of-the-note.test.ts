import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const BROKEN = '---\ntitle: [\n tags: x\n---\n# Broken\n\ntext #one\n';
const TAGGED =
  '---\ntags:\n  - one\n  - 2024\n  - {x: 1}\n  - [q]\nwhen: 2026-01-02   # kept\n---\n#  Two  spaces\n\n\tcode  #one\n\n\n- a  b   \n';
const COLONS =
  '---\ntitle: "a: b"\nurl: http://x.y/z:1\ntime: 10:30\n---\n## Part\n\nold: text\n\n## Other\n\nend';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(
    { 'Broken.md': BROKEN, 'Tagged.md': TAGGED, 'Colons.md': COLONS },
    { writes: true },
  );
});
afterAll(() => vault.close());

const ok = (input: object) => vault.ok('write_note', input);
const onDisk = (path: string) => readFileSync(join(vault.folder.root, path), 'utf8');

describe('what a change does not name', () => {
  it('is left as it is where the frontmatter does not parse: property and tag are refused with 422', async () => {
    for (const input of [
      { action: 'frontmatter', set: { a: 1 } },
      { action: 'frontmatter', unset: ['title'] },
      { action: 'tags', add: ['new'] },
      { action: 'tags', remove: ['one'] },
    ]) {
      const error = await vault.fail('write_note', { path: 'Broken.md', ...input });
      expect([error.code, error.line]).toEqual(['frontmatter_broken', expect.any(Number)]);
      expect(onDisk('Broken.md')).toBe(BROKEN);
    }
    await ok({ path: 'Broken.md', action: 'append', content: 'still writable' });
    expect(onDisk('Broken.md')).toBe(`${BROKEN}\nstill writable\n`);
  });

  it('is left as it is by a tag: numbers and mappings among the tags, every space and comment', async () => {
    await ok({ path: 'Tagged.md', action: 'tags', add: ['new'] });
    expect(onDisk('Tagged.md')).toBe(TAGGED.replace('  - [q]\n', '  - [q]\n  - new\n'));
    await ok({ path: 'Tagged.md', action: 'tags', remove: ['new'] });
    expect(onDisk('Tagged.md')).toBe(TAGGED);
    await ok({ path: 'Tagged.md', action: 'tags', remove: ['one'], location: 'frontmatter' });
    expect(onDisk('Tagged.md')).toBe(TAGGED.replace('  - one\n', ''));
  });

  it('is left as it is by a replacement in the body, colons of the frontmatter above all', async () => {
    await ok({
      path: 'Colons.md',
      action: 'replace',
      section: 'Part',
      content: 'new: text: 10:31',
      if_hash: '*',
    });
    expect(onDisk('Colons.md')).toBe(COLONS.replace('old: text', 'new: text: 10:31'));
    await ok({ path: 'Colons.md', action: 'edit', edits: [{ find: ':', replace: ' -', all: true }] });
    expect(onDisk('Colons.md')).toBe(COLONS.replace('old: text', 'new - text - 10 -31'));
  });
});
