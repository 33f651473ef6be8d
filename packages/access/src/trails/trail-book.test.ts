import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseTrailRules } from '@grove/trails';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { letIn, makeTrail } from '../testing/let-in.ts';
import { openedControl } from '../testing/opened-control.ts';
import type { TrailChange } from './trails.ts';

const HOUR = 3_600_000;
const code = (name: string) => expect.objectContaining({ code: name });

describe('a new trail', () => {
  it('reads sixty times a minute, writes never and does not expire, unless told', () => {
    const control = openedControl();
    const { trail, token, invite } = makeTrail(control);
    expect(trail).toEqual({
      id: expect.stringMatching(/^t_[\w-]{12}$/),
      name: 'Book club',
      vault: 'notes',
      rules: parseTrailRules({ allowTags: ['books'] }),
      reads: 60,
      writes: 0,
      createdAt: control.clock.now(),
      expiresAt: null,
      disabledAt: null,
      lastUsedAt: null,
      state: 'live',
    });
    expect(token).toMatch(/^grove_[\w-]{43}$/);
    expect(invite).toMatch(/^invite_[\w-]{43}$/);
    expect(control.again().trails.find('Book club')).toEqual(trail);
  });

  it('has secrets that are nowhere on disk but as hashes', () => {
    const control = openedControl();
    const { token, invite } = makeTrail(control);
    control.credentials.verify(token);
    control.trails.byInvite(invite);
    for (const name of readdirSync(control.dataDir))
      for (const secret of [token, invite])
        expect(readFileSync(join(control.dataDir, name)).includes(secret.slice(8, -4))).toBe(false);
  });

  it('has a name that no other trail of its vault has, whatever its state', () => {
    const control = openedControl();
    const { trail } = makeTrail(control);
    control.trails.disable(trail.id);
    expect(() => makeTrail(control, { name: ' Book club ' })).toThrow(code('trail_exists'));
    expect(makeTrail(control, { vault: 'work' }).trail.name).toBe('Book club');
    expect(() => control.trails.find('Book club')).toThrow(code('bad_input'));
    expect(control.trails.find('Book club', { vault: 'work' }).vault).toBe('work');
    control.trails.remove(trail.id);
    expect(makeTrail(control).trail.id).not.toBe(trail.id);
  });

  it.each([
    ['no name', { name: '  ' }],
    ['an escape sequence', { name: 'red\u001b[31m' }],
    ['the form of an id', { name: 't_abcdefghijkl' }],
    ['a count below nothing', { reads: -1 }],
    ['half a call', { writes: 0.5 }],
    ['no number', { reads: Number.NaN }],
    ['an end that is past', { expiresAt: 0 }],
  ])('is refused with %s, and leaves nothing', (_, wish) => {
    const control = openedControl();
    expect(() => makeTrail(control, wish)).toThrow(code('bad_input'));
    expect(control.trails.list()).toEqual([]);
    expect(control.keys.list({ trail: 'any' })).toEqual([]);
  });
});

