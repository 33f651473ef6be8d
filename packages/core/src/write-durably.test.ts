import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { syncFolder, syncFolderNow } from './sync-folder.ts';
import { writeDurably } from './write-durably.ts';

async function makeFolder(): Promise<AsyncDisposable & { readonly path: string }> {
  const path = await mkdtemp(join(tmpdir(), 'grove-core-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

describe('a file written durably', () => {
  it('takes the place of the old one with its own permissions and leaves nothing beside', async () => {
    await using folder = await makeFolder();
    const path = join(folder.path, 'state.json');
    await writeDurably(path, 'old', 0o644);
    await writeDurably(path, Buffer.from('new'), 0o600);
    expect(await readFile(path, 'utf8')).toBe('new');
    if (process.platform !== 'win32') expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder.path)).toEqual(['state.json']);
  });

  it('leaves nothing beside what cannot be replaced', async () => {
    await using folder = await makeFolder();
    await expect(writeDurably(join(folder.path, '.'), 'x', 0o600)).rejects.toThrow();
    expect(await readdir(folder.path)).toEqual([]);
  });
});

describe('syncing a folder', () => {
  it('tells of one that is not there, in both forms', async () => {
    await using folder = await makeFolder();
    await syncFolder(folder.path);
    syncFolderNow(folder.path);
    const missing = join(folder.path, 'missing');
    await expect(syncFolder(missing)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(() => syncFolderNow(missing)).toThrow(/ENOENT/);
  });

  it.runIf(process.platform !== 'win32')('passes over one that this user may not open', async () => {
    await using folder = await makeFolder();
    const closed = join(folder.path, 'closed');
    await mkdir(closed, { mode: 0o300 });
    await chmod(folder.path, 0o755);
    const script = fileURLToPath(new URL('testing/sync-closed-folder.ts', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script, closed]);
    expect(stdout).toBe('passed over');
  });
});
