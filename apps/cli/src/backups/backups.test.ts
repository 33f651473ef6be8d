import {
  createReadStream,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { type OpenedVault, openOwnedVault, type WriteNoteAnswer, writeNote } from '@grove/service';
import { describeWithPrograms, SystemGit, temporaryFolder, writeFiles } from '@grove/testing';
import { acquireOwnership } from '@grove/vault';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createBackup, type MadeBackup } from './create-backup.ts';
import { type Restored, restoreBackup } from './restore-backup.ts';
import { finishSwap } from './swap.ts';

const never = new AbortController().signal;

interface Place {
  readonly root: string;
  readonly dataDir: string;
  readonly file: string;
}

function place(): Place {
  const folder = temporaryFolder('a backup');
  const root = join(folder, 'Notes');
  writeFiles(root, { 'Plan.md': '# Plan\n', 'Other.md': '# Other\n' });
  return { root, dataDir: join(folder, 'data'), file: join(folder, 'out', 'grove.tar.gz') };
}

async function opened({ root, dataDir }: Place): Promise<OpenedVault> {
  const vault = await openOwnedVault({ root, dataDir, kind: 'server' });
  onTestFinished(() => vault.close());
  await vault.ready;
  await vault.writes.switch(true);
  return vault;
}

async function append(vault: OpenedVault, content: string): Promise<WriteNoteAnswer> {
  const owner = { kind: 'owner', id: 'owner', name: 'owner' } as const;
  const scope = vault.scope(owner, undefined, { scopes: ['write'] });
  return await writeNote.run(scope, writeNote.parse({ action: 'append', path: 'Plan.md', content }));
}

async function backUp({ dataDir, file }: Place, force = false): Promise<MadeBackup> {
  mkdirSync(join(file, '..'), { recursive: true });
  return await createBackup({
    dataDir,
    to: file,
    force,
    version: '0.1.0',
    now: 0,
    onProgress: () => {},
    stop: never,
  });
}

async function restore(file: string, dataDir: string, force = false): Promise<Restored> {
  const now = Date.parse('2026-12-01T10:00:00Z');
  return await restoreBackup({
    source: createReadStream(file),
    dataDir,
    force,
    now,
    onEntry: () => {},
    stop: never,
  });
}

const namesIn = (folder: string): string[] => readdirSync(folder).sort();

