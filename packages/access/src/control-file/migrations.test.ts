import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
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
