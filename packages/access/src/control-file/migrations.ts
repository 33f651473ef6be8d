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
  `CREATE TABLE trails (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    vault TEXT NOT NULL,
    name TEXT NOT NULL,
    rules TEXT NOT NULL,
    reads INTEGER NOT NULL,
    writes INTEGER NOT NULL,
    invite_hash TEXT UNIQUE CHECK (length(invite_hash) = 64),
    generation INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    disabled_at INTEGER,
    last_used_at INTEGER,
    UNIQUE (vault, name)
  ) STRICT;
  ALTER TABLE keys ADD COLUMN trail TEXT REFERENCES trails (id);
  CREATE INDEX keys_trail ON keys (trail);
  CREATE TABLE grants (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    id_hash TEXT NOT NULL UNIQUE CHECK (length(id_hash) = 64),
    account TEXT NOT NULL,
    vault TEXT NOT NULL,
    trail TEXT,
    scopes TEXT NOT NULL,
    asked_to_write INTEGER NOT NULL,
    client TEXT NOT NULL,
    client_name TEXT NOT NULL,
    redirect_host TEXT NOT NULL,
    resource TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    last_used_at INTEGER,
    revoked_at INTEGER
  ) STRICT;
  CREATE INDEX grants_trail ON grants (trail);
  CREATE TABLE oauth_records (
    model TEXT NOT NULL,
    id_hash TEXT NOT NULL CHECK (length(id_hash) = 64),
    payload TEXT NOT NULL,
    grant_id TEXT,
    uid TEXT,
    consumed_at INTEGER,
    expires_at INTEGER,
    PRIMARY KEY (model, id_hash)
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX oauth_records_grant ON oauth_records (grant_id) WHERE grant_id IS NOT NULL;
  CREATE INDEX oauth_records_uid ON oauth_records (model, uid) WHERE uid IS NOT NULL;
  CREATE INDEX oauth_records_expiry ON oauth_records (expires_at) WHERE expires_at IS NOT NULL;
  CREATE TABLE oauth_clients (
    sequence INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    redirect_uris TEXT NOT NULL,
    secret_hash TEXT NOT NULL CHECK (length(secret_hash) = 64),
    created_at INTEGER NOT NULL
  ) STRICT;
  CREATE TABLE owner (
    only_row INTEGER PRIMARY KEY CHECK (only_row = 1),
    passphrase TEXT,
    generation INTEGER NOT NULL,
    setup_hash TEXT CHECK (length(setup_hash) = 64)
  ) STRICT;
  CREATE TABLE owner_accounts (
    provider TEXT NOT NULL,
    subject TEXT NOT NULL,
    bound_at INTEGER NOT NULL,
    PRIMARY KEY (provider, subject)
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE server_secrets (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL,
    created_at INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE TABLE audit (
    sequence INTEGER PRIMARY KEY,
    at INTEGER NOT NULL,
    principal_kind TEXT NOT NULL,
    principal_id TEXT NOT NULL,
    principal_name TEXT NOT NULL,
    trail TEXT,
    client TEXT,
    vault TEXT NOT NULL,
    tool TEXT NOT NULL,
    via TEXT NOT NULL,
    ms REAL NOT NULL,
    found INTEGER,
    withheld INTEGER,
    outcome TEXT NOT NULL,
    address TEXT,
    request_id TEXT
  ) STRICT;
  CREATE INDEX audit_at ON audit (at);
  CREATE INDEX audit_trail ON audit (trail, at) WHERE trail IS NOT NULL;
  CREATE INDEX audit_principal ON audit (principal_id, at)`,
  'ALTER TABLE owner ADD COLUMN setup_expires_at INTEGER',
];

/** The tables of the present schema, with their columns. */
const TABLES: Readonly<Record<string, readonly string[]>> = {
  keys: columns(
    'sequence id vault name scopes read_paths write_paths deny_paths token_hash ending generation created_at expires_at last_used_at revoked_at trail',
  ),
  trails: columns(
    'sequence id vault name rules reads writes invite_hash generation created_at expires_at disabled_at last_used_at',
  ),
  grants: columns(
    'sequence id id_hash account vault trail scopes asked_to_write client client_name redirect_host resource created_at last_used_at revoked_at',
  ),
  oauth_records: columns('model id_hash payload grant_id uid consumed_at expires_at'),
  oauth_clients: columns('sequence id name redirect_uris secret_hash created_at'),
  owner: columns('only_row passphrase generation setup_hash setup_expires_at'),
  owner_accounts: columns('provider subject bound_at'),
  server_secrets: columns('name value created_at'),
  audit: columns(
    'sequence at principal_kind principal_id principal_name trail client vault tool via ms found withheld outcome address request_id',
  ),
};

function columns(names: string): readonly string[] {
  return names.split(' ');
}

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

/** Tables whose pages are looked through at each opening: those by which it is decided who may do what. */
const DECIDING = ['keys', 'trails', 'grants', 'owner', 'owner_accounts', 'oauth_clients'];

/**
 * Throws `control_damaged` when a table or column is missing, or a page of the tables that decide who may do what, or
 * of their indexes, is damaged.
 */
export function checkTables(database: DatabaseSync): void {
  for (const [table, names] of Object.entries(TABLES)) {
    const found = new Set(
      database
        .prepare('SELECT name FROM pragma_table_info(?)')
        .all(table)
        .map((row) => row.name),
    );
    const missing = names.find((name) => !found.has(name));
    if (found.size === 0) throw damaged(`the table "${table}" is missing`);
    if (missing !== undefined) throw damaged(`the column "${missing}" of the table "${table}" is missing`);
  }
  for (const table of DECIDING) {
    const first = database.prepare(`PRAGMA integrity_check(${table})`).get()?.integrity_check;
    if (first !== 'ok') throw damaged('its pages contradict each other');
  }
}
