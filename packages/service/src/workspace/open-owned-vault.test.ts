import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isGroveError } from '@grove/core';
import { temporaryFolder } from '@grove/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { answerCall } from '../operation/answer.ts';
import { query } from '../query/operation.ts';
import { type Loose, openTestVault, STDIO } from '../testing/opened.ts';
import { makeVaultFolder, type VaultFolder } from '../testing/vault-folder.ts';
import { openOwnedVault } from './open-owned-vault.ts';
import type { OpenedVault, OpenProgress } from './opened-vault.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

async function folderOf(files: Record<string, string>): Promise<VaultFolder> {
  const folder = await makeVaultFolder(files);
  endings.push(() => folder.remove());
  return folder;
}

async function open({ root, dataDir }: Pick<VaultFolder, 'root' | 'dataDir'>): Promise<OpenedVault> {
  const opened = await openOwnedVault({ root, dataDir, kind: 'stdio' });
  endings.push(() => opened.close());
  return opened;
}

async function codeOf(work: () => unknown): Promise<string> {
  try {
    await work();
    return 'none';
  } catch (error) {
    if (isGroveError(error)) return error.code;
    throw error;
  }
}

async function find(opened: OpenedVault, words: string): Promise<string[]> {
  const { structured } = await answerCall(query, opened.scope(STDIO), { query: words });
  return ((structured as Loose).hits ?? []).map((hit: Loose) => hit.path);
}

describe('openOwnedVault', () => {
  it('reads and parses nothing after an unchanged restart, and a cursor goes on', async () => {
    const folder = await folderOf({ 'a.md': 'fox\n', 'b.md': 'fox\n', 'c.md': 'fox\n' });
    const first = await open(folder);
    await first.ready;
    const before = await answerCall(query, first.scope(STDIO), { query: 'fox', limit: 2 });
    await first.close();
    const second = await open(folder);
    await second.ready;
    expect(second.vault.health().parsed).toBe(0);
    const { cursor } = before.structured as Loose;
    const after = await answerCall(query, second.scope(STDIO), { query: 'fox', limit: 2, cursor });
    expect(after.error).toBeNull();
    expect((after.structured as Loose).hits).toHaveLength(1);
  });

  it('is owned by one at a time, and free again after close', async () => {
    const folder = await folderOf({ 'a.md': 'fox\n' });
    const first = await open(folder);
    expect(first.ownership.owner.pid).toBe(process.pid);
    expect(await codeOf(() => openOwnedVault({ ...folder, kind: 'server' }))).toBe('vault_owned');
    await first.ready;
    expect(await find(first, 'fox')).toEqual(['a.md']);
    await Promise.all([first.close(), first.close()]);
    await first.close();
    const second = await open(folder);
    await second.ready;
    expect(await find(second, 'fox')).toEqual(['a.md']);
  });

  it('can be closed at once, while it is still reading', async () => {
    const files = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`${i}.md`, `fox ${i}\n`]));
    const folder = await folderOf(files);
    await (await open(folder)).close();
    const second = await open(folder);
    await second.ready;
    expect(second.vault.health().notes).toBe(300);
  });

  it('leaves the lock free when it cannot open', async () => {
    const folder = await folderOf({ 'a.md': 'fox\n' });
    await writeFile(join(folder.root, '..', 'file'), '');
    const missing = { ...folder, root: join(folder.root, 'nowhere'), kind: 'stdio' } as const;
    expect(await codeOf(() => openOwnedVault(missing))).toBe('vault_missing');
    const file = { ...folder, root: join(folder.root, '..', 'file'), kind: 'stdio' } as const;
    expect(await codeOf(() => openOwnedVault(file))).toBe('vault_not_a_folder');
    await (await open(folder)).ready;
  });

  it('gives a folder that is no repository a git dir beside its state, and never one inside', async () => {
    const folder = await folderOf({ 'a.md': 'fox\n' });
    const opened = await open(folder);
    expect(opened.stateDir.startsWith(folder.dataDir)).toBe(true);
    const { readdir } = await import('node:fs/promises');
    expect(await readdir(folder.root)).toEqual(['a.md']);
    expect(await readdir(opened.stateDir)).toContain('git');
  });

  it('opens the notes where the repository cannot be read, and says so to the owner', async () => {
    const folder = await folderOf({ 'a.md': 'fox\n' });
    await writeFile(join(folder.root, '.git'), 'gitdir: /nowhere/at/all\n');
    const problems: string[] = [];
    const opened = await openOwnedVault({
      ...folder,
      kind: 'stdio',
      onProblem: ({ what }) => problems.push(what),
    });
    endings.push(() => opened.close());
    await opened.ready;
    expect(problems).toEqual(['history']);
    expect((await opened.health(opened.vault.ownerView())).history.problem).toContain('cannot be read');
    expect(await find(opened, 'fox')).toEqual(['a.md']);
  });

  it('reports progress of each phase to the end, also to one who listens late', async () => {
    const vault = await openTestVault({ 'a.md': 'fox\n', 'b.md': 'fox\n' });
    endings.push(() => vault.close());
    const seen = new Map<string, OpenProgress>();
    vault.opened.onProgress((progress) => seen.set(progress.phase, progress));
    // The watch may have begun another look at the folder, which finds nothing new.
    await expect.poll(() => seen.get('notes')).toMatchObject({ finished: true });
    expect(seen.get('index')).toMatchObject({ done: 2, total: 2, finished: true });
  });

  it('builds the index anew on demand', async () => {
    const vault = await openTestVault({ 'a.md': 'fox\n' });
    endings.push(() => vault.close());
    await vault.opened.reindex();
    expect(await find(vault.opened, 'fox')).toEqual(['a.md']);
    expect(vault.opened.search.health()).toMatchObject({ state: 'ready', documents: 1 });
  });

  it('builds the index anew when its folder was deleted between runs, and says so', async () => {
    const folder = await folderOf({ 'a.md': 'fox\n' });
    const first = await open(folder);
    await first.ready;
    const { stateDir } = first;
    await first.close();
    await rm(join(stateDir, 'index'), { recursive: true });
    const second = await open(folder);
    await second.ready;
    expect(await find(second, 'fox')).toEqual(['a.md']);
  });

  it('answers on when its index folder is deleted while it runs, and says in health that it was built anew', async () => {
    const folder = await folderOf({ 'a.md': 'fox\n' });
    const opened = await open(folder);
    await opened.ready;
    await rm(join(opened.stateDir, 'index', 'lexical'), { recursive: true });
    await writeFile(join(folder.root, 'b.md'), 'fox\n');
    await opened.vault.reconcile();
    await expect.poll(() => find(opened, 'fox'), { timeout: 30_000 }).toHaveLength(2);
    expect((await opened.health(opened.vault.ownerView())).index.rebuilt).toBeTypeOf('string');
  });

  it('opens two vaults of one name side by side, each with a slug of its own', async () => {
    const [one, two] = [await folderOf({ 'one.md': 'fox\n' }), await folderOf({ 'two.md': 'fox\n' })];
    const dataDir = temporaryFolder('data');
    const first = await open({ root: one.root, dataDir });
    const second = await open({ root: two.root, dataDir });
    await Promise.all([first.ready, second.ready]);
    expect([first.slug, second.slug]).toEqual(['garden', 'garden-2']);
    expect(await find(first, 'fox')).toEqual(['one.md']);
    expect(await find(second, 'fox')).toEqual(['two.md']);
  });
});
