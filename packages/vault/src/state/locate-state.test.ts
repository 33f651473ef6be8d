import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { locateState } from './locate-state.ts';
import { slugOf } from './slug.ts';

describe('slugOf', () => {
  it.each([
    ['Notes', 'notes'],
    ['My Notes', 'my-notes'],
    ['  Zettel  Kasten ', 'zettel-kasten'],
    ['Ideen & Pläne', 'ideen-&-pläne'],
    ['Ide\u0301es', 'id\u00e9es'],
    ['ノート', 'ノート'],
    ['a/b\\c:d', 'a-b-c-d'],
    ['.dotted', 'dotted'],
    ['..', 'vault'],
    ['', 'vault'],
    ['CON', 'vault-con'],
    ['x'.repeat(300), 'x'.repeat(64)],
  ])('makes a slug of %j', (name, slug) => {
    expect(slugOf(name)).toBe(slug);
  });
});

describe('locateState', () => {
  it('ties a folder to its slug, and another folder of the same name to the next one', async () => {
    const base = temporaryFolder('state');
    const data = join(base, 'data');
    const [one, two, three] = [
      join(base, 'a/Müsli Notes'),
      join(base, 'b/Müsli Notes'),
      join(base, 'c/MÜSLI notes'),
    ];
    for (const root of [one, two, three]) await mkdir(root, { recursive: true });
    expect(await locateState(data, one)).toEqual({
      slug: 'müsli-notes',
      stateDir: join(data, 'vaults', 'müsli-notes'),
      root: one,
    });
    expect((await locateState(data, two)).slug).toBe('müsli-notes-2');
    expect((await locateState(data, three)).slug).toBe('müsli-notes-3');
    expect((await locateState(data, two)).slug).toBe('müsli-notes-2');
    expect((await locateState(data, join(one, '..', 'Müsli Notes', '.'))).slug).toBe('müsli-notes');
    expect(JSON.parse(await readFile(join(data, 'vaults/müsli-notes/vault.json'), 'utf8'))).toEqual({
      root: one,
    });
  });

  it('knows a folder by its real path', async () => {
    const base = temporaryFolder('state');
    await mkdir(join(base, 'Real'));
    await symlink(join(base, 'Real'), join(base, 'Alias'));
    const direct = await locateState(join(base, 'data'), join(base, 'Real'));
    expect(await locateState(join(base, 'data'), join(base, 'Alias'))).toEqual(direct);
  });

  it('gives one folder one slug when many ask at once', async () => {
    const base = temporaryFolder('state');
    await mkdir(join(base, 'Notes'));
    const data = join(base, 'data');
    const found = await Promise.all(Array.from({ length: 8 }, () => locateState(data, join(base, 'Notes'))));
    expect(new Set(found.map((state) => state.slug))).toEqual(new Set(['notes']));
    expect(await readdir(join(data, 'vaults/notes'))).toEqual(['vault.json']);
  });

  it('never takes over a record that it cannot read', async () => {
    const base = temporaryFolder('state');
    await mkdir(join(base, 'Notes'));
    await mkdir(join(base, 'data/vaults/notes'), { recursive: true });
    await writeFile(join(base, 'data/vaults/notes/vault.json'), '{ half');
    expect((await locateState(join(base, 'data'), join(base, 'Notes'))).slug).toBe('notes-2');
    expect(await readFile(join(base, 'data/vaults/notes/vault.json'), 'utf8')).toBe('{ half');
  });

  it('refuses what is no folder', async () => {
    const base = temporaryFolder('state');
    await writeFile(join(base, 'file'), '');
    await expect(locateState(join(base, 'data'), join(base, 'none'))).rejects.toMatchObject({
      code: 'vault_missing',
    });
    await expect(locateState(join(base, 'data'), join(base, 'file'))).rejects.toMatchObject({
      code: 'vault_not_a_folder',
    });
  });
});
