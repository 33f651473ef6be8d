import { appendFile, open, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { pathsOf, type TemporaryVault, temporaryVault } from '../testing/temporary-vault.ts';

const FILES = Object.fromEntries(
  Array.from({ length: 60 }, (_, index) => [
    `Note ${index}.md`,
    `# Heading ${index}\n[[Note ${index + 1}]]\n`,
  ]),
);

function catalogOf(folder: TemporaryVault): string {
  return join(folder.stateDir, 'index', 'catalog.db');
}

describe('a catalog lost between runs', () => {
  const ways: Record<string, (path: string) => Promise<void>> = {
    'filled with other bytes': (path) => writeFile(path, 'this is no database, '.repeat(1_000)),
    'cut in half': (path) => truncate(path, 12_000),
    emptied: (path) => truncate(path, 0),
    'overwritten in its middle': async (path) => {
      const file = await open(path, 'r+');
      for (let at = 4_096; at < 60_000; at += 4_096)
        await file.write(Buffer.alloc(4_000, 0x41), 0, 4_000, at);
      await file.close();
    },
    'written by another version': async (path) => {
      const database = new DatabaseSync(path);
      database.exec('PRAGMA user_version = 7');
      database.close();
    },
    deleted: (path) => rm(path),
    'deleted with its folder': (path) => rm(join(path, '..'), { recursive: true }),
  };

  it.each(Object.keys(ways))('is built anew and said so: %s', async (way) => {
    await using folder = await temporaryVault(FILES);
    const first = await folder.open({ poll: true });
    expect(first.health().rebuilt).toBeNull();
    const { catalogId } = first;
    await first.close();
    await ways[way]!(catalogOf(folder));

    const again = await folder.open({ poll: true });
    expect(pathsOf(again)).toHaveLength(60);
    expect(again.health()).toMatchObject({ parsed: 60, state: 'ready' });
    expect(again.health().rebuilt).toMatch(/^The catalog had been|^The catalog was damaged/);
    expect(again.catalogId).not.toBe(catalogId);
    await again.close();

    const third = await folder.open({ poll: true });
    expect(third.health()).toMatchObject({ parsed: 0, rebuilt: null });
  });

  it('reads notes anew when the dialect changed', async () => {
    await using folder = await temporaryVault({ 'A.md': 'title:: Page\n' });
    await (await folder.open({ poll: true })).close();
    await folder.write('logseq/config.edn', '{}');
    const again = await folder.open({ poll: true });
    expect(again.health().rebuilt).toContain('dialect');
    expect(again.ownerView().notes()[0]?.name).toBe('Page');
  });
});

describe('a catalog lost while the vault is open', () => {
  it('is written again from memory when it is deleted, under the same ids', async () => {
    await using folder = await temporaryVault(FILES);
    const vault = await folder.open({ poll: true });
    const { catalogId, sequence } = vault;
    const ids = [...vault.ownerView().ids()];
    const heard: string[] = [];
    vault.onDelta(async (delta) => {
      heard.push(...delta.upserted.map((row) => row.path));
    });
    await rm(join(folder.stateDir, 'index'), { recursive: true });
    const view = vault.ownerView();
    expect(view.details(view.notes()[0]!).headings).toHaveLength(1);
    await vault.reconcile();
    expect(vault.health().rebuilt).toContain('deleted while Grove ran');
    expect(await readdir(join(folder.stateDir, 'index'))).toContain('catalog.db');
    expect([...view.ids()]).toEqual(ids);
    expect(heard).toEqual([]);
    expect(vault.changesSince(sequence - 1)).toBeNull();
    await vault.close();

    const again = await folder.open({ poll: true });
    expect(again.health()).toMatchObject({ parsed: 0, rebuilt: null });
    expect(again.catalogId).toBe(catalogId);
    expect(again.ownerView().details(again.ownerView().notes()[0]!).links).toHaveLength(1);
  });

  it('goes on in memory when it is damaged, and is mended by the next sweep', async () => {
    // Larger than SQLite's page cache, which would answer in place of the damaged file.
    const many = Array.from({ length: 1_000 }, (_, index) => `[[Elsewhere ${index}]]`).join('\n');
    const large = Object.entries(FILES).map(([path, text]) => [path, `${text}${many}\n`]);
    await using folder = await temporaryVault(Object.fromEntries(large));
    const vault = await folder.open({ poll: true });
    const path = catalogOf(folder);
    for (const suffix of ['', '-wal']) {
      await truncate(path + suffix, 0);
      await appendFile(path + suffix, Buffer.alloc(40_000, 0x42));
    }
    const view = vault.ownerView();
    expect(() => view.notes().map((row) => view.backlinks(row))).toThrow(
      expect.objectContaining({ code: 'index_unavailable' }),
    );
    await folder.write('New.md', '# New\n[[Note 1]]');
    await vault.reconcile();
    expect(vault.health().rebuilt).toContain('damaged while Grove ran');
    expect(vault.health().remarks).toEqual([]);
    expect(pathsOf(vault)).toHaveLength(61);
    const one = view.resolve('Note 1');
    if (one.kind !== 'found') throw new Error('Note 1 is lost');
    expect(view.backlinks(one.row).map(({ from }) => from.path)).toEqual(['New.md', 'Note 0.md']);
    await vault.close();
    const again = await folder.open({ poll: true });
    expect(again.health()).toMatchObject({ parsed: 0, rebuilt: null, notes: 61 });
  });
});
