import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openedControl } from '../testing/opened-control.ts';

const HOUR = 3_600_000;
const code = (name: string) => expect.objectContaining({ code: name });

describe('a new key', () => {
  it('reads, does not expire and has no limits, unless told', () => {
    const { credentials, keys, clock } = openedControl();
    const { key, token } = keys.create({ name: 'Laptop', vault: 'notes' });
    expect(token).toMatch(/^grove_[\w-]{43}$/);
    expect(key).toEqual({
      id: expect.stringMatching(/^k_[\w-]{12}$/),
      name: 'Laptop',
      vault: 'notes',
      trail: null,
      scopes: ['read'],
      readPaths: [],
      writePaths: [],
      denyPaths: [],
      createdAt: clock.now(),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      state: 'live',
      ending: token.slice(-4),
    });
    expect(credentials.verify(token)).toEqual({
      kind: 'key',
      credential: `${key.id}.1`,
      id: key.id,
      name: 'Laptop',
      vault: 'notes',
      scopes: ['read'],
      readPaths: [],
      writePaths: [],
      denyPaths: [],
      trail: null,
      client: null,
      askedToWrite: true,
    });
    expect(keys.find(key.id).lastUsedAt).toBe(clock.now());
  });

  it('keeps what was asked for, in another opening too', () => {
    const control = openedControl();
    const wish = {
      name: 'Phone',
      vault: 'notes',
      scopes: ['write', 'read', 'write'] as const,
      expiresAt: control.clock.now() + HOUR,
      readPaths: ['Projects', 'Journal/**'],
      writePaths: ['Inbox'],
      denyPaths: ['Private'],
    };
    const { key, token } = control.keys.create(wish);
    expect(key).toMatchObject({ ...wish, scopes: ['read', 'write'] });
    control.close();
    const { credentials, keys } = control.again();
    const { readPaths, writePaths, denyPaths } = wish;
    expect(credentials.verify(token)).toMatchObject({
      scopes: ['read', 'write'],
      readPaths,
      writePaths,
      denyPaths,
    });
    expect(keys.find(key.id)).toEqual({ ...key, lastUsedAt: control.clock.now() });
  });

  it('is nowhere on disk but as a hash', () => {
    const { credentials, keys, dataDir } = openedControl();
    const { token } = keys.create({ name: 'Laptop', vault: 'notes' });
    credentials.verify(token);
    const secret = token.slice('grove_'.length, -4);
    for (const name of readdirSync(dataDir))
      expect(readFileSync(join(dataDir, name)).includes(secret)).toBe(false);
  });

  it.each([
    ['', 'an empty name'],
    ['   ', 'blanks'],
    ['x'.repeat(65), 'a long name'],
    ['two\nlines', 'a line end'],
    ['red\u001b[31m', 'an escape sequence'],
    ['abc\u202Etxt.exe', 'text turned around'],
    ['half \ud83d', 'half a character'],
    ['k_abcdefghijkl', 'an id'],
  ])('is refused with %j as its name: %s', (name) => {
    const { keys } = openedControl();
    expect(() => keys.create({ name, vault: 'notes' })).toThrow(code('bad_input'));
    expect(keys.list()).toEqual([]);
  });

  it.each([Number.NaN, 1.5, Number.POSITIVE_INFINITY, 0])('is refused with the expiry %d', (expiresAt) => {
    const { keys } = openedControl();
    expect(() => keys.create({ name: 'Laptop', vault: 'notes', expiresAt })).toThrow(code('bad_input'));
  });

  it('has a name that no other live key of its vault has', () => {
    const { keys, clock } = openedControl();
    const name = 'Caf\u00e9';
    const first = keys.create({ name, vault: 'notes' });
    expect(() => keys.create({ name: ' Cafe\u0301 ', vault: 'notes' })).toThrow(code('key_exists'));
    keys.create({ name, vault: 'work' });
    keys.revoke(first.key.id);
    keys.create({ name, vault: 'notes', expiresAt: clock.now() + HOUR });
    clock.advance(HOUR);
    expect(keys.create({ name, vault: 'notes' }).key.name).toBe(name);
  });
});

