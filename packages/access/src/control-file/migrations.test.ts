import { chmodSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { newSecret } from '../credentials/secret.ts';
import { makeTrail } from '../testing/let-in.ts';
import { openedControl } from '../testing/opened-control.ts';
import { checkTables, MIGRATIONS, migrate, versionOf } from './migrations.ts';

function emptyDatabase(): DatabaseSync {
  const database = new DatabaseSync(':memory:');
  onTestFinished(() => database.close());
  return database;
}

const tables = (database: DatabaseSync) =>
  database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .all()
    .map((row) => row.name);

describe('migrate', () => {
  it('brings an empty database to the present schema, once', () => {
    const database = emptyDatabase();
    migrate(database);
    migrate(database);
    expect(versionOf(database)).toBe(MIGRATIONS.length);
    expect(() => checkTables(database)).not.toThrow();
  });

  it('takes only the steps that are missing, and keeps what is there', () => {
    const database = emptyDatabase();
    migrate(database, ['CREATE TABLE one (a)']);
    database.exec('INSERT INTO one VALUES (1)');
    migrate(database, [
      'CREATE TABLE one (a)',
      'ALTER TABLE one ADD COLUMN b DEFAULT 2',
      'CREATE TABLE three (c)',
    ]);
    expect(versionOf(database)).toBe(3);
    expect(database.prepare('SELECT * FROM one').get()).toEqual({ a: 1, b: 2 });
  });

  it('leaves nothing of a step that fails', () => {
    const database = emptyDatabase();
    const steps = ['CREATE TABLE one (a)', 'CREATE TABLE two (a); INSERT INTO missing VALUES (1)'];
    expect(() => migrate(database, steps)).toThrow();
    expect(versionOf(database)).toBe(1);
    expect(tables(database)).toEqual(['one']);
    expect(database.isTransaction).toBe(false);
  });

  it('refuses a database that has taken more steps', () => {
    const database = emptyDatabase();
    migrate(database, ['CREATE TABLE one (a)', 'CREATE TABLE two (a)']);
    expect(() => migrate(database, ['CREATE TABLE one (a)'])).toThrow(
      expect.objectContaining({ code: 'control_newer' }),
    );
  });
});

describe('a control.db of the first release', () => {
  /** A file as the first step made it, with a key in it. */
  function firstFile(): { readonly dataDir: string; readonly token: string } {
    const dataDir = temporaryFolder('control');
    chmodSync(dataDir, 0o700);
    const { secret, hash } = newSecret('token');
    const database = new DatabaseSync(join(dataDir, 'control.db'));
    migrate(database, MIGRATIONS.slice(0, 1));
    database
      .prepare(
        `INSERT INTO keys (id, vault, name, scopes, read_paths, write_paths, deny_paths, token_hash, ending, generation,
          created_at) VALUES ('k_first0000000', 'notes', 'Laptop', '["read"]', '["Work"]', '[]', '[]', ?, 'abcd', 3, 1)`,
      )
      .run(hash);
    database.close();
    return { dataDir, token: secret };
  }

  it('keeps its keys as they were, and takes trails beside them', () => {
    const { dataDir, token } = firstFile();
    const control = openedControl(dataDir);
    expect(control.credentials.verify(token)).toMatchObject({
      credential: 'k_first0000000.3',
      kind: 'key',
      scopes: ['read'],
      readPaths: ['Work'],
      trail: null,
    });
    const { trail, token: shared } = makeTrail(control);
    expect(control.credentials.verify(shared)).toMatchObject({ kind: 'trail', trail: { id: trail.id } });
    expect(control.keys.list().map(({ id }) => id)).toEqual(['k_first0000000']);
  });

  it('is kept beside as it was, for this user alone, before its tables change', () => {
    const { dataDir, token } = firstFile();
    openedControl(dataDir).close();
    const kept = join(dataDir, 'control.db.version-1');
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const copy = new DatabaseSync(kept, { readOnly: true });
    expect(versionOf(copy)).toBe(1);
    expect(tables(copy)).toEqual(['keys']);
    copy.close();
    // The way back: the copy is a whole control.db.
    renameSync(kept, join(dataDir, 'control.db'));
    expect(openedControl(dataDir).credentials.verify(token)).toMatchObject({ kind: 'key' });
  });

  it('is not kept again at later starts', () => {
    const { dataDir } = firstFile();
    openedControl(dataDir).close();
    rmSync(join(dataDir, 'control.db.version-1'));
    openedControl(dataDir).close();
    expect(readdirSync(dataDir).filter((name) => name.includes('version'))).toEqual([]);
  });
});