describe('the tokens of a trail', () => {
  it('are keys that show what the trail allows, and are listed only where they are asked for', () => {
    const control = openedControl();
    const { trail, token } = makeTrail(control);
    expect(control.credentials.verify(token)).toMatchObject({
      kind: 'trail',
      name: 'Book club',
      vault: 'notes',
      scopes: ['read'],
      client: null,
      askedToWrite: true,
      trail: { id: trail.id, rules: trail.rules },
    });
    const more = control.trails.newToken(trail.id);
    const named = control.trails.newToken(trail.id, ' Ada ');
    expect([more.key.name, named.key.name]).toEqual(['token 2', 'Ada']);
    expect(() => control.trails.newToken(trail.id, 'Ada')).toThrow(code('key_exists'));
    expect(control.keys.list()).toEqual([]);
    expect(control.keys.list({ trail: trail.id }).map(({ name }) => name)).toEqual([
      'Ada',
      'token 2',
      'token',
    ]);
    expect(control.keys.find(more.key.id).trail).toBe(trail.id);
    expect(() => control.keys.find('Ada')).toThrow(code('key_unknown'));
    // Names of the owner's keys and of tokens do not meet.
    expect(control.keys.create({ name: 'Ada', vault: 'notes' }).key.trail).toBeNull();
  });

  it('are revoked and rotated one by one', () => {
    const control = openedControl();
    const { trail, token } = makeTrail(control);
    const more = control.trails.newToken(trail.id);
    const rotated = control.keys.rotate(more.key.id);
    control.keys.revoke(control.keys.find('token', { trail: trail.id }).id);
    const good = [token, more.token, rotated.token].map((one) => control.credentials.verify(one) !== null);
    expect(good).toEqual([false, false, true]);
  });

  it('note their use, which is the trail’s too', () => {
    const control = openedControl();
    const { trail, token } = makeTrail(control);
    control.clock.advance(HOUR);
    control.credentials.verify(token);
    expect(control.trails.find(trail.id).lastUsedAt).toBe(control.clock.now());
    expect(control.keys.list({ trail: trail.id })[0]?.lastUsedAt).toBe(control.clock.now());
    control.close();
    expect(control.again().trails.find(trail.id).lastUsedAt).toBe(control.clock.now());
  });

  it('write only where the trail has folders and calls for that', () => {
    const control = openedControl();
    const rules = parseTrailRules({ allowTags: ['books'], writeFolders: ['Inbox'] });
    const { trail, token } = makeTrail(control, { rules, writes: 5 });
    const scopes = () => control.credentials.verify(token)?.scopes;
    expect(scopes()).toEqual(['read', 'write']);
    control.trails.update(trail.id, { writes: 0 });
    expect(scopes()).toEqual(['read']);
    control.trails.update(trail.id, { writes: 5, rules: parseTrailRules({ allowTags: ['books'] }) });
    expect(scopes()).toEqual(['read']);
  });
});

describe('a trail that changes', () => {
  const ways: Readonly<Record<string, TrailChange>> = {
    rules: { rules: parseTrailRules({ allowTags: ['books'], denyTags: ['draft'] }) },
    name: { name: 'Readers' },
    reads: { reads: 5 },
    writes: { writes: 1 },
    expiry: { expiresAt: Date.parse('2027-01-01') },
  };

  it.each(Object.keys(ways))('names what is opened with it otherwise, and ends what was: %s', (way) => {
    const control = openedControl();
    const { trail, token } = makeTrail(control);
    const client = letIn(control, { account: `trail:${trail.id}`, trailId: trail.id });
    const verify = () =>
      [token, client.token].map((one) => control.credentials.verify(one)?.credential ?? '');
    const before = verify();
    const ended: string[] = [];
    control.credentials.onEnded((one) => ended.push(one));
    const changed = control.trails.update(trail.id, ways[way]!);
    expect(changed).toMatchObject(ways[way]!);
    expect(ended.sort()).toEqual([...before].sort());
    for (const credential of before) expect(control.credentials.isLive(credential)).toBe(false);
    for (const credential of verify()) {
      expect(before).not.toContain(credential);
      expect(control.credentials.isLive(credential)).toBe(true);
    }
  });

  it('ends nothing where nothing changes', () => {
    const control = openedControl();
    const { trail, token } = makeTrail(control);
    const credential = control.credentials.verify(token)?.credential ?? '';
    control.trails.update(trail.id, { name: ' Book club', rules: trail.rules, reads: 60 });
    control.trails.update(trail.id, {});
    control.trails.enable(trail.id);
    expect(control.credentials.isLive(credential)).toBe(true);
  });

  it('refuses what a new one would be refused with, and stays', () => {
    const control = openedControl();
    const { trail } = makeTrail(control);
    makeTrail(control, { name: 'Other' });
    const refused: readonly [TrailChange, string][] = [
      [{ name: 'Other' }, 'trail_exists'],
      [{ name: '' }, 'bad_input'],
      [{ reads: -1 }, 'bad_input'],
      [{ expiresAt: control.clock.now() }, 'bad_input'],
    ];
    for (const [change, said] of refused)
      expect(() => control.trails.update(trail.id, change)).toThrow(code(said));
    expect(control.trails.find(trail.id)).toEqual(trail);
    expect(() => control.trails.update('t_000000000000', {})).toThrow(code('trail_unknown'));
  });
});

