import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

const ODD: Readonly<Record<string, { readonly text: string; readonly status?: string }>> = {
  'Mark.md': { text: '\ufeff---\nstatus: pangolin\n---\nfirst\n', status: 'pangolin' },
  'Content.md': { text: '---\ncontent: of a key\nstatus: pangolin\n---\nsecond\n', status: 'pangolin' },
  'Title.md': { text: '---\ntitle: [One, Two]\nstatus: pangolin\n---\nthird\n', status: 'pangolin' },
  'Indented.md': { text: ' ---\nstatus: pangolin\n---\nfourth\n' },
  'Later.md': { text: 'fifth\n\n---\nstatus: pangolin\n---\n' },
  'Unclosed.md': { text: '---\nstatus: pangolin\n\nsixth\n' },
  'Keys.md': {
    text: '---\n__proto__: x\nconstructor: y\n? [a]\n: b\nstatus: pangolin\n---\n',
    status: 'pangolin',
  },
};

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(
    Object.fromEntries(Object.entries(ODD).map(([path, { text }]) => [path, text])),
    { writes: true },
  );
});
afterAll(() => vault.close());

describe('frontmatter that is odd', () => {
  it.each(Object.entries(ODD))('is read by every operation: %s', async (path, { status }) => {
    const note = await vault.ok('get', { path });
    expect(note.frontmatter?.status).toBe(status);
    expect((await vault.ok('get', { path, format: 'raw' })).content).toContain('status: pangolin');
    expect((await vault.ok('multi_get', { paths: [path] })).errors).toEqual([]);
    expect((await vault.ok('vault_status', { path })).file.status).toBe('indexed');
  });

  it('is found and listed', async () => {
    const paths = Object.keys(ODD).sort();
    const { hits } = await vault.ok('query', { query: 'pangolin' });
    expect(hits.map((hit: { path: string }) => hit.path).sort()).toEqual(paths);
    const { notes } = await vault.ok('list_notes', { fields: ['title', 'content', 'status'] });
    expect(notes.map((note: { path: string }) => note.path).sort()).toEqual(paths);
  });

  it('counts as properties only between fences at the start of the file', async () => {
    const { notes } = await vault.ok('list_notes', { where: { status: 'pangolin' } });
    expect(notes.map((note: { path: string }) => note.path).sort()).toEqual(
      Object.keys(ODD)
        .filter((path) => ODD[path]?.status !== undefined)
        .sort(),
    );
  });

  it('may have the key __proto__, which is compared and set as any other', async () => {
    const where = (value: string) => vault.ok('list_notes', { where: `{"__proto__": ${value}}` });
    expect((await where('"x"')).notes.map(({ path }: { path: string }) => path)).toEqual(['Keys.md']);
    expect((await where('["y", "z"]')).total).toBe(0);
    const set = '{"__proto__": {"a": "z"}}';
    await vault.ok('write_note', { path: 'Mark.md', action: 'frontmatter', set, if_hash: '*' });
    const { content } = await vault.ok('get', { path: 'Mark.md', format: 'raw' });
    expect(content).toContain('\n__proto__:\n  a: z\n');
    const frontmatter = '{"__proto__": "y"}';
    await vault.ok('write_note', { path: 'New.md', content: 'x', frontmatter });
    expect((await where('["y", "z"]')).total).toBe(1);
    expect((await where('{"exists": true}')).total).toBe(3);
  });
});
