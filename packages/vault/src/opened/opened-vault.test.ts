import { appendFile, mkdir, rename, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGroveError } from '@grove/core';
import { describe, expect, it } from 'vitest';
import type { CatalogDelta } from '../note-row.ts';
import { eventually, pathsOf, temporaryVault } from '../testing/temporary-vault.ts';

describe('a vault opened', () => {
  it('holds every note with its properties, tags of every form, aliases and links', async () => {
    await using folder = await temporaryVault({
      'Grove.md':
        '---\ntitle: The Grove\naliases: [Wood, Copse]\ntags: [project/open]\ntype: project\nprivate: yes please\n---\n# Start\nSee [[Idea]] and #todo/now\n',
      'Ideas/Idea.md': '# An idea\ntext ^block\n',
    });
    const vault = await folder.open();
    const view = vault.ownerView();
    expect(pathsOf(vault)).toEqual(['Grove.md', 'Ideas/Idea.md']);
    const grove = view.notes()[0]!;
    expect(grove).toMatchObject({
      name: 'Grove',
      title: 'The Grove',
      type: 'project',
      aliases: ['Wood', 'Copse'],
      tags: ['project/open', 'todo/now'],
      private: true,
      frontmatterStatus: 'ok',
    });
    expect(view.details(grove).headings.map((heading) => heading.text)).toEqual(['Start']);
    expect(view.details(grove).properties).toMatchObject({ title: 'The Grove' });
    expect(view.links(grove).map(({ to }) => to?.path)).toEqual(['Ideas/Idea.md']);
    const idea = view.notes()[1]!;
    expect(view.backlinks(idea).map(({ from }) => from.path)).toEqual(['Grove.md']);
    expect(view.details(idea).blocks.map((block) => block.id)).toEqual(['block']);
    expect(view.folders()).toEqual([{ path: 'Ideas', notes: 1 }]);
    expect(vault.health()).toMatchObject({
      state: 'ready',
      notes: 2,
      parsed: 2,
      rebuilt: null,
      problem: null,
    });
  });

  it('makes an edge of every entry of a list in the frontmatter', async () => {
    await using folder = await temporaryVault({
      'From.md': '---\nrelated:\n  - "[[One]]"\n  - "[[Two|2]]"\n  - "[[Deep/Three#Part]]"\n---\n',
      'One.md': '',
      'Two.md': '',
      'Deep/Three.md': '',
    });
    const view = (await folder.open({ poll: true })).ownerView();
    for (const path of ['One.md', 'Two.md', 'Deep/Three.md']) {
      const row = view.notes().find((note) => note.path === path)!;
      expect(
        view.backlinks(row).map(({ from }) => from.path),
        path,
      ).toEqual(['From.md']);
    }
  });

  it('parses and delivers nothing after an unchanged restart', async () => {
    await using folder = await temporaryVault({ 'A.md': '# A\n[[B]]', 'B.md': '# B' });
    const first = await folder.open();
    const { catalogId, sequence } = first;
    const ids = [...first.ownerView().ids()];
    await first.close();

    const again = await folder.open();
    expect(again.health().parsed).toBe(0);
    expect(again.catalogId).toBe(catalogId);
    expect(again.sequence).toBe(sequence);
    expect([...again.ownerView().ids()]).toEqual(ids);
    expect(again.changesSince(sequence)).toEqual({ upserted: [], removedIds: [] });
    const view = again.ownerView();
    expect(view.backlinks(view.notes()[1]!)).toHaveLength(1);
  });

  it('keeps the tasks of notes over a restart', async () => {
    const long = `- [x] ${'word '.repeat(1_000)}`;
    await using folder = await temporaryVault({ 'A.md': `- [/] a 📅 2026-12-01\n${long}\n`, 'B.md': 'b\n' });
    const known = async () => {
      const opened = await folder.open();
      const view = opened.ownerView();
      const rows = view.notes().map((row) => ({ hasTasks: row.hasTasks, details: view.details(row) }));
      await opened.close();
      return rows;
    };
    const first = await known();
    expect(await known()).toEqual(first);
    expect(first.map(({ hasTasks }) => hasTasks)).toEqual([true, false]);
    expect(first[0]!.details.tasks).toEqual([
      {
        line: 1,
        mark: '/',
        state: 'in_progress',
        text: 'a 📅 2026-12-01',
        due: '2026-12-01',
        scheduled: null,
      },
      {
        line: 2,
        mark: 'x',
        state: 'done',
        text: expect.stringMatching(/^word .{490,500}…$/),
        due: null,
        scheduled: null,
      },
    ]);
  });

  it('answers from the catalog before the first sweep', async () => {
    await using folder = await temporaryVault({ 'A.md': '# A' });
    await (await folder.open()).close();
    const { openVault } = await import('../open-vault.ts');
    const { noGitTimes } = await import('../times.ts');
    const { root, stateDir } = folder;
    const vault = await openVault({ root, stateDir, slug: 'notes', gitDir: null, times: noGitTimes });
    try {
      expect(vault.health().state).toBe('opening');
      expect(vault.ownerView().resolve('a').kind).toBe('found');
    } finally {
      await vault.close();
    }
  });

  it('takes in what changed, came and went while it was closed', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a', 'B.md': 'b', 'C.md': 'c' });
    const first = await folder.open();
    const { sequence } = first;
    const gone = first.ownerView().notes()[1]!.id;
    await first.close();
    await folder.write('A.md', 'a changed');
    await folder.remove('B.md');
    await folder.write('D.md', 'd');

    const again = await folder.open();
    expect(pathsOf(again)).toEqual(['A.md', 'C.md', 'D.md']);
    expect(again.health().parsed).toBe(2);
    const changes = again.changesSince(sequence);
    expect(changes?.upserted.map((row) => row.path).sort()).toEqual(['A.md', 'D.md']);
    expect(changes?.removedIds).toEqual([gone]);
    expect(again.changesSince(again.sequence + 1)).toBeNull();
  });

  it('delivers each change once, in order, and waits for the listener', async () => {
    await using folder = await temporaryVault(
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`Note ${index}.md`, `text ${index}`])),
    );
    const deltas: CatalogDelta[] = [];
    let running = 0;
    const vault = await folder.open({ poll: true });
    await vault.close();
    await rm(folder.stateDir, { recursive: true });
    const { openVault } = await import('../open-vault.ts');
    const { noGitTimes } = await import('../times.ts');
    const { root, stateDir } = folder;
    const fresh = await openVault({ root, stateDir, slug: 'notes', gitDir: null, times: noGitTimes });
    fresh.onDelta(async (delta) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((done) => setImmediate(done));
      deltas.push(delta);
      running -= 1;
    });
    try {
      await fresh.ready;
      const rows = deltas.flatMap((delta) => delta.upserted);
      expect(new Set(rows.map((row) => row.path)).size).toBe(100);
      expect(rows).toHaveLength(100);
      for (const delta of deltas) {
        expect(delta.texts.map((note) => note.text)).toEqual(
          delta.upserted.map((row) => `text ${row.name.slice('Note '.length)}`),
        );
      }
      const sequences = rows.map((row) => row.sequence);
      expect(sequences).toEqual([...sequences].sort((left, right) => left - right));
    } finally {
      await fresh.close();
    }
  });

  it('says in health when a listener fails, and goes on', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a' });
    const vault = await folder.open();
    const heard: string[] = [];
    vault.onDelta(async () => {
      throw new Error('the index is full');
    });
    vault.onDelta(async (delta) => {
      heard.push(...delta.upserted.map((row) => row.path));
    });
    await folder.write('B.md', 'b');
    await vault.reconcile(['B.md']);
    expect(heard).toEqual(['B.md']);
    expect(vault.health().remarks.join()).toContain('the index is full');
  });

  it('delivers notes again to an index that lost them', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a', 'B.md': 'b' });
    const vault = await folder.open();
    const { sequence } = vault;
    const heard: CatalogDelta[] = [];
    vault.onDelta(async (delta) => {
      heard.push(delta);
    });
    await vault.redeliver(null);
    expect(heard.flatMap((delta) => delta.texts.map((note) => note.text)).sort()).toEqual(['a', 'b']);
    await vault.redeliver([vault.ownerView().notes()[1]!]);
    expect(heard.at(-1)?.upserted.map((row) => row.path)).toEqual(['B.md']);
    expect(vault.sequence).toBe(sequence);
  });

  it('finds by rescan what the stat does not show', async () => {
    await using folder = await temporaryVault({ 'A.md': 'old text' });
    const long = new Date(Date.now() - 3_600_000);
    await utimes(join(folder.root, 'A.md'), long, long);
    const vault = await folder.open({ poll: true });
    const heard: string[] = [];
    vault.onDelta(async (delta) => {
      heard.push(...delta.texts.map((note) => note.text));
    });
    await folder.write('A.md', 'new text');
    await utimes(join(folder.root, 'A.md'), long, long);
    await vault.rescan();
    expect(heard).toEqual(['new text']);
  });

  it('sees outside edits, new folders, renames, deletions and atomic saves by events', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a', 'Old/B.md': 'b' });
    const vault = await folder.open();
    expect(vault.health().watching.mode).toBe('events');
    await appendFile(join(folder.root, 'A.md'), ' and more');
    await eventually(() => vault.ownerView().notes()[0]?.words === 3);
    await folder.write('New/Deep/C.md', 'c');
    await eventually(() => pathsOf(vault).includes('New/Deep/C.md'));
    await rename(join(folder.root, 'Old'), join(folder.root, 'Renamed'));
    await eventually(() => pathsOf(vault).join() === 'A.md,New/Deep/C.md,Renamed/B.md');
    // An editor's save: a new file renamed over the old one.
    await writeFile(join(folder.root, '.A.md.swp'), 'saved by an editor');
    await rename(join(folder.root, '.A.md.swp'), join(folder.root, 'A.md'));
    await eventually(() => vault.ownerView().notes()[0]?.size === 'saved by an editor'.length);
    await folder.remove('New');
    await eventually(() => pathsOf(vault).join() === 'A.md,Renamed/B.md');
  });

  it('sees the same by sweeps alone where events are not wanted, and says how late (user-pains 27)', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a' });
    const vault = await folder.open({ poll: 30 });
    expect(vault.health().watching).toMatchObject({
      mode: 'poll',
      boundMs: expect.any(Number),
      problem: null,
    });
    const before = vault.health().lastReconcile?.at ?? 0;
    await eventually(() => (vault.health().lastReconcile?.at ?? 0) > before);
    await folder.write('B.md', 'b');
    await eventually(() => pathsOf(vault).length === 2);
    await rename(join(folder.root, 'B.md'), join(folder.root, 'C.md'));
    await eventually(() => pathsOf(vault).join() === 'A.md,C.md');
  });

  it('keeps two vaults of one process apart', async () => {
    await using one = await temporaryVault({ 'A.md': '[[B]]' });
    await using two = await temporaryVault({ 'B.md': 'b', '.obsidian/app.json': '{}' });
    const [first, second] = await Promise.all([one.open(), two.open()]);
    expect(first.dialect).toBe('plain');
    expect(second.dialect).toBe('obsidian');
    expect(first.catalogId).not.toBe(second.catalogId);
    expect(first.ownerView().fingerprint).not.toBe(second.ownerView().fingerprint);
    expect(first.ownerView().links(first.ownerView().notes()[0]!)[0]?.to).toBeNull();
    expect(pathsOf(second)).toEqual(['B.md']);
  });

  it('lists a note whose frontmatter is broken, and counts it', async () => {
    await using folder = await temporaryVault({
      'Broken.md': '---\na: [1\n---\ntext',
      'Open.md': '---\na: 1\ntext',
    });
    const vault = await folder.open();
    expect(
      vault
        .ownerView()
        .notes()
        .map((row) => row.frontmatterStatus),
    ).toEqual(['broken', 'unclosed']);
    expect(vault.health().brokenFrontmatter).toBe(2);
    const served = await vault.ownerView().read(vault.ownerView().notes()[0]!);
    expect(served.note.text).toContain('a: [1');
  });

  it('says what is no note and why', async () => {
    await using folder = await temporaryVault({ 'Good.md': 'good', 'Large.md': 'x'.repeat(2_000) });
    await folder.write('Latin1.md', Buffer.from([0x66, 0xfc, 0x72]));
    await folder.write('.hidden.md', 'h');
    await mkdir(join(folder.root, 'Folder.md'));
    const vault = await folder.open({ maxNoteBytes: 1_000 });
    expect(pathsOf(vault)).toEqual(['Good.md']);
    expect(vault.health().skipped).toEqual([
      { path: '.hidden.md', reason: 'ignored' },
      { path: 'Large.md', reason: 'too_large' },
      { path: 'Latin1.md', reason: 'not_text' },
    ]);
    await vault.close();
    const again = await folder.open({ maxNoteBytes: 1_000 });
    expect(again.health().skipped).toHaveLength(3);
    await folder.write('Latin1.md', 'für');
    await again.reconcile();
    expect(pathsOf(again)).toEqual(['Good.md', 'Latin1.md']);
    expect(again.health().skipped.map((file) => file.path)).toEqual(['.hidden.md', 'Large.md']);
  });

  it('serves the bytes on disk now, before any event', async () => {
    await using folder = await temporaryVault({ 'A.md': 'first' });
    const vault = await folder.open({ poll: true });
    const view = vault.ownerView();
    const row = view.notes()[0]!;
    const { generation } = view;
    await folder.write('A.md', 'second [[B]]');
    const served = await view.read(row);
    expect(Buffer.from(served.bytes).toString()).toBe('second [[B]]');
    expect(served.row.contentHash).not.toBe(row.contentHash);
    expect(view.generation).toBeGreaterThan(generation);
    expect(view.details(served.row).links).toHaveLength(1);

    await folder.remove('A.md');
    await expect(view.read(row)).rejects.toSatisfy((error) => isGroveError(error, 'note_not_found'));
    await eventually(() => view.size === 0);
  });

  it('refuses to serve what grew too large or is no text any more', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a', 'B.md': 'b' });
    const vault = await folder.open({ poll: true, maxNoteBytes: 10 });
    const [a, b] = vault.ownerView().notes();
    await folder.write('A.md', 'much too large');
    await folder.write('B.md', Buffer.from([0xff, 0xfe, 0x41, 0x00]));
    await expect(vault.ownerView().read(a!)).rejects.toMatchObject({
      code: 'note_too_large',
      data: { size: 14, limit: 10 },
    });
    await expect(vault.ownerView().read(b!)).rejects.toMatchObject({ code: 'note_not_text' });
    await eventually(() => vault.ownerView().size === 0);
  });

  it('refuses a folder that is missing or no folder', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a' });
    await expect(folder.open({ root: join(folder.root, 'nowhere') })).rejects.toMatchObject({
      code: 'vault_missing',
    });
    await expect(folder.open({ root: join(folder.root, 'A.md') })).rejects.toMatchObject({
      code: 'vault_not_a_folder',
    });
  });

  it('writes nothing into the folder of notes', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a' });
    const before = (await stat(folder.root, { bigint: true })).mtimeNs;
    const vault = await folder.open();
    await vault.reconcile();
    await vault.close();
    expect((await stat(folder.root, { bigint: true })).mtimeNs).toBe(before);
  });
});
