import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { afterEach, describe, expect, it } from 'vitest';
import { get } from '../get/operation.ts';
import { serverInstructions } from '../instructions.ts';
import { answerCall } from '../operation/answer.ts';
import { type Loose, openTestVault, STDIO } from '../testing/opened.ts';
import { makeVaultFolder } from '../testing/vault-folder.ts';
import { openOwnedVault } from './open-owned-vault.ts';
import type { OpenProgress } from './opened-vault.ts';

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

describeWithPrograms('times of a note in a repository', ['git'], () => {
  it('come from git where history knows the note', async () => {
    const folder = await makeVaultFolder({ 'a.md': 'one\n', 'new.md': 'not committed\n' });
    endings.push(() => folder.remove());
    const git = SystemGit.init(folder.root);
    git.run('add', 'a.md');
    git.time = Date.parse('2025-01-02T03:04:05Z') / 1000;
    git.run('commit', '-qm', 'one');
    await folder.write({ 'a.md': 'two and more\n' });
    git.time = Date.parse('2025-06-07T08:09:10Z') / 1000;
    git.run('commit', '-qam', 'two');
    const opened = await openOwnedVault({ root: folder.root, dataDir: folder.dataDir, kind: 'stdio' });
    endings.push(() => opened.close());
    await opened.ready;
    await new Promise<void>((resolve) => {
      opened.onProgress(({ phase, finished }: OpenProgress) => {
        if (phase === 'history' && finished) resolve();
      });
    });
    const read = async (path: string): Promise<Loose> =>
      (await answerCall(get, opened.scope(STDIO), { path })).structured;
    expect(Date.parse((await read('a.md')).created)).toBe(Date.parse('2025-01-02T03:04:05Z'));
    expect(Date.parse((await read('a.md')).modified)).toBe(Date.parse('2025-06-07T08:09:10Z'));
    expect(Date.parse((await read('new.md')).modified)).toBe(Date.parse('2026-11-20T10:00:00Z'));
  });
});

describe('times of a note', () => {
  it("are shown in the vault's own zone, and its days are the zone's", async () => {
    const vault = await openTestVault({ '.grove/vault.yaml': 'zone: Pacific/Auckland\n', 'a.md': 'one\n' });
    endings.push(() => vault.close());
    expect(await vault.ok('get', { path: 'a.md' })).toMatchObject({ modified: '2026-11-20T23:00:00+13:00' });
    expect(serverInstructions(vault.scope)).toContain('Tuesday, 2026-12-01 (Pacific/Auckland)');
    expect((await vault.ok('get', { path: 'today' })).would_be).toContain('2026-12-01');
    expect((await vault.ok('list_notes', { after: '2026-11-21' })).total).toBe(0);
    expect((await vault.ok('list_notes', { after: '2026-11-20' })).total).toBe(1);
  });

  it('are those of the commit as soon as a write is answered', async () => {
    const vault = await openTestVault({ 'a.md': 'one\n' }, { writes: true });
    endings.push(() => vault.close());
    await vault.opened.historyRead;
    // The clock of the vault stands still; the files get the time of the machine.
    const now = Date.parse('2026-11-30T12:00:00Z');
    const times = async (path: string): Promise<unknown> => {
      const { created, modified } = await vault.ok('get', { path });
      return [Date.parse(created), Date.parse(modified)];
    };
    const saved = Date.parse('2026-11-20T10:00:00Z');
    expect(await times('a.md')).toEqual([saved, saved]);
    await vault.ok('write_note', { path: 'a.md', action: 'append', content: 'two' });
    expect(await times('a.md')).toEqual([saved, now]);
    await vault.ok('write_note', { path: 'new.md', action: 'append', content: 'one' });
    expect(await times('new.md')).toEqual([now, now]);
    const { source_hash: if_hash } = await vault.ok('get', { path: 'a.md' });
    await vault.ok('write_note', { path: 'a.md', action: 'move', to: 'b/a.md', if_hash });
    expect(await times('b/a.md')).toEqual([saved, now]);
    expect(vault.scope.past?.history.headBlob('a.md')).toBeNull();
    await vault.ok('write_note', { path: 'b/a.md', action: 'append', content: 'three' });
    expect(await times('b/a.md')).toEqual([saved, now]);
  });

  it('say in health what of the settings was not understood', async () => {
    const vault = await openTestVault({ '.grove/vault.yaml': 'zone: [\n', 'a.md': 'one\n' });
    endings.push(() => vault.close());
    await writeFile(join(vault.folder.root, 'b.md'), 'two\n');
    expect((await vault.ok('vault_status')).remarks.join()).toContain('vault.yaml');
  });
});
