import { DatabaseSync } from 'node:sqlite';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { openedControl, openedDatabase } from '../testing/opened-control.ts';
import type { AuditEntry, AuditFilter } from './audit.ts';

const DAY = 86_400_000;
const ENTRY: AuditEntry = {
  at: Date.parse('2026-11-30T12:00:00Z'),
  principal: { kind: 'key', id: 'k_000000000000', name: 'Laptop' },
  trail: null,
  client: null,
  vault: 'notes',
  tool: 'query',
  via: 'mcp',
  ms: 1.25,
  found: 3,
  withheld: null,
  outcome: 'ok',
  address: null,
  requestId: 'r',
};

/** How many entries are on disk. */
function onDisk(path: string): unknown {
  const database = new DatabaseSync(path);
  try {
    return database.prepare('SELECT count(*) AS count FROM audit').get()?.count;
  } finally {
    database.close();
  }
}

describe('what is recorded', () => {
  it('is on disk soon, without being asked for', async () => {
    const { audit, path } = openedControl();
    audit.record(ENTRY);
    expect(onDisk(path)).toBe(0);
    while (onDisk(path) === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    expect(onDisk(path)).toBe(1);
  });

  it('is on disk when the file is closed, and read as it was', () => {
    const control = openedControl();
    const full = { ...ENTRY, trail: 't_000000000000', client: 'Claude', withheld: 2, address: '192.0.2.7' };
    control.audit.record(full);
    control.close();
    expect(control.again().audit.list()).toEqual([{ ...full, sequence: 1 }]);
  });

  it('is nowhere, and waits for nothing, once the file is closed', () => {
    const control = openedControl();
    control.close();
    control.audit.record(ENTRY);
    expect(() => control.audit.flush()).not.toThrow();
    expect(control.again().audit.list()).toEqual([]);
  });

  it('drops no copy of keys that others keep in memory', () => {
    const { control, database } = openedDatabase(temporaryFolder('control'));
    const { token } = control.keys.create({ name: 'Laptop', vault: 'notes' });
    control.credentials.verify(token);
    const reads: string[] = [];
    const prepare = database.prepare.bind(database);
    database.prepare = (sql, options) => {
      reads.push(sql);
      return prepare(sql, options);
    };
    control.audit.record(ENTRY);
    control.audit.flush();
    expect(control.credentials.verify(token)).not.toBeNull();
    expect(reads.some((sql) => sql.includes('INSERT INTO audit'))).toBe(true);
    expect(reads.some((sql) => sql.includes('FROM keys'))).toBe(false);
  });

  it('waits where another holds the file, fails no call, and is written later', () => {
    const { audit, path } = openedControl();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    audit.record(ENTRY);
    expect(() => audit.flush()).not.toThrow();
    other.exec('ROLLBACK');
    other.close();
    expect(audit.list()).toHaveLength(1);
  });

  it('is counted where there is more than can wait', () => {
    const { audit, path } = openedControl();
    const other = new DatabaseSync(path);
    other.exec('BEGIN IMMEDIATE');
    for (let at = 0; at < 10_007; at += 1) audit.record(ENTRY);
    audit.flush();
    other.exec('ROLLBACK');
    other.close();
    expect(audit.list({ limit: 2 })).toMatchObject([
      { tool: 'audit', outcome: 'entries_lost', found: 7 },
      { tool: 'query' },
    ]);
    expect(audit.sum().total.calls).toBe(10_001);
  });

  it('says nothing of a full disk but what is lost', () => {
    const { control, database } = openedDatabase(temporaryFolder('control'));
    const pages = database.prepare('PRAGMA page_count').get()?.page_count;
    database.exec(`PRAGMA max_page_count = ${pages}`);
    for (let at = 0; at < 2_000; at += 1) control.audit.record({ ...ENTRY, outcome: 'x'.repeat(200) });
    expect(() => control.audit.flush()).not.toThrow();
    expect(control.keys.list()).toEqual([]);
    database.exec(`PRAGMA max_page_count = ${Number(pages) + 10_000}`);
    expect(control.audit.sum().total.calls).toBe(2_000);
  });

  it('is bounded and never fails, whatever it holds', () => {
    const { audit } = openedControl();
    audit.record({
      ...ENTRY,
      principal: { kind: 'grant', id: 'i'.repeat(500), name: `${'n'.repeat(500)}\ud800` },
      client: '\ud800',
      ms: Number.NaN,
      found: 1.5,
      withheld: Number.POSITIVE_INFINITY,
    });
    const [row] = audit.list();
    expect(row).toMatchObject({ client: '\ufffd', ms: 0, found: null, withheld: null });
    expect(row?.principal.name).toHaveLength(200);
  });
});

describe('what is asked for', () => {
  const filled = () => {
    const control = openedControl();
    const record = (entry: Partial<AuditEntry>) => control.audit.record({ ...ENTRY, ...entry });
    record({ at: ENTRY.at - 2 * DAY, trail: 't_1', outcome: 'note_not_found', found: 0 });
    record({ at: ENTRY.at - DAY, trail: 't_1', tool: 'get', found: 1 });
    record({ trail: 't_2', principal: { ...ENTRY.principal, id: 'k_other' } });
    record({ vault: 'work' });
    record({ vault: '', tool: 'sign_in', via: 'oauth', found: null, outcome: 'wrong_passphrase' });
    return control;
  };

  it.each<[string, AuditFilter, number[]]>([
    ['all', {}, [5, 4, 3, 2, 1]],
    ['a vault', { vaults: ['notes'] }, [3, 2, 1]],
    ['vaults', { vaults: ['work', ''] }, [5, 4]],
    ['no vault', { vaults: [] }, []],
    ['a trail', { trail: 't_1' }, [2, 1]],
    ['a principal', { principal: 'k_other' }, [3]],
    ['a tool', { tool: 'get' }, [2]],
    ['an outcome', { outcome: 'note_not_found' }, [1]],
    ['refusals', { outcome: 'refused' }, [5, 1]],
    ['what went well', { outcome: 'ok' }, [4, 3, 2]],
    ['a time', { since: ENTRY.at - DAY, until: ENTRY.at }, [2]],
    ['what is left out', { trail: undefined, tool: 'get' }, [2]],
  ])('is found, newest first: %s', (_, filter, sequences) => {
    const { audit } = filled();
    expect(audit.list(filter).map(({ sequence }) => sequence)).toEqual(sequences);
    expect(audit.sum(filter).total.calls).toBe(sequences.length);
  });

  it('comes in pages', () => {
    const { audit } = filled();
    const pages = [audit.list({ limit: 2 }), audit.list({ limit: 2, before: 4 }), audit.list({ before: 2 })];
    expect(pages.map((page) => page.map(({ sequence }) => sequence))).toEqual([[5, 4], [3, 2], [1]]);
    expect(audit.list({ limit: -5 })).toHaveLength(1);
    expect(audit.list({ limit: 1e9 })).toHaveLength(5);
  });

  it('comes to sums, by day in UTC', () => {
    const { audit } = filled();
    expect(audit.sum({ trail: 't_1' })).toEqual({
      total: { calls: 2, found: 1, refused: 1, lastAt: ENTRY.at - DAY },
      days: [
        { day: '2026-11-29', calls: 1, found: 1, refused: 0, lastAt: ENTRY.at - DAY },
        { day: '2026-11-28', calls: 1, found: 0, refused: 1, lastAt: ENTRY.at - 2 * DAY },
      ],
    });
    expect(audit.sum({ trail: 'none' })).toEqual({
      total: { calls: 0, found: 0, refused: 0, lastAt: null },
      days: [],
    });
  });

  it('is what was kept: older entries are pruned', () => {
    const { audit, clock } = filled();
    audit.flush();
    clock.advance(ENTRY.at - clock.now());
    expect(audit.prune(DAY)).toBe(1);
    expect(audit.prune(DAY)).toBe(0);
    expect(audit.list().map(({ sequence }) => sequence)).toEqual([5, 4, 3, 2]);
  });

  it('is told as damage where it is not what Grove writes', () => {
    const control = filled();
    control.audit.flush();
    const database = new DatabaseSync(control.path);
    database.exec("UPDATE audit SET via = 'elsewhere' WHERE sequence = 1");
    database.close();
    expect(() => control.audit.list()).toThrow(expect.objectContaining({ code: 'control_damaged' }));
    // Nobody is kept out by it.
    expect(control.keys.create({ name: 'Laptop', vault: 'notes' }).key.state).toBe('live');
  });
});