describeWithPrograms('a backup beside a server that writes and packs', ['git'], () => {
  it('holds every write that was answered before, in a history without a gap', async () => {
    const here = place();
    const vault = await opened(here);
    for (let count = 0; count < 20; count += 1) await append(vault, `before ${count}`);
    const going = { on: true, writes: 0 };
    const load = (async () => {
      while (going.on) {
        await append(vault, `while ${going.writes + 1}`);
        going.writes += 1;
        await sleep(20);
      }
    })();
    const packing = (async () => {
      while (going.on) {
        await vault.maintain();
        await sleep(100);
      }
    })();
    const other = join(here.file, '..', '..', 'restored');
    for (let round = 0; round < 2; round += 1) {
      const answered = going.writes;
      await backUp(here, true);
      rmSync(other, { recursive: true, force: true });
      await restore(here.file, other);
      const git = join(other, 'vaults', 'notes', 'git');
      const run = (...args: string[]) => new SystemGit(here.root).run('--git-dir', git, ...args);
      expect(run('fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
      const text = run('show', 'HEAD:Plan.md');
      expect(text).toContain('before 19');
      if (answered > 0) expect(text).toContain(`while ${answered}\n`);
    }
    going.on = false;
    await Promise.all([load, packing]);
    expect(going.writes).toBeGreaterThan(3);
  });
});

describe('createBackup', () => {
  it('takes nothing that is derived, locked or on its way, and says what is no file', async () => {
    const here = place();
    const vault = await opened(here);
    await append(vault, 'one');
    await vault.writes.settled();
    symlinkSync('/etc/hosts', join(here.dataDir, 'vaults', 'notes', 'link'));
    writeFileSync(join(here.dataDir, 'lancedb.json'), '{}');
    writeFiles(join(here.dataDir, 'cache'), { 'node/compiled': 'x' });
    writeFileSync(join(here.dataDir, 'vaults', 'notes', 'owner.lock-journal'), '');
    mkdirSync(join(here.dataDir, 'replaced-2026-01-01'));
    writeFileSync(join(here.dataDir, 'replaced-2026-01-01', 'old'), 'x');
    expect(await backUp(here)).toMatchObject({ vaults: ['notes'], leftOut: ['vaults/notes/link'] });
    const other = join(here.root, '..', 'other');
    await restore(here.file, other);
    expect(namesIn(other)).toEqual(['vaults']);
    const names = namesIn(join(other, 'vaults', 'notes'));
    expect(names).toEqual(
      expect.arrayContaining(['cursor.key', 'git', 'ledger.db', 'trailers.key', 'vault.json']),
    );
    for (const name of [
      'index',
      'catalog.id',
      'owner.lock',
      'owner.lock-journal',
      'owner.json',
      'ledger.db-wal',
      'link',
    ])
      expect(names).not.toContain(name);
    expect(namesIn(join(here.file, '..'))).toEqual(['grove.tar.gz']);
  });

  it('takes what lies on another disk, behind a link in the place of a state folder', async () => {
    const here = place();
    await (await opened(here)).close();
    const elsewhere = join(here.root, '..', 'other disk');
    renameSync(join(here.dataDir, 'vaults', 'notes'), elsewhere);
    symlinkSync(elsewhere, join(here.dataDir, 'vaults', 'notes'));
    expect(await backUp(here)).toMatchObject({ vaults: ['notes'], leftOut: [] });
    const other = join(here.root, '..', 'restored');
    await restore(here.file, other);
    expect(namesIn(join(other, 'vaults', 'notes'))).toEqual(expect.arrayContaining(['git', 'ledger.db']));
  });

  it.each([
    ['in the data folder', ({ dataDir }: Place) => join(dataDir, 'b'), /lost together with it/],
    ['in the folder of a vault', ({ root }: Place) => join(root, 'b'), /holds secrets/],
    ['in a folder that is not there', ({ root }: Place) => join(root, '..', 'none', 'b'), /not there/],
    ['where a file is', ({ root }: Place) => join(root, '..', 'taken'), /such a file already/],
  ])('refuses a place %s, and leaves nothing there', async (_, at, says) => {
    const here = place();
    await (await opened(here)).close();
    writeFileSync(join(here.root, '..', 'taken'), 'mine');
    const file = at(here);
    const wish = {
      dataDir: here.dataDir,
      to: file,
      force: false,
      version: '0',
      now: 0,
      onProgress: () => {},
      stop: never,
    };
    await expect(createBackup(wish)).rejects.toThrow(says);
    expect(namesIn(join(here.root, '..'))).toEqual(['Notes', 'data', 'taken']);
    expect(readFileSync(join(here.root, '..', 'taken'), 'utf8')).toBe('mine');
  });

  it('refuses a data folder that holds nothing, and one with a damaged control.db', async () => {
    const here = place();
    await expect(backUp(here)).rejects.toThrow(/holds nothing yet/);
    mkdirSync(here.dataDir);
    writeFileSync(join(here.dataDir, 'control.db'), 'x'.repeat(2000));
    await expect(backUp(here)).rejects.toThrow(/SQLite says of control\.db/);
    expect(namesIn(join(here.file, '..'))).toEqual([]);
  });
});

describe('a backup that is cut off', () => {
  it('leaves nothing when it is stopped', async () => {
    const here = place();
    await (await opened(here)).close();
    await backUp(here);
    const stop = new AbortController();
    const { dataDir, file } = here;
    const wish = { dataDir, to: file, force: true, version: '0.1.0', now: 0, stop: stop.signal };
    const before = readFileSync(file);
    const making = createBackup({ ...wish, onProgress: () => stop.abort() });
    await expect(making).rejects.toMatchObject({ name: 'AbortError' });
    expect(namesIn(join(file, '..'))).toEqual(['grove.tar.gz']);
    expect(readFileSync(file)).toEqual(before);
    const source = createReadStream(file);
    const again = join(here.root, '..', 'other');
    const restoring = restoreBackup({
      source,
      dataDir: again,
      force: false,
      now: 0,
      onEntry: () => {},
      stop: stop.signal,
    });
    await expect(restoring).rejects.toMatchObject({ name: 'AbortError' });
    expect(namesIn(join(here.root, '..'))).not.toContain('other');
  });

  it('is cleared away by the next one, where its process has ended and it is one', async () => {
    const here = place();
    await (await opened(here)).close();
    const folder = join(here.file, '..');
    const [ended, live, mine] = ['ended', 'live', 'mine'].map((name) =>
      join(folder, `.unfinished-backup-${name}`),
    ) as [string, string, string];
    const held = { host: 'h', pid: 1, socketPath: null, kind: 'server' } as const;
    await (await acquireOwnership({ lockDir: ended, ...held })).release();
    const living = await acquireOwnership({ lockDir: live, ...held });
    onTestFinished(() => living.release());
    writeFiles(ended, { backup: 'secret' });
    writeFiles(mine, { 'a file': 'of mine' });
    await backUp(here);
    expect(namesIn(folder)).toEqual(['.unfinished-backup-live', '.unfinished-backup-mine', 'grove.tar.gz']);
  });
});

describeWithPrograms('restoreBackup, with git', ['git'], () => {
  it.each([
    ['with a repository of its own', (root: string) => void SystemGit.init(root)],
    ['without one', () => {}],
  ])('refuses while one owns a vault whose folder is away: a folder %s', async (_what, prepare) => {
    const here = place();
    prepare(here.root);
    const vault = await opened(here);
    await backUp(here);
    renameSync(here.root, `${here.root} elsewhere`);
    await expect(restore(here.file, here.dataDir, true)).rejects.toMatchObject({
      code: 'vault_owned',
      data: { pid: process.pid },
      hint: expect.stringMatching(/the vault notes open.*stop it, then run this again/),
    });
    await vault.close();
    expect((await restore(here.file, here.dataDir, true)).kept).not.toBe(null);
  });
});

describe('restoreBackup', () => {
  it('waits for no server: it refuses while one owns a vault of the data folder', async () => {
    const here = place();
    const vault = await opened(here);
    await backUp(here);
    const before = namesIn(here.dataDir);
    await expect(restore(here.file, here.dataDir, true)).rejects.toMatchObject({ code: 'vault_owned' });
    expect(namesIn(here.dataDir)).toEqual(before);
    await append(vault, 'it goes on');
  });

  it('puts aside what was there, and only when it is told to', async () => {
    const here = place();
    const vault = await opened(here);
    await backUp(here);
    await append(vault, 'after the backup');
    await vault.close();
    openControl({ dataDir: here.dataDir, clock: systemClock }).close();
    // Of a restore that was killed.
    mkdirSync(join(here.dataDir, '.unfinished-y', 'vaults'), { recursive: true });
    await expect(restore(here.file, here.dataDir)).rejects.toMatchObject({ code: 'restore_refused' });
    const { kept, vaults } = await restore(here.file, here.dataDir, true);
    expect(kept).toBe('replaced-2026-12-01T10-00-00-000Z');
    expect(vaults).toEqual([{ slug: 'notes', root: here.root, isThere: true, unfinished: 0 }]);
    expect(namesIn(here.dataDir)).toEqual([kept, 'vaults']);
    expect(namesIn(join(here.dataDir, kept!))).toEqual(['control.db', 'vaults']);
    const again = await opened(here);
    // What was written since is on disk, and a person's from now on.
    await append(again, 'and more');
    expect(readFileSync(join(here.root, 'Plan.md'), 'utf8')).toBe('# Plan\n\nafter the backup\n\nand more\n');
  });

  it('does no write of then again, and keeps the text of one that was on its way', async () => {
    const here = place();
    await (await opened(here)).close();
    const ledger = new DatabaseSync(join(here.dataDir, 'vaults', 'notes', 'ledger.db'));
    const record = { files: [{ path: 'Plan.md', diskPath: 'Plan.md' }], commits: [] };
    ledger.prepare('INSERT INTO journal VALUES (1, 1, ?)').run(JSON.stringify(record));
    ledger
      .prepare('INSERT INTO journal_files VALUES (1, 0, NULL, ?, NULL, NULL)')
      .run(Buffer.from('# Then\n'));
    ledger.close();
    await backUp(here);
    expect((await restore(here.file, here.dataDir, true)).vaults).toMatchObject([{ unfinished: 1 }]);
    const kept = join(here.dataDir, 'vaults', 'notes', 'unfinished-writes');
    expect(readFileSync(join(kept, '1.md'), 'utf8')).toBe('# Then\n');
    expect(JSON.parse(readFileSync(join(kept, 'names.json'), 'utf8'))).toEqual([
      { file: '1.md', note: 'Plan.md' },
    ]);
    await opened(here);
    expect(readFileSync(join(here.root, 'Plan.md'), 'utf8')).toBe('# Plan\n');
  });

  it.each([
    ['before the first file is moved', [], []],
    ['when a part of what was there is put aside', ['control.db'], []],
    ['when all of it is', ['control.db', 'mine', 'vaults'], []],
    ['when a part of what comes is in its place', ['control.db', 'mine', 'vaults'], ['control.db']],
    ['when all of it is in its place', ['control.db', 'mine', 'vaults'], ['control.db', 'vaults']],
  ])('is finished by the next command when it is cut off %s', (_, putAside, placed) => {
    const dataDir = temporaryFolder('data');
    const [staged, kept] = ['.unfinished-x', 'replaced-x'];
    const fill = (folder: string, text: string, names: readonly string[]): void =>
      writeFiles(join(dataDir, folder), Object.fromEntries(names.map((name) => [name, text])));
    const move = (from: string, to: string, names: readonly string[]): void => {
      mkdirSync(join(dataDir, to), { recursive: true });
      for (const name of names) renameSync(join(dataDir, from, name), join(dataDir, to, name));
    };
    fill('', 'old', ['control.db', 'mine', 'vaults/a/vault.json']);
    fill(staged, 'new', ['control.db', 'vaults/b/vault.json']);
    fill('run', 'a socket', ['x.sock']);
    const names = ['control.db', 'vaults'];
    writeFileSync(join(dataDir, '.unfinished-restore.json'), JSON.stringify({ staged, kept, names }));
    move('', kept, putAside);
    move(staged, '', placed);
    for (let times = 0; times < 2; times += 1) {
      finishSwap(dataDir);
      expect(namesIn(dataDir)).toEqual(['control.db', kept, 'run', 'vaults']);
      expect(readFileSync(join(dataDir, 'control.db'), 'utf8')).toBe('new');
      expect(namesIn(join(dataDir, 'vaults'))).toEqual(['b']);
      expect(namesIn(join(dataDir, kept))).toEqual(['control.db', 'mine', 'vaults']);
      expect(readFileSync(join(dataDir, kept, 'control.db'), 'utf8')).toBe('old');
    }
  });
});
