import { cp, mkdir, rename, rm } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { eventually, pathsOf, temporaryVault } from '../testing/temporary-vault.ts';

const FILES = { 'A.md': 'a', 'Folder/B.md': 'b', 'Folder/C.md': 'c' };

describe('a vault folder that vanishes', () => {
  it('keeps the index, refuses to read, and goes on by itself when the folder returns', async () => {
    await using folder = await temporaryVault(FILES);
    const vault = await folder.open({ poll: 30 });
    let removed = 0;
    vault.onDelta(async (delta) => {
      removed += delta.removed.length;
    });
    await rename(folder.root, `${folder.root}-away`);
    await eventually(() => vault.health().state === 'degraded');
    expect(vault.health().problem).toContain('not there');
    expect(pathsOf(vault)).toEqual(Object.keys(FILES));
    const [row] = vault.ownerView().notes();
    await expect(vault.ownerView().read(row!)).rejects.toMatchObject({ code: 'vault_degraded' });

    await rename(`${folder.root}-away`, folder.root);
    await eventually(() => vault.health().state === 'ready');
    expect((await vault.ownerView().read(row!)).note.text).toBe('a');
    expect(removed).toBe(0);
    expect(vault.health().parsed).toBe(3);
  });

  it('is noticed by the read that finds the folder gone', async () => {
    await using folder = await temporaryVault(FILES);
    const vault = await folder.open({ poll: true });
    await rename(folder.root, `${folder.root}-away`);
    const [row] = vault.ownerView().notes();
    await expect(vault.ownerView().read(row!)).rejects.toMatchObject({ code: 'vault_degraded' });
    expect(vault.health().state).toBe('degraded');
    expect(pathsOf(vault)).toHaveLength(3);
  });

  it('does not take an empty mount point or another folder for the vault', async () => {
    await using folder = await temporaryVault(FILES);
    const vault = await folder.open({ poll: 30 });
    await rename(folder.root, `${folder.root}-away`);
    await mkdir(folder.root);
    await eventually(() => vault.health().state === 'degraded');
    await folder.write('Other.md', 'another vault');
    await vault.reconcile();
    expect(vault.health()).toMatchObject({ state: 'degraded', notes: 3 });
    expect(vault.health().problem).toContain('Another folder');
    await rm(folder.root, { recursive: true });
    await rename(`${folder.root}-away`, folder.root);
    await eventually(() => vault.health().state === 'ready');
    expect(pathsOf(vault)).toHaveLength(3);
  });

  it('takes the same notes under another identity for the vault: a share that was mounted again', async () => {
    await using folder = await temporaryVault(FILES);
    const vault = await folder.open({ poll: 30 });
    const known = vault
      .ownerView()
      .notes()
      .map(({ id, path, contentHash }) => [id, path, contentHash]);
    await cp(folder.root, `${folder.root}-copy`, { recursive: true, preserveTimestamps: true });
    await rename(folder.root, `${folder.root}-away`);
    await eventually(() => vault.health().state === 'degraded');
    await rename(`${folder.root}-copy`, folder.root);
    await eventually(() => vault.health().state === 'ready');
    // Settings that were looked for while the folder was away may have had the notes described once more.
    expect(
      vault
        .ownerView()
        .notes()
        .map(({ id, path, contentHash }) => [id, path, contentHash]),
    ).toEqual(known);
    expect(known).toHaveLength(3);
  });

  it('keeps the index of a folder that is suddenly empty, between runs too (user-pains 7)', async () => {
    await using folder = await temporaryVault(FILES);
    const first = await folder.open({ poll: true });
    await first.close();
    await cp(folder.root, `${folder.root}-copy`, { recursive: true, preserveTimestamps: true });
    await rm(folder.root, { recursive: true });
    await mkdir(folder.root);

    const vault = await folder.open({ poll: true });
    expect(vault.health()).toMatchObject({ state: 'degraded', notes: 3 });
    expect(vault.health().problem).toContain('empty');
    await cp(`${folder.root}-copy`, folder.root, { recursive: true, preserveTimestamps: true });
    // Not before all of it is back: half a folder is one whose other notes were deleted.
    await vault.reconcile();
    expect(vault.health()).toMatchObject({ state: 'ready', notes: 3, parsed: 0 });
  });

  it('hears events again after the folder returned', async () => {
    await using folder = await temporaryVault(FILES);
    const vault = await folder.open();
    await rename(folder.root, `${folder.root}-away`);
    await eventually(() => vault.health().state === 'degraded');
    await rename(`${folder.root}-away`, folder.root);
    await eventually(() => vault.health().state === 'ready');
    await eventually(() => vault.health().watching.mode === 'events');
    await folder.write('D.md', 'd');
    await eventually(() => pathsOf(vault).includes('D.md'));
  });

  it('lets a vault go whose notes were all deleted but not its folder', async () => {
    await using folder = await temporaryVault({ ...FILES, '.obsidian/app.json': '{}' });
    const vault = await folder.open({ poll: true });
    await folder.remove('A.md');
    await folder.remove('Folder');
    await vault.reconcile();
    expect(vault.health()).toMatchObject({ state: 'ready', notes: 0 });
  });
});
