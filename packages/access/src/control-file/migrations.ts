import type { DatabaseSync } from 'node:sqlite';
import { GroveError, inTransaction } from '@grove/core';
import { damaged } from './faults.ts';

/** Tells a control.db from every other SQLite file: "GrvC" (https://www.sqlite.org/pragma.html#pragma_application_id). */
const APPLICATION_ID = 0x47727643;

/**
 * The steps of the schema, oldest first. The version of a database (`PRAGMA user_version`) is the number of steps
 * that it has taken; a step that was released is never changed.
 */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE keys (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    vault TEXT NOT NULL,
    name TEXT NOT NULL,
    scopes TEXT NOT NULL,
    read_paths TEXT NOT NULL,
    write_paths TEXT NOT NULL,
    deny_paths TEXT NOT NULL,
    token_hash TEXT NOT NULL UNIQUE CHECK (length(token_hash) = 64),
    ending TEXT NOT NULL,
    generation INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID}`,
];

/** The tables of the present schema, with their columns. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  keys: [
    'sequence',
    'id',
    'vault',
    'name',
    'scopes',
    'read_paths',
    'write_paths',
    'deny_paths',
    'token_hash',
    'ending',
    'generation',
    'created_at',
    'expires_at',
    'last_used_at',
    'revoked_at',
  ],
};

/** How many steps a database has taken. */
export function versionOf(database: DatabaseSync): number {
  return Number(database.prepare('PRAGMA user_version').get()?.user_version);
}

/**
 * Takes the steps that a database lacks, each in a transaction of its own with its number. Processes that do this
 * at the same time wait for each other.
 *
 * @throws GroveError `control_newer` when it has taken more steps than are known here
 */
export function migrate(database: DatabaseSync, steps: readonly string[] = MIGRATIONS): void {
  refuseNewer(database, steps.length);
  while (versionOf(database) < steps.length) {
    inTransaction(database, () => {
      // Another process may have taken the step while this one waited.
      const version = versionOf(database);
      refuseNewer(database, steps.length);
      const step = steps[version];
      if (step !== undefined) database.exec(`${step}; PRAGMA user_version = ${version + 1}`);
    });
  }
}

/** Throws `control_damaged` for a database that is not a control.db of any version. */
export function refuseForeign(database: DatabaseSync): void {
  const id = database.prepare('PRAGMA application_id').get()?.application_id;
  if (id !== APPLICATION_ID) throw damaged('it is the database of another program');
}

/** Throws `control_newer` for a database that has taken more steps than `known`. */
export function refuseNewer(database: DatabaseSync, known: number = MIGRATIONS.length): void {
  if (versionOf(database) > known) throw new GroveError('control_newer');
}

/** Throws `control_damaged` when a table or column is missing, or a page of the keys or their indexes is damaged. */
export function checkTables(database: DatabaseSync): void {
  for (const [table, columns] of Object.entries(TABLES)) {
    const found = new Set(
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map((row) => row.name),
    );
    const missing = columns.find((column) => !found.has(column));
    if (found.size === 0) throw damaged(`the table "${table}" is missing`);
    if (missing !== undefined) throw damaged(`the column "${missing}" of the table "${table}" is missing`);
  }
  const first = database.prepare('PRAGMA integrity_check(keys)').get()?.integrity_check;
  if (first !== 'ok') throw damaged('its pages contradict each other');
}
