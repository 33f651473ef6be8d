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
import { NO_TRAIL_RULES, parseTrailRules } from '@grove/trails';
import { describe, expect, it } from 'vitest';
import { letIn } from '../testing/let-in.ts';
import { type OpenedControl, openedControl } from '../testing/opened-control.ts';

/** A closed control.db with some keys in it. */
function filled(): OpenedControl & { token: string } {
  const control = openedControl();
  const { token } = control.keys.create({ name: 'Laptop', vault: 'notes' });
  for (let at = 0; at < 40; at += 1) control.keys.create({ name: `Key ${at}`, vault: 'notes' });
  control.credentials.verify(token);
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
    expect(control.credentials.verify(control.token)).not.toBeNull();
    edit(control.path, `UPDATE keys SET ${change}`);
    expect(() => control.credentials.verify(control.token)).toThrow(damagedFile(control.dataDir));
    expect(() => control.keys.list()).toThrow(damagedFile(control.dataDir));
  });
});

describe('a row of what limits someone', () => {
  const rules = parseTrailRules({ allowTags: ['books'], denyPaths: ['Private'] });
  const written = JSON.stringify({ ...NO_TRAIL_RULES, allowTags: ['books'] });

  /** A trail with a token, and a grant bound to it. */
  function shared() {
    const control = openedControl();
    const { trail, token } = control.trails.create({ name: 'Books', vault: 'notes', rules });
    const granted = letIn(control, { account: `trail:${trail.id}`, trailId: trail.id });
    return { ...control, trail, tokens: [token, granted.token] };
  }

  it.each([
    ['rules that are no JSON', "UPDATE trails SET rules = 'books'"],
    ['rules that are none', "UPDATE trails SET rules = '{}'"],
    [
      'rules of which one is missing',
      `UPDATE trails SET rules = '${written.replace('"denyPaths":[],', '')}'`,
    ],
    ['rules that share everything', `UPDATE trails SET rules = '${JSON.stringify(NO_TRAIL_RULES)}'`],
    [
      'a rule that is none',
      `UPDATE trails SET rules = '${written.replace('"denyPaths":[]', '"denyPaths":["../x"]')}'`,
    ],
    ['a rule by an unknown name', `UPDATE trails SET rules = '${written.replace('}', ',"denyAll":["x"]}')}'`],
    [
      'a rule that is no list',
      `UPDATE trails SET rules = '${written.replace('"denyPaths":[]', '"denyPaths":"x"')}'`,
    ],
    ['a count below nothing', 'UPDATE trails SET reads = -1'],
    ['a time beyond all measure', 'UPDATE trails SET expires_at = 9223372036854775807'],
    ['a token without its trail', 'UPDATE keys SET trail = NULL'],
    ['a token with scopes of its own', `UPDATE keys SET scopes = '["read","write"]'`],
    ['a grant without its trail', 'UPDATE grants SET trail = NULL'],
    ['a grant of the owner with a trail', "UPDATE grants SET account = 'owner'"],
    ['a grant with a scope that is none', `UPDATE grants SET scopes = '["admin"]'`],
  ])('is never read as fewer limits: %s', (_, change) => {
    const { path, credentials, tokens, dataDir } = shared();
    for (const token of tokens) expect(credentials.verify(token)).not.toBeNull();
    edit(path, change);
    const answers = tokens.map((token) => {
      try {
        return credentials.verify(token)?.scopes ?? null;
      } catch (error) {
        expect(error).toEqual(damagedFile(dataDir));
        return 'damaged';
      }
    });
    expect(answers).toContain('damaged');
    // Whoever is still let in is limited as before.
    for (const answer of answers) expect(['damaged', null, ['read']]).toContainEqual(answer);
  });

  it.each([
    ['a trail that is gone', 'PRAGMA foreign_keys = OFF; DELETE FROM trails'],
    ['a trail of another vault', "UPDATE trails SET vault = 'work'"],
    [
      'an access token that is no object',
      `UPDATE oauth_records SET payload = '[]' WHERE model = 'AccessToken'; UPDATE keys SET revoked_at = 1`,
    ],
    [
      'a grant whose record is gone',
      `DELETE FROM oauth_records WHERE model = 'Grant'; UPDATE keys SET revoked_at = 1`,
    ],
  ])('lets nobody in: %s', (_, change) => {
    const { path, credentials, tokens } = shared();
    edit(path, change);
    for (const token of tokens) {
      let verified: unknown = null;
      try {
        verified = credentials.verify(token);
      } catch (error) {
        expect(error).toMatchObject({ code: 'control_damaged' });
      }
      expect(verified).toBeNull();
    }
  });

  it('is told for the owner’s secret too', async () => {
    const { owner, path } = openedControl();
    await owner.set('correct horse battery');
    edit(path, "UPDATE owner SET passphrase = ''");
    await expect(owner.verify('correct horse battery')).rejects.toMatchObject({ code: 'control_damaged' });
    expect(() => owner.isSet()).toThrow(expect.objectContaining({ code: 'control_damaged' }));
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
    expect(() => control.credentials.verify(control.token)).toThrow(
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
    const credential = control.credentials.verify(control.token)?.credential;
    const ended: string[] = [];
    control.credentials.onEnded((one) => ended.push(one));
    ways[way]!(control);
    expect(() => control.credentials.verify(control.token)).toThrow(damagedFile(control.dataDir));
    expect(() => control.keys.create({ name: 'New', vault: 'notes' })).toThrow(damagedFile(control.dataDir));
    while (ended.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ended).toEqual([credential]);
    expect(() => control.close()).not.toThrow();
  });

  it('goes on when the file is back in its place', () => {
    const control = filled();
    renameSync(control.path, `${control.path}.away`);
    expect(() => control.credentials.verify(control.token)).toThrow(damagedFile(control.dataDir));
    renameSync(`${control.path}.away`, control.path);
    expect(control.credentials.verify(control.token)).not.toBeNull();
  });

  it('is not mistaken for lost when its log is brought into it', () => {
    const control = filled();
    const changed = () => statSync(control.path, { bigint: true }).mtimeNs;
    const before = changed();
    edit(control.path, 'PRAGMA wal_checkpoint(TRUNCATE)');
    expect(changed()).not.toBe(before);
    expect(control.credentials.verify(control.token)).not.toBeNull();
  });
});
