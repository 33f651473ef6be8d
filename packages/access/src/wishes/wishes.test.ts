import { isGroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ManualClock } from '../testing/opened-control.ts';
import { parseExpiry, parseSince } from './moment.ts';
import { parseName } from './name.ts';
import { parseRedirectUris } from './redirect-uris.ts';
import { grants, KEY_SCOPES, parseScopes } from './scopes.ts';

describe('parseScopes', () => {
  it.each([
    ['read', ['read']],
    ['write, Read', ['read', 'write']],
    ['admin append  append', ['append', 'admin']],
    [
      ['write', 'read,append'],
      ['read', 'append', 'write'],
    ],
  ])('reads %j', (text, scopes) => {
    expect(parseScopes(text)).toEqual(scopes);
  });

  it.each([
    ['reed', 'did you mean "read"?'],
    ['writes', 'did you mean "write"?'],
    ['everything', 'use some of read, append, write, admin'],
    [' , ', 'no scope is named'],
    [[], 'no scope is named'],
  ])('refuses %j and says what would do', (text, words) => {
    expect(() => parseScopes(text)).toThrow(
      expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(words) }),
    );
  });
});

describe('grants', () => {
  it('lets write do what append and read do, and nothing else imply anything', () => {
    const allowed = KEY_SCOPES.map((held) => [held, KEY_SCOPES.filter((wanted) => grants([held], wanted))]);
    expect(Object.fromEntries(allowed)).toEqual({
      read: ['read'],
      append: ['append'],
      write: ['read', 'append', 'write'],
      admin: ['admin'],
    });
    expect(grants(['read', 'append'], 'write')).toBe(false);
    expect(grants([], 'read')).toBe(false);
  });
});

describe('parseExpiry', () => {
  const clock = new ManualClock();

  it.each([
    ['90d', '2027-02-28T12:00:00Z'],
    ['12h', '2026-12-01T00:00:00Z'],
    [' 2 W ', '2026-12-14T12:00:00Z'],
    ['2027-01-31', '2027-01-31T00:00:00Z'],
    ['2028-02-29', '2028-02-29T00:00:00Z'],
    ['2027-01-31T08:30:00+02:00', '2027-01-31T06:30:00Z'],
    ['2027-01-31t06:30:00.250z', '2027-01-31T06:30:00.250Z'],
  ])('takes %j for %s', (text, moment) => {
    expect(parseExpiry(text, clock)).toBe(Date.parse(moment));
  });

  it('takes "never" for none', () => {
    expect(parseExpiry(' Never', clock)).toBeNull();
  });

  it.each([
    '',
    '90',
    'd',
    '90m',
    '-1d',
    '0d',
    '1e3d',
    '999999d',
    '2027-02-29',
    '2027-13-01',
    '2027-01-31T12:00',
    '2027-01-31T25:00:00Z',
    '2027',
    '2027-W05',
    '2026-11-30',
    '2026-11-30T12:00:00Z',
    '1970-01-01',
    'tomorrow',
  ])('refuses %j', (text) => {
    expect(() => parseExpiry(text, clock)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });

  it('gives a moment to come, none, or bad_input for any text', () => {
    const parts = fc.array(
      fc.constantFrom(...'0129dhwTZ:+-. neverNEVER', '2027-01-31', 'T12:00:00', '\ud800'),
    );
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      parts.map((list) => list.join('')),
    );
    fc.assert(
      fc.property(hostile, (text) => {
        try {
          const moment = parseExpiry(text, clock);
          if (moment !== null) expect(moment).toBeGreaterThan(clock.now());
        } catch (error) {
          if (!isGroveError(error, 'bad_input')) throw error;
          expect(error.message.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});

describe('parseName', () => {
  it('gives a name that stays as it is when it is read again, or bad_input', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 80 }), (text) => {
        try {
          const name = parseName('key', text);
          expect(parseName('key', name)).toBe(name);
          expect(name).toMatch(/^\P{Cc}{1,64}$/u);
        } catch (error) {
          if (!isGroveError(error, 'bad_input')) throw error;
        }
      }),
    );
  });

  it('counts characters as people see their code points', () => {
    expect(parseName('key', '🌱'.repeat(64))).toBe('🌱'.repeat(64));
    expect(() => parseName('key', '🌱'.repeat(65))).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});

describe('parseSince', () => {
  const clock = new ManualClock();

  it.each([
    ['7d', '2026-11-23T12:00:00Z'],
    [' 12H', '2026-11-30T00:00:00Z'],
    ['2026-11-01', '2026-11-01T00:00:00Z'],
    ['2026-11-01T06:30:00+02:00', '2026-11-01T04:30:00Z'],
    ['2027-01-01', '2027-01-01T00:00:00Z'],
  ])('takes %j for %s', (text, moment) => {
    expect(parseSince(text, clock)).toBe(Date.parse(moment));
  });

  it.each(['', 'never', 'yesterday', '-1d', '7', '2026-11-01T12:00'])('refuses %j', (text) => {
    expect(() => parseSince(text, clock)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });
});

describe('parseRedirectUris', () => {
  it.each([
    'https://claude.ai/api/mcp/auth_callback',
    'https://a.example:8443/back?x=1',
    'http://localhost:8787/callback',
    'http://127.0.0.1/callback',
    'http://[::1]:9000/',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'com.example.app:/oauth',
  ])('takes %s', (uri) => {
    expect(parseRedirectUris([` ${uri} `, uri])).toEqual([uri]);
  });

  it.each([
    '',
    'callback',
    '/callback',
    'http://a.example/back',
    'http://localhost.a.example/back',
    'https://a.example/#part',
    'https://a.example/#',
    'https://user:secret@a.example/',
    'javascript:alert(1)',
    'JavaScript:alert(1)',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://a.example/x',
    `https://a.example/${'x'.repeat(2_000)}`,
  ])('refuses %j', (uri) => {
    expect(() => parseRedirectUris([uri])).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });

  it('wants one to twenty', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => `https://a.example/${at}`);
    expect(parseRedirectUris(many(20))).toHaveLength(20);
    for (const list of [[], many(21)])
      expect(() => parseRedirectUris(list)).toThrow(expect.objectContaining({ code: 'bad_input' }));
  });

  it('gives addresses that stay as they are when they are read again, or bad_input', () => {
    const text = fc.oneof(
      fc.webUrl({
        withFragments: true,
        withQueryParameters: true,
        validSchemes: ['http', 'https', 'ftp', 'app'],
      }),
      fc.string({ unit: 'binary' }),
    );
    fc.assert(
      fc.property(text, (uri) => {
        try {
          const parsed = parseRedirectUris([uri]);
          expect(parseRedirectUris(parsed)).toEqual(parsed);
        } catch (error) {
          if (!isGroveError(error, 'bad_input')) throw error;
          expect(error.message.isWellFormed()).toBe(true);
        }
      }),
    );
  });
});
