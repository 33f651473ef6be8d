import { allowAll, parsePathRule } from '@grove/vault';
import { expect, it } from 'vitest';
import { type NoteFolder, openNoteFolder } from '../testing/note-folder.ts';

const NOTES = {
  'open/a.md': '---\nkey: heron\n---\nGrey\nline\n',
  'open/b.md': 'A heron.\n',
  'shut/c.md': 'A heron.\n',
};

async function matching(folder: NoteFolder, regex: string, view = folder.vault.ownerView()) {
  const found = await folder.search.textsMatching(view, regex, folder.vault.ownerView().ids());
  if (found === null) return null;
  const paths = [...found.ids].map((id) => folder.vault.ownerView().byId(id)?.path);
  return { paths: paths.sort(), isUpToDate: found.upTo === folder.vault.sequence };
}

it('finds the notes of a View whose whole text matches, among some', async () => {
  const folder = await openNoteFolder(NOTES);
  try {
    const all = ['open/a.md', 'open/b.md', 'shut/c.md'];
    expect(await matching(folder, 'heron')).toEqual({ paths: all, isUpToDate: true });
    expect(await matching(folder, '^line$|^A')).toEqual({ paths: all, isUpToDate: true });
    expect((await matching(folder, 'HERON'))?.paths).toEqual([]);
    const view = folder.vault.view({ ...allowAll, denyPaths: [parsePathRule('shut')] });
    expect((await matching(folder, 'heron', view))?.paths).toEqual(['open/a.md', 'open/b.md']);
    const [first] = view.notes();
    const among = await folder.search.textsMatching(view, 'heron', Uint32Array.of(first!.id));
    expect([...(among?.ids ?? [])]).toEqual([first?.id]);
  } finally {
    await folder.close();
  }
});

it('does not take what the engine does not, nor an expression that may end in a comment', async () => {
  const folder = await openNoteFolder(NOTES);
  try {
    for (const regex of ['(', 'a(?=b)', '(?x) heron # a bird', '(?i-x:a)', '\\p{Nothing}'])
      expect(await matching(folder, regex), regex).toBeNull();
    expect((await matching(folder, 'heron|\\(\\?'))?.paths).toHaveLength(3);
  } finally {
    await folder.close();
  }
});

it('is in step with what changed, also just now', async () => {
  const folder = await openNoteFolder(NOTES);
  try {
    const view = folder.vault.ownerView();
    const before = view.notes()[1]!;
    await folder.change({ 'open/b.md': 'An otter.\n' });
    expect(await matching(folder, 'otter')).toEqual({ paths: ['open/b.md'], isUpToDate: true });
    expect(await folder.search.textOf(view, view.notes()[1]!)).toBe('An otter.\n');
    expect(await folder.search.textOf(view, before)).toBeNull();
  } finally {
    await folder.close();
  }
});

it('gives the whole text of a note of the View, and says nothing without an index', async () => {
  const folder = await openNoteFolder(NOTES);
  const owner = folder.vault.ownerView();
  const view = folder.vault.view({ ...allowAll, denyPaths: [parsePathRule('shut')] });
  const rows = owner.notes();
  try {
    expect(await folder.search.textOf(view, rows[0]!)).toBe(NOTES['open/a.md']);
    expect(await folder.search.textOf(view, rows[2]!)).toBeNull();
    await folder.search.close();
    expect(await folder.search.textOf(view, rows[0]!)).toBeNull();
    expect(await matching(folder, 'heron')).toBeNull();
  } finally {
    await folder.close();
  }
});
