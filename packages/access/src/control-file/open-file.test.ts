import { once } from 'node:events';
import { chmodSync, chownSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collect, spawnScript, temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { openedControl, openedDatabase } from '../testing/opened-control.ts';

const CHILD = fileURLToPath(new URL('../testing/permission-child.ts', import.meta.url));
const modeOf = (path: string) => statSync(path).mode & 0o777;
const filesOf = (dataDir: string) => readdirSync(dataDir).sort();

describe('control.db on first use', () => {
  it('is for its user alone, with its folder and the files beside it', () => {
    const { dataDir, keys, path, close } = openedControl(join(temporaryFolder('control'), 'one', 'data'));
    keys.create({ name: 'Laptop', vault: 'notes' });
    expect(filesOf(dataDir)).toEqual(['control.db', 'control.db-shm', 'control.db-wal']);
    for (const name of filesOf(dataDir)) expect([name, modeOf(join(dataDir, name))]).toEqual([name, 0o600]);
    expect([modeOf(dataDir), modeOf(dirname(dataDir))]).toEqual([0o700, 0o700]);
    close();
    expect(filesOf(dataDir)).toEqual(['control.db']);
    expect(modeOf(path)).toBe(0o600);
  });

  it('leaves a folder that is there as it is', () => {
    const dataDir = temporaryFolder('control');
    chmodSync(dataDir, 0o755);
    openedControl(dataDir);
    expect(modeOf(dataDir)).toBe(0o755);
  });

  it('takes the rights of others to files that were wider', () => {
    const { dataDir, again } = openedControl();
    for (const name of filesOf(dataDir)) chmodSync(join(dataDir, name), 0o666);
    again();
    for (const name of filesOf(dataDir)) expect([name, modeOf(join(dataDir, name))]).toEqual([name, 0o600]);
  });
});

describe('control.db, open', () => {
  it('syncs each commit, and gives a foreign schema no functions', () => {
    const { database } = openedDatabase(temporaryFolder('control'));
    const pragma = (name: string) => Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0];
    expect(pragma('synchronous')).toBe(2);
    expect(pragma('journal_mode')).toBe('wal');
    expect(pragma('foreign_keys')).toBe(1);
    expect(pragma('trusted_schema')).toBe(0);
  });

  it('syncs each commit after last uses were written too', () => {
    const { control, ring, database } = openedDatabase(temporaryFolder('control'));
    control.credentials.verify(ring.create({ name: 'Laptop', vault: 'notes' }).token);
    const other = openedDatabase(dirname(String(database.location())));
    other.control.credentials.verify(other.ring.rotate(other.ring.list()[0]!.id).token);
    other.database.exec('BEGIN IMMEDIATE');
    expect(() => control.close()).not.toThrow();
    other.database.exec('ROLLBACK');
    expect(other.database.prepare('PRAGMA synchronous').get()).toEqual({ synchronous: 2 });
  });

  it('answers after it was closed that the server is stopping, whatever is asked', () => {
    const { credentials, keys, close } = openedControl();
    const { token, key } = keys.create({ name: 'Laptop', vault: 'notes' });
    close();
    close();
    const stopping = expect.objectContaining({ code: 'stopping' });
    expect(() => credentials.verify(token)).toThrow(stopping);
    expect(() => keys.list()).toThrow(stopping);
    expect(() => keys.revoke(key.id)).toThrow(stopping);
    expect(credentials.verify('no token')).toBeNull();
  });

  it('says that the disk is full, and shows no key that it could not keep', () => {
    const { control, ring, database } = openedDatabase(temporaryFolder('control'));
    const pages = database.prepare('PRAGMA page_count').get()?.page_count;
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const many = Array.from({ length: 200 }, (_, index) => `Folder ${index}`);
    const wish = { vault: 'notes', denyPaths: many };
    const before = ring.create({ name: 'Small', vault: 'notes' });
    expect(() => {
      for (let at = 0; at < 100; at += 1) ring.create({ ...wish, name: `Large ${at}` });
    }).toThrow(
      expect.objectContaining({
        code: 'data_unwritable',
        data: { reason: 'the disk is full' },
        hint: expect.stringMatching(/^Make room/),
      }),
    );
    expect(control.credentials.verify(before.token)).not.toBeNull();
    database.exec(`PRAGMA max_page_count = ${Number(pages) + 1_000}`);
    const kept = ring.list().length;
    ring.create({ ...wish, name: 'Later' });
    expect(ring.list()).toHaveLength(kept + 1);
  });
});

describe('a data folder that cannot be used', () => {
  const NOBODY = 65_534;
  const asRoot = process.getuid?.() === 0;

  /** What opening says to a user without root's rights, once `spoil` has been at a folder that is its own. */
  async function openAfter(spoil: (dataDir: string) => void): Promise<{ code: string; message: string }> {
    const dataDir = temporaryFolder('control');
    const control = openedControl(dataDir);
    control.close();
    if (asRoot) for (const path of [dataDir, control.path]) chownSync(path, NOBODY, NOBODY);
    spoil(dataDir);
    const child = spawnScript(CHILD, [dataDir, asRoot ? String(NOBODY) : '']);
    const output = collect(child.stdout);
    await once(child, 'close');
    chmodSync(dataDir, 0o700);
    expect(output()).not.toContain(dataDir);
    return JSON.parse(output());
  }

  it('serves the user that it belongs to', async () => {
    expect(await openAfter(() => {})).toEqual({ code: null });
  });

  it.each<[string, (dataDir: string) => void]>([
    ['may only be read', (dataDir) => chmodSync(dataDir, 0o500)],
    ['is closed', (dataDir) => chmodSync(dataDir, 0)],
    ['holds a control.db that may only be read', (dataDir) => chmodSync(join(dataDir, 'control.db'), 0o400)],
    ['holds a control.db that may not be read', (dataDir) => chmodSync(join(dataDir, 'control.db'), 0)],
  ])('because it %s', async (_, spoil) => {
    const { code, message } = await openAfter(spoil);
    expect(code).toBe('data_unwritable');
    expect(message).toContain('EACCES');
  });

  it('because it is a file, or below one', () => {
    const file = join(temporaryFolder('control'), 'file');
    writeFileSync(file, '');
    for (const dataDir of [file, join(file, 'data')]) {
      expect(() => openedControl(dataDir)).toThrow(
        expect.objectContaining({ code: 'data_unwritable', message: expect.not.stringContaining(file) }),
      );
    }
  });

  it('because its name is too long', () => {
    const dataDir = join(temporaryFolder('control'), 'x'.repeat(300));
    expect(() => openedControl(dataDir)).toThrow(expect.objectContaining({ code: 'data_unwritable' }));
    mkdirSync(join(dirname(dataDir), 'short'));
  });
});
