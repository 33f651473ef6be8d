import type { Clock } from '@grove/core';
import type { Audit } from './audit/audit.ts';
import { AuditLog } from './audit/audit-log.ts';
import { ClientBook } from './clients/client-book.ts';
import type { OAuthClients } from './clients/oauth-clients.ts';
import { openControlFile } from './control-file/open-file.ts';
import { ControlStore } from './control-file/store.ts';
import type { Credentials } from './credentials/credentials.ts';
import { LastUses } from './credentials/last-uses.ts';
import { TokenCheck } from './credentials/token-check.ts';
import { GrantBook } from './grants/grant-book.ts';
import { GrantTable } from './grants/grant-table.ts';
import type { Grants } from './grants/grants.ts';
import { KeyRing } from './keys/key-ring.ts';
import { KeyTable } from './keys/key-table.ts';
import type { Keys } from './keys/keys.ts';
import type { OAuthRecords } from './oauth/oauth-records.ts';
import { RecordBook } from './oauth/record-book.ts';
import { RecordTable } from './oauth/record-table.ts';
import { OwnerBook } from './owner/owner-book.ts';
import type { OwnerSecret } from './owner/owner-secret.ts';
import { Retention } from './retention/retention.ts';
import { SecretBook, type ServerSecrets } from './secrets/server-secrets.ts';
import { TrailBook } from './trails/trail-book.ts';
import { TrailTable } from './trails/trail-table.ts';
import type { Trails } from './trails/trails.ts';

const DAY_MS = 86_400_000;

/** Where the file is, and the time by which keys expire. */
export interface ControlOptions {
  /** The data folder; made with mode 0700 when it is not there. */
  readonly dataDir: string;
  readonly clock: Clock;
  /**
   * How long a change waits for another process that changes keys, in milliseconds; 5 seconds when absent. The whole
   * process stands still meanwhile, so that a server waits for less.
   */
  readonly changePatienceMs?: number;
  /** The address that access tokens of OAuth clients must be for, such as `https://notes.example/mcp`; without it none is taken. */
  readonly resource?: string | null;
  /**
   * How many days entries of the audit and grants that ended are kept; for the one process that sees to it. Without it
   * nothing goes, nor do records of OAuth that expired.
   */
  readonly retentionDays?: number;
}

/** control.db, open. Several processes may have it open at the same time. */
export interface Control {
  readonly keys: Keys;
  readonly trails: Trails;
  /** The one door for every bearer token. */
  readonly credentials: Credentials;
  readonly oauth: OAuthRecords;
  readonly grants: Grants;
  readonly clients: OAuthClients;
  readonly owner: OwnerSecret;
  readonly secrets: ServerSecrets;
  readonly audit: Audit;
  /** Writes what is still in memory (last uses, audit) and lets the file go. Calling it again does nothing. */
  close(): void;
}

/**
 * Opens `<dataDir>/control.db`, making it (mode 0600) and its folder (0700) on first use, and brings it to the
 * present schema. A damaged file is reported and left as it is, never replaced by an empty one.
 *
 * @throws GroveError `control_locked` when another process holds it for more than 5 seconds; `control_damaged`;
 * `control_newer`; `data_unwritable`
 * @example
 * const control = openControl({ dataDir, clock: systemClock });
 * const verified = control.credentials.verify(token);
 */
export function openControl(options: ControlOptions): Control {
  const { dataDir, clock, changePatienceMs, resource = null, retentionDays } = options;
  const control = controlOf(new ControlStore(openControlFile(dataDir, changePatienceMs)), clock, resource);
  if (retentionDays === undefined) return control;
  const keptMs = retentionDays * DAY_MS;
  const { audit, grants, oauth } = control;
  const retention = new Retention([
    () => oauth.prune(),
    () => grants.prune(keptMs),
    () => audit.prune(keptMs),
  ]);
  return {
    ...control,
    close: () => {
      retention.close();
      control.close();
    },
  };
}

/** The same on a file that is open. */
export function controlOf(store: ControlStore, clock: Clock, resource: string | null): Control {
  const keys = new KeyTable(store);
  const trails = new TrailTable(store);
  const grants = new GrantTable(store);
  const records = new RecordTable(store);
  const uses = new LastUses((pending) => writeUses(store, [keys, trails, grants], pending));
  const tables = { store, keys, trails, grants, records, uses, clock, resource };
  const credentials = new TokenCheck(tables);
  const ring = new KeyRing(tables);
  const audit = new AuditLog({ store, clock });
  return {
    keys: ring,
    trails: new TrailBook({ ...tables, ring }),
    credentials,
    oauth: new RecordBook(tables),
    grants: new GrantBook(tables),
    clients: new ClientBook(tables),
    owner: new OwnerBook(tables),
    secrets: new SecretBook(tables),
    audit,
    close: () => {
      uses.close();
      audit.close();
      credentials.close();
      store.close();
    },
  };
}

/** Ids of keys, trails and grants differ in form, so that each table finds its own. */
function writeUses(
  store: ControlStore,
  tables: readonly { noteUse(id: string, time: number): void }[],
  uses: ReadonlyMap<string, number>,
): void {
  store.note(() => {
    for (const [id, time] of uses) for (const table of tables) table.noteUse(id, time);
  });
}
