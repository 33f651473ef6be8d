import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { type OpenedControl, openedControl } from '../testing/opened-control.ts';

/** A closed control.db with some keys in it. */
function filled(): OpenedControl & { token: string } {
  const control = openedControl();
  const { token } = control.keys.create({ name: 'Laptop', vault: 'notes' });
  for (let at = 0; at < 40; at += 1) control.keys.create({ name: `Key ${at}`, vault: 'notes' });
  control.keys.verify(token);
  return { ...control, token };
}

function edit(path: string, sql: string): void {
  const database = new DatabaseSync(path);
  database.exec(sql);
  database.close();
}

/** Writes over the file in place, its first page aside. */
function overwrite(path: string, from = 4_096): void {
  const file = openSync(path, 'r+');
  for (let at = from; at < statSync(path).size; at += 4_096)
    writeSync(file, Buffer.alloc(4_000, 0x41), 0, 4_000, at);
  closeSync(file);
}

const damagedFile = (path: string) =>
  expect.objectContaining({ code: 'control_damaged', message: expect.not.stringContaining(path) });

describe('a damaged control.db', () => {
  const ways: Record<string, (path: string) => void> = {
    'filled with other bytes': (path) => writeFileSync(path, 'this is no database, '.repeat(1_000)),
    'cut in half': (path) => truncateSync(path, 8_192),
    emptied: (path) => truncateSync(path, 0),
    'overwritten in its middle': (path) => overwrite(path),
    'another program’s database': (path) => {
      rmSync(path);
      edit(path, 'CREATE TABLE bookmarks (url TEXT)');
    },
    'another program’s database with a version': (path) => {
      rmSync(path);
      edit(path, 'CREATE TABLE keys (url TEXT); PRAGMA user_version = 1');
    },
    'without a table': (path) => edit(path, 'DROP TABLE keys'),
    'without a column': (path) => edit(path, 'ALTER TABLE keys DROP COLUMN deny_paths'),
    'a symbolic link': (path) => {
      renameSync(path, `${path}.there`);
      symlinkSync(`${path}.there`, path);
    },
    'a folder': (path) => {
      rmSync(path);
      mkdirSync(path);
    },
    'missing, with its log left over': (path) => {
      const other = new DatabaseSync(path);
      other.prepare('SELECT count(*) FROM keys').get();
      edit(path, "UPDATE keys SET ending = '0000'");
      copyFileSync(`${path}-wal`, `${path}.log`);
      other.close();
      rmSync(path);
      renameSync(`${path}.log`, `${path}-wal`);
    },
  };

  it.each(Object.keys(ways))('is told and left as it is: %s', (way) => {
    const control = filled();
    control.close();
    ways[way]!(control.path);
    const bytes = () =>
      existsSync(control.path) && statSync(control.path).isFile() ? readFileSync(control.path) : null;
    const before = bytes();
    expect(() => control.again()).toThrow(damagedFile(control.dataDir));
    expect(bytes()).toEqual(before);
  });

  it.each([
    ['a scope that is none', `scopes = '["everything"]'`],
    ['no scope', `scopes = '[]'`],
    ['limits that are no list', `deny_paths = 'Private'`],
    ['limits that are no texts', `deny_paths = '[1]'`],
    ['a time beyond all measure', 'expires_at = 9223372036854775807'],
  ])('is never read as fewer limits: %s', (_, change) => {
    const control = filled();
    expect(control.keys.verify(control.token)).not.toBeNull();
    edit(control.path, `UPDATE keys SET ${change}`);
    expect(() => control.keys.verify(control.token)).toThrow(damagedFile(control.dataDir));
    expect(() => control.keys.list()).toThrow(damagedFile(control.dataDir));
  });
});

describe('a control.db of a newer Grove', () => {
  it('is left as it is', () => {
    const control = filled();
    control.close();
    edit(control.path, 'PRAGMA user_version = 99');
    const before = readFileSync(control.path);
    expect(() => control.again()).toThrow(expect.objectContaining({ code: 'control_newer' }));
    expect(readFileSync(control.path)).toEqual(before);
  });

  it('that came while it was open is no longer read', () => {
    const control = filled();
    edit(control.path, 'PRAGMA user_version = 99');
    expect(() => control.keys.verify(control.token)).toThrow(
      expect.objectContaining({ code: 'control_newer' }),
    );
  });
});

describe('a control.db lost while it is open', () => {
  const ways: Record<string, (control: OpenedControl) => void> = {
    deleted: ({ path }) => rmSync(path),
    'deleted with its folder': ({ dataDir }) => rmSync(dataDir, { recursive: true }),
    'replaced by a copy': ({ path }) => {
      copyFileSync(path, `${path}.copy`);
      renameSync(`${path}.copy`, path);
    },
    'overwritten by other bytes': ({ path }) => overwrite(path, 0),
    'cut short': ({ path }) => truncateSync(path, 100),
    'without its table': ({ path }) => edit(path, 'DROP TABLE keys'),
  };

  it.each(Object.keys(ways))('verifies nobody, and ends what is open: %s', async (way) => {
    const control = filled();
    // Into the file, which has its first pages in the log until then.
    edit(control.path, 'PRAGMA wal_checkpoint(TRUNCATE)');
    const credential = control.keys.verify(control.token)?.credential;
    const ended: string[] = [];
    control.keys.onEnded((one) => ended.push(one));
    ways[way]!(control);
    expect(() => control.keys.verify(control.token)).toThrow(damagedFile(control.dataDir));
    expect(() => control.keys.create({ name: 'New', vault: 'notes' })).toThrow(damagedFile(control.dataDir));
    while (ended.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ended).toEqual([credential]);
    expect(() => control.close()).not.toThrow();
  });

  it('goes on when the file is back in its place', () => {
    const control = filled();
    renameSync(control.path, `${control.path}.away`);
    expect(() => control.keys.verify(control.token)).toThrow(damagedFile(control.dataDir));
    renameSync(`${control.path}.away`, control.path);
    expect(control.keys.verify(control.token)).not.toBeNull();
  });

  it('is not mistaken for lost when its log is brought into it', () => {
    const control = filled();
    const changed = () => statSync(control.path, { bigint: true }).mtimeNs;
    const before = changed();
    edit(control.path, 'PRAGMA wal_checkpoint(TRUNCATE)');
    expect(changed()).not.toBe(before);
    expect(control.keys.verify(control.token)).not.toBeNull();
  });
});