describe('a trail that is over', () => {
  it('lets nobody in while it is disabled, and again when it is enabled', () => {
    const control = openedControl();
    const { trail, token, invite } = makeTrail(control);
    const client = letIn(control, { account: `trail:${trail.id}`, trailId: trail.id });
    const isIn = () => [token, client.token].map((one) => control.credentials.verify(one) !== null);
    const at = control.trails.disable(trail.id).disabledAt;
    control.clock.advance(1_000);
    expect(control.trails.disable(trail.id).disabledAt).toBe(at);
    expect(isIn()).toEqual([false, false]);
    expect(control.trails.byInvite(invite)).toBeNull();
    control.trails.enable(trail.id);
    expect(isIn()).toEqual([true, true]);
    expect(control.trails.byInvite(invite)?.id).toBe(trail.id);
  });

  it('lets nobody in once it has expired, until it is given another end', () => {
    const control = openedControl();
    const { trail, token, invite } = makeTrail(control, { expiresAt: control.clock.now() + HOUR });
    const credential = control.credentials.verify(token)?.credential ?? '';
    control.clock.advance(HOUR);
    expect(control.credentials.verify(token)).toBeNull();
    expect(control.credentials.isLive(credential)).toBe(false);
    expect(control.trails.byInvite(invite)).toBeNull();
    expect(control.trails.find(trail.id).state).toBe('expired');
    expect(control.trails.disable(trail.id).state).toBe('expired');
    expect(control.trails.enable(trail.id).state).toBe('expired');
    expect(control.trails.update(trail.id, { expiresAt: null }).state).toBe('live');
    expect(control.credentials.verify(token)).not.toBeNull();
  });

  it('leaves nothing behind when it is removed: no token, no invite, no grant, no record', () => {
    const control = openedControl();
    const { trail, token, invite } = makeTrail(control);
    const other = makeTrail(control, { name: 'Other' });
    const client = letIn(control, { account: `trail:${trail.id}`, trailId: trail.id });
    const owner = letIn(control);
    const ended: string[] = [];
    const credentials = [token, client.token].map((one) => control.credentials.verify(one)?.credential);
    control.credentials.onEnded((one) => ended.push(one));
    control.trails.remove(trail.id);
    control.trails.remove(trail.id);
    expect(ended.sort()).toEqual(credentials.sort());
    expect(control.credentials.verify(token)).toBeNull();
    expect(control.credentials.verify(client.token)).toBeNull();
    expect(control.trails.byInvite(invite)).toBeNull();
    expect(control.oauth.find('AccessToken', client.token)).toBeUndefined();
    expect(control.oauth.find('Grant', client.grantId)).toBeUndefined();
    expect(control.grants.list().map(({ id }) => id)).toEqual([owner.grantId]);
    for (const one of [other.token, owner.token]) expect(control.credentials.verify(one)).not.toBeNull();
    for (const method of ['disable', 'enable', 'newToken', 'newInvite', 'find'] as const)
      expect(() => control.trails[method](trail.id)).toThrow(code('trail_unknown'));
  });
});

describe('an invite', () => {
  it('is good until another takes its place', () => {
    const control = openedControl();
    const { trail, token, invite } = makeTrail(control);
    const next = control.trails.newInvite(trail.id);
    expect(control.trails.byInvite(invite)).toBeNull();
    expect(control.trails.byInvite(next)?.id).toBe(trail.id);
    expect(control.credentials.verify(token)).not.toBeNull();
  });

  it('and a token are no use in each other’s place, and no text makes either fail', () => {
    const control = openedControl();
    const { token, invite } = makeTrail(control);
    expect(control.credentials.verify(invite)).toBeNull();
    expect(control.trails.byInvite(token)).toBeNull();
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.constant(`${invite} `)), (text) => {
        expect(control.trails.byInvite(text)).toBeNull();
      }),
    );
  });
});
