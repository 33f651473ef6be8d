import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { ask, type NoteFolder, openNoteFolder, paths } from './testing/note-folder.ts';

describe('openSearch', () => {
  let folder: NoteFolder;
  afterEach(() => folder.close());

  const notes = { 'a.md': 'The heron waits.', 'b.md': 'The otter swims.', 'c/d.md': 'Reeds sway.' };

  it('finds the notes of a folder, with a snippet that marks the word on its line', async () => {
    folder = await openNoteFolder({ ...notes, 'a.md': '---\nx: 1\n---\n# A\n\nThe heron waits.\n' });
    const { hits, total, remarks } = await ask(folder, 'herons');
    expect([total, remarks]).toEqual([1, []]);
    const [snippet] = hits[0]!.snippets;
    expect(snippet!.text.slice(snippet!.marks[0], snippet!.marks[1])).toBe('heron');
    expect(snippet!.line).toBe(6);
    expect(hits[0]!.found).toEqual([{ search: 0, type: 'lex', rank: 1, score: hits[0]!.score }]);
    expect(folder.search.health()).toMatchObject({
      state: 'ready',
      problem: null,
      documents: 3,
      pending: 0,
      rebuilt: null,
    });
  });

  it('the very next query sees a change, a new note and a deleted one', async () => {
    folder = await openNoteFolder(notes);
    await folder.change({ 'a.md': 'The bittern waits.', 'e.md': 'A bittern booms.' });
    expect([...paths(await ask(folder, 'bittern'))].sort()).toEqual(['a.md', 'e.md']);
    expect(paths(await ask(folder, 'heron'))).toEqual([]);
    await folder.remove('b.md');
    expect(paths(await ask(folder, 'otter'))).toEqual([]);
  });

  it('commits by itself when nobody asks', async () => {
    folder = await openNoteFolder(notes);
    await folder.change({ 'e.md': 'A bittern booms.' });
    await expect.poll(() => folder.search.health()).toMatchObject({ documents: 4, pending: 0 });
  });

  it('adds no document after an unchanged restart, and only what changed after another', async () => {
    folder = await openNoteFolder(notes);
    const before = await contentsOf(folder);
    folder = await folder.reopen();
    expect(await contentsOf(folder)).toEqual(before);
    expect(folder.search.health()).toMatchObject({ documents: 3, rebuilt: null });
    folder = await folder.reopen(() => writeFile(join(folder.root, 'b.md'), 'The bittern booms.'));
    expect(paths(await ask(folder, 'bittern'))).toEqual(['b.md']);
    expect(paths(await ask(folder, 'otter'))).toEqual([]);
    folder = await folder.reopen(() => rm(join(folder.root, 'b.md')));
    expect(paths(await ask(folder, 'bittern'))).toEqual([]);
    expect(folder.search.health()).toMatchObject({ documents: 2, rebuilt: null });
  });

  it('builds the index anew when its folder was deleted between runs', async () => {
    folder = await openNoteFolder(notes);
    folder = await folder.reopen(() => rm(folder.indexDir, { recursive: true }));
    expect(paths(await ask(folder, 'heron'))).toEqual(['a.md']);
    expect(folder.search.health().rebuilt).toMatch(/missing/);
  });

  it.each(['emptied', 'garbled', 'truncated'])(
    'builds the index anew when its files were %s between runs',
    async (how) => {
      folder = await openNoteFolder(notes);
      folder = await folder.reopen(async () => {
        for (const name of await readdir(folder.indexDir)) {
          if (how === 'emptied') await writeFile(join(folder.indexDir, name), '');
          else if (how === 'garbled') await writeFile(join(folder.indexDir, name), 'garbage '.repeat(200));
          else if (!name.endsWith('.json')) await writeFile(join(folder.indexDir, name), 'x');
        }
      });
      await expect.poll(() => folder.search.health()).toMatchObject({ state: 'ready', documents: 3 });
      await expect.poll(() => folder.search.health().rebuilt).not.toBeNull();
      expect(paths(await ask(folder, 'heron'))).toEqual(['a.md']);
    },
  );

  it('builds the index anew when its folder is deleted while it runs', async () => {
    folder = await openNoteFolder(notes);
    await rm(folder.indexDir, { recursive: true });
    await folder.change({ 'e.md': 'A bittern booms.' });
    expect(paths(await ask(folder, 'bittern'))).toEqual(['e.md']);
    await vi.waitFor(async () => {
      expect(paths(await ask(folder, 'heron'))).toEqual(['a.md']);
      expect(folder.search.health()).toMatchObject({ state: 'ready', documents: 4 });
      expect(folder.search.health().rebuilt).toMatch(/deleted/);
    }, 30_000);
  });

  it('builds the index anew when the catalog is another one', async () => {
    folder = await openNoteFolder(notes);
    const catalogId = folder.vault.catalogId;
    folder = await folder.reopen(async () => {
      for (const name of await readdir(join(folder.indexDir, '..'))) {
        if (name !== 'lexical') await rm(join(folder.indexDir, '..', name), { recursive: true });
      }
    });
    expect(folder.vault.catalogId).not.toBe(catalogId);
    expect(paths(await ask(folder, 'heron'))).toEqual(['a.md']);
    expect(folder.search.health()).toMatchObject({ documents: 3 });
  });

  it('says that the index is there again after a rebuild was asked for', async () => {
    folder = await openNoteFolder(notes);
    await folder.search.rebuild();
    expect(folder.search.health()).toMatchObject({
      state: 'ready',
      documents: 3,
      rebuilt: expect.any(String),
    });
    expect(paths(await ask(folder, 'otter'))).toEqual(['b.md']);
  });

  it('has no answer once it is closed', async () => {
    folder = await openNoteFolder(notes);
    await folder.search.close();
    await expect(ask(folder, 'heron')).rejects.toMatchObject({ code: 'index_unavailable' });
    expect(folder.search.health().state).toBe('closed');
  });

  it('finds the last word of a 200 KB note and shows it', async () => {
    const text = `# Long\n\n${'Reeds sway in the wind.\n'.repeat(9000)}And then the capercaillie`;
    folder = await openNoteFolder({ ...notes, 'long.md': text });
    const { hits } = await ask(folder, 'capercaillie');
    expect(hits[0]!.row.path).toBe('long.md');
    expect(hits[0]!.snippets[0]!.text).toContain('capercaillie');
    expect(hits[0]!.snippets[0]!.line).toBe(9003);
  });

  it('finds a note by every form of a tag alike', async () => {
    folder = await openNoteFolder({
      'one.md': '---\ntags: wading\n---\nx',
      'list.md': '---\ntags: [wading, other]\n---\nx',
      'comma.md': '---\ntags: other, wading\n---\nx',
      'tag.md': '---\ntag: wading\n---\nx',
      'inline.md': 'x #wading/birds y',
      'none.md': 'x',
    });
    const all = ['comma.md', 'inline.md', 'list.md', 'one.md', 'tag.md'];
    for (const query of ['wading', 'tag:wading', '#wading']) {
      expect([...paths(await ask(folder, query))].sort(), query).toEqual(all);
    }
  });

  it('finds words that stand only in a property, and all of a broken block', async () => {
    folder = await openNoteFolder({
      'page.md':
        '---\ndescription: How to debounce a watcher\ncount: 4711\nnested: {deep: [fathom]}\n---\nText.',
      'broken.md': '---\ntitle: "unclosed\nstatus: simmering\n---\nText.',
    });
    for (const query of ['debounce', '4711', 'fathom'])
      expect(paths(await ask(folder, query))).toEqual(['page.md']);
    expect(paths(await ask(folder, 'simmering'))).toEqual(['broken.md']);
  });

  it('leaves out what a sync tool left beside a note', async () => {
    folder = await openNoteFolder({
      ...notes,
      'a.sync-conflict-20261130-101010-ABCDEFG.md': 'The heron waits.',
    });
    expect(paths(await ask(folder, 'heron'))).toEqual(['a.md']);
  });

  it('keeps odd text whole: NUL, emoji, byte order mark, a very long line', async () => {
    folder = await openNoteFolder({
      'nul.md': 'before\0after capercaillie',
      'bom.md': '\ufeff# Bittern\n\nbooming',
      '🐦.md': `${'🐦'.repeat(150_000)} dunnock`,
    });
    expect(paths(await ask(folder, 'capercaillie'))).toEqual(['nul.md']);
    expect(paths(await ask(folder, 'bittern'))).toEqual(['bom.md']);
    const { hits } = await ask(folder, 'dunnock');
    expect(hits[0]!.row.path).toBe('🐦.md');
    expect(hits[0]!.snippets[0]!.text.isWellFormed()).toBe(true);
    expect(hits[0]!.snippets[0]!.text.length).toBeLessThanOrEqual(240);
  });
});

/** Names of the index's files: a commit makes others. */
async function contentsOf(folder: NoteFolder): Promise<readonly string[]> {
  return (await readdir(folder.indexDir)).sort();
}