describe('finding keys', () => {
  it('lists the newest first, ended ones too, of one vault where it is named', () => {
    const { keys, clock } = openedControl();
    const make = (name: string, vault: string) =>
      keys.create({ name, vault, expiresAt: clock.now() + HOUR }).key;
    const [one, two] = [make('One', 'notes'), make('Two', 'work')];
    keys.revoke(one.id);
    clock.advance(HOUR);
    make('Three', 'notes');
    expect(keys.list().map(({ name, state }) => [name, state])).toEqual([
      ['Three', 'live'],
      ['Two', 'expired'],
      ['One', 'revoked'],
    ]);
    expect(keys.list({ vault: 'work' }).map(({ id }) => id)).toEqual([two.id]);
    expect(keys.list({ vault: 'none' })).toEqual([]);
  });

  it('takes an id before a name, and the live key of a name before those that ended', () => {
    const { keys } = openedControl();
    const old = keys.create({ name: 'Laptop', vault: 'notes' }).key;
    keys.revoke(old.id);
    const live = keys.create({ name: 'Laptop', vault: 'notes' }).key;
    expect(keys.find(' Laptop ').id).toBe(live.id);
    expect(keys.find(old.id).state).toBe('revoked');
    keys.revoke(live.id);
    expect(keys.find('Laptop').id).toBe(live.id);
    expect(() => keys.find('laptop')).toThrow(code('key_unknown'));
    expect(() => keys.find(live.id, { vault: 'work' })).toThrow(code('key_unknown'));
  });

  it('asks for the vault where a name is in use in several', () => {
    const { keys } = openedControl();
    const [notes, work] = ['notes', 'work'].map((vault) => keys.create({ name: 'Laptop', vault }).key);
    expect(() => keys.find('Laptop')).toThrow(code('bad_input'));
    expect(keys.find('Laptop', { vault: 'work' }).id).toBe(work?.id);
    keys.revoke(work!.id);
    expect(keys.find('Laptop').id).toBe(notes?.id);
  });
});

describe('the end of a key', () => {
  it('comes with its revocation, which can be said again', () => {
    const { credentials, keys, clock } = openedControl();
    const { key, token } = keys.create({ name: 'Laptop', vault: 'notes' });
    expect(credentials.verify(token)).not.toBeNull();
    const revoked = keys.revoke(key.id);
    expect(revoked).toMatchObject({ state: 'revoked', revokedAt: clock.now() });
    expect(credentials.verify(token)).toBeNull();
    clock.advance(HOUR);
    expect(keys.revoke(key.id)).toEqual(revoked);
    expect(() => keys.rotate(key.id)).toThrow(code('key_ended'));
    expect(() => keys.revoke('k_000000000000')).toThrow(code('key_unknown'));
  });

  it('comes in the millisecond that it was made for', () => {
    const { credentials, keys, clock } = openedControl();
    const { key, token } = keys.create({ name: 'Laptop', vault: 'notes', expiresAt: clock.now() + HOUR });
    const credential = credentials.verify(token)?.credential ?? '';
    clock.advance(HOUR - 1);
    expect(credentials.verify(token)).not.toBeNull();
    clock.advance(1);
    expect(credentials.verify(token)).toBeNull();
    expect(credentials.isLive(credential)).toBe(false);
    expect(() => keys.rotate(key.id)).toThrow(code('key_expired'));
    expect(keys.revoke(key.id).state).toBe('revoked');
  });

  it('comes to the token, not to the key, when it is rotated', () => {
    const { credentials, keys, clock } = openedControl();
    const wish = { name: 'Laptop', vault: 'notes', scopes: ['append'], denyPaths: ['Private'] } as const;
    const old = keys.create({ ...wish, expiresAt: clock.now() + HOUR });
    const before = credentials.verify(old.token);
    const fresh = keys.rotate(old.key.id);
    expect(fresh.token).not.toBe(old.token);
    expect(fresh.key).toEqual({ ...old.key, ending: fresh.token.slice(-4), lastUsedAt: clock.now() });
    expect(credentials.verify(old.token)).toBeNull();
    const after = credentials.verify(fresh.token);
    expect(after?.credential).not.toBe(before?.credential);
    expect(credentials.isLive(before?.credential ?? '')).toBe(false);
    expect(credentials.isLive(after?.credential ?? '')).toBe(true);
  });

  it('leaves no row when it is removed', () => {
    const { credentials, keys } = openedControl();
    const { key, token } = keys.create({ name: 'Passing', vault: 'notes' });
    keys.remove(key.id);
    keys.remove(key.id);
    expect(credentials.verify(token)).toBeNull();
    expect(keys.list()).toEqual([]);
  });
});

describe('tokens', () => {
  it('verify only as they were issued, and no text makes it fail', () => {
    const { credentials, keys } = openedControl();
    const { token } = keys.create({ name: 'Laptop', vault: 'notes' });
    const near = fc
      .tuple(fc.nat(token.length - 1), fc.constantFrom(...'Aa0_- \u0000é', ''))
      .map(([at, character]) => token.slice(0, at) + character + token.slice(at + 1));
    const any = fc.oneof(fc.string({ unit: 'binary', maxLength: 200 }), near, fc.constant(` ${token}`));
    fc.assert(
      fc.property(any, (text) => {
        expect(credentials.verify(text) === null).toBe(text !== token);
        expect(credentials.isLive(text)).toBe(false);
      }),
    );
    for (const text of [token.toUpperCase(), `${token}\n`, token.repeat(20_000)])
      expect(credentials.verify(text)).toBeNull();
    expect(credentials.verify(token)).not.toBeNull();
  });
});
