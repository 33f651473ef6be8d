import {
  existsSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { contentHash, parseVaultPath } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { KEY, type OpenedEngine, openedEngine, wholeWrite } from '../testing/opened-engine.ts';
import { openLedger } from './open-ledger.ts';
import { migrate, STEPS } from './schema.ts';

const PLAN = parseVaultPath('Plan.md');
const record = {
  ref: 'refs/heads/main',
  base: null,
  commits: [],
  files: [],
  madeFolders: [],
  author: null,
  idempotency: null,
  written: [],
  conflictSaved: [],
  answer: null,
  followUp: null,
};

describe('a ledger', () => {
  it('is for its user alone, and syncs each commit', () => {
    const stateDir = memoryFolder('state');
    const { ledger, anew } = openLedger(stateDir, 0);
    expect(anew).toBe('missing');
    ledger.begin(record);
    for (const name of readdirSync(stateDir))
      expect([name, statSync(join(stateDir, name)).mode & 0o777]).toEqual([name, 0o600]);
    ledger.close();
    const again = openLedger(stateDir, 0);
    expect(again.anew).toBeNull();
    expect(again.ledger.journalRows()).toHaveLength(1);
    again.ledger.close();
    const database = new DatabaseSync(join(stateDir, 'ledger.db'));
    expect(database.prepare('PRAGMA journal_mode').get()).toEqual({ journal_mode: 'wal' });
    database.close();
  });

  it('keeps the bytes of a row, also those that git stores otherwise, and none for a missing file', () => {
    const { ledger } = openLedger(memoryFolder('state'), 0);
    const bytes = (text: string) => new Uint8Array(Buffer.from(text));
    const file = {
      path: PLAN,
      diskPath: PLAN,
      before: null,
      after: bytes('a\r\n'),
      storedBefore: null,
      storedAfter: bytes('a\n'),
      permissions: 0o644,
      owner: null,
      sourceHash: 'x',
      temp: '/t',
      keep: '/k',
    };
    const same = bytes('');
    const files = [file, { ...file, before: same, storedBefore: same, after: null, storedAfter: null }];
    ledger.begin({ ...record, files });
    expect(ledger.journalRows()[0]!.record.files).toEqual(files);
    ledger.close();
  });

  it('of a newer Grove stays as it is; the file of another program is put aside', () => {
    const stateDir = memoryFolder('state');
    openLedger(stateDir, 0).ledger.close();
    const path = join(stateDir, 'ledger.db');
    const set = (pragma: string) => {
      const database = new DatabaseSync(path);
      database.exec(`PRAGMA ${pragma}`);
      database.close();
    };
    set('user_version = 99');
    expect(() => openLedger(stateDir, 0)).toThrow(
      expect.objectContaining({ code: 'ledger_unavailable', message: expect.stringContaining('newer') }),
    );
    set('application_id = 1');
    const { ledger, anew } = openLedger(stateDir, 0);
    ledger.close();
    expect(anew).toBe('damaged');
    expect(readdirSync(stateDir)).toContain('ledger.db.damaged-1970-01-01T00-00-00-000Z');
  });

  it('of an earlier Grove is kept beside, then brought to the tables of now with all that it holds', () => {
    const stateDir = memoryFolder('state');
    const path = join(stateDir, 'ledger.db');
    const old = new DatabaseSync(path);
    migrate(old, STEPS.slice(0, 1));
    old.exec("INSERT INTO notes VALUES ('Plan.md', 'source', 'disk', 'blob', 'commit')");
    old.close();
    const { ledger, anew } = openLedger(stateDir, 0);
    expect([anew, ledger.note(PLAN)?.sourceHash, ledger.followUps()]).toEqual([null, 'source', []]);
    ledger.close();
    const kept = `${path}.version-1`;
    expect(statSync(kept).mode & 0o777).toBe(0o600);
    const copy = new DatabaseSync(kept, { readOnly: true });
    expect(copy.prepare('PRAGMA user_version').get()).toEqual({ user_version: 1 });
    expect(copy.prepare('SELECT path FROM notes').all()).toEqual([{ path: 'Plan.md' }]);
    expect(copy.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'follow_ups'").all()).toEqual([]);
    copy.close();
    // The way back: the copy is a whole ledger.
    renameSync(kept, path);
    const again = openLedger(stateDir, 0);
    expect([again.anew, again.ledger.note(PLAN)?.sourceHash]).toEqual([null, 'source']);
    again.ledger.close();
  });

  it('forgets a row when it is finished, and answers nothing after it was closed', () => {
    const { ledger } = openLedger(memoryFolder('state'), 0);
    const id = ledger.begin(record);
    expect(ledger.journalSize).toBe(1);
    ledger.finish([id], 0);
    expect(ledger.journalSize).toBe(0);
    ledger.close();
    expect(() => ledger.begin(record)).toThrow(expect.objectContaining({ code: 'stopping' }));
  });

  it('takes over what the journal of a damaged one still tells', () => {
    const stateDir = memoryFolder('state');
    const { ledger } = openLedger(stateDir, 0);
    const kept = { ...record, answer: 'kept' };
    const id = ledger.begin(kept);
    ledger.acknowledge(id, kept, { at: 0, notes: [], bases: [], answer: null });
    ledger.begin({ ...record, answer: 'open' });
    ledger.close();
    const database = new DatabaseSync(join(stateDir, 'ledger.db'));
    database.exec('DROP TABLE bases');
    database.close();
    const again = openLedger(stateDir, 0);
    expect(again.anew).toBe('damaged');
    const rows = again.ledger
      .journalRows()
      .map(({ acknowledged, record: { answer } }) => [acknowledged, answer]);
    expect(rows).toEqual([
      [true, 'kept'],
      [false, 'open'],
    ]);
    again.ledger.close();
  });
});

/** Ways in which the file may be damaged. */
const DAMAGES: Readonly<Record<string, (path: string) => void>> = {
  'overwritten with something else': (path) =>
    writeFileSync(path, 'not a database, and long enough to be read as one'),
  empty: (path) => truncateSync(path, 0),
  'cut off': (path) => truncateSync(path, 5_000),
  'torn in its pages': (path) => {
    const bytes = readFileSync(path);
    bytes.fill(0x5a, 4096, 12_288);
    writeFileSync(path, bytes);
  },
  missing: (path) => rmSync(path),
};

async function withLedger(): Promise<{ vault: OpenedEngine; source: string }> {
  const vault = await openedEngine();
  const { files } = await vault.write('Plan.md', 'three\n');
  await vault.engine.apply({
    ...wholeWrite('Plan.md', ''),
    plan: () => ({
      changes: [{ path: PLAN, after: Buffer.from('[[three]]\n'), keepSource: true }],
      subject: 'Link',
      trailers: {},
      mechanical: true,
      answer: null,
    }),
  });
  await vault.write('Other.md', 'other\n');
  return { vault, source: files[0]!.sourceHash! };
}

describeWithPrograms('a ledger that is damaged', ['git'], () => {
  it.each(Object.entries(DAMAGES))(
    '(%s) is made anew, by what signed trailers tell',
    async (name, damage) => {
      const { vault, source } = await withLedger();
      await vault.engine.close();
      const path = join(vault.stateDir, 'ledger.db');
      damage(path);
      await vault.again({});
      expect(vault.engine.sourceHashOf(PLAN, contentHash('[[three]]\n'))).toBe(source);
      expect(vault.engine.sourceHashOf(parseVaultPath('Other.md'), contentHash('other\n'))).toBe(
        contentHash('other\n'),
      );
      const told = vault.problems.map(({ what }) => what);
      // As on the first start.
      expect(told).toEqual(name === 'missing' || name === 'empty' ? [] : ['ledger']);
      if (told.length > 0)
        expect(readdirSync(vault.stateDir).some((file) => file.startsWith('ledger.db.damaged-'))).toBe(true);
      await vault.write('Plan.md', 'four\n');
      await vault.engine.settled();
      expectSound(vault.git);
    },
  );

  it('believes no trailer that another key has signed', async () => {
    const { vault } = await withLedger();
    await vault.engine.close();
    rmSync(join(vault.stateDir, 'ledger.db'));
    writeFileSync(join(vault.stateDir, 'trailers.key'), Buffer.alloc(32, 1));
    await vault.again({});
    const hash = contentHash('[[three]]\n');
    expect(vault.engine.sourceHashOf(PLAN, hash)).toBe(hash);
    expect(existsSync(join(vault.stateDir, 'ledger.db'))).toBe(true);
  });

  it('forgets answers, and nothing that was written', async () => {
    const { vault } = await withLedger();
    const request = wholeWrite('Plan.md', 'again\n', {
      idempotency: { key: 'k', bodyHash: 'b' },
      author: KEY,
    });
    await vault.engine.apply(request);
    await vault.engine.close();
    rmSync(join(vault.stateDir, 'ledger.db'));
    await vault.again({});
    const outcome = await vault.engine.apply(request);
    expect(outcome).toMatchObject({ replayed: false, commit: null });
    expect(vault.text('Plan.md')).toBe('again\n');
  });
});
