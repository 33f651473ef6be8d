import { parseTrailRules } from '@grove/trails';
import { describe, expect, it } from 'vitest';
import { accessToken, letIn, makeTrail } from '../testing/let-in.ts';
import { openedControl, RESOURCE } from '../testing/opened-control.ts';

const HOUR = 3_600_000;
const code = (name: string) => expect.objectContaining({ code: name });

describe('a grant of the owner', () => {
  it('lets its client in as the owner agreed', () => {
    const control = openedControl();
    const { grantId, token } = letIn(control);
    expect(control.credentials.verify(token)).toEqual({
      credential: expect.stringContaining(grantId),
      kind: 'grant',
      id: grantId,
      name: 'Claude (owner)',
      vault: 'notes',
      scopes: ['read', 'write'],
      readPaths: [],
      writePaths: [],
      denyPaths: [],
      trail: null,
      client: 'Claude',
      askedToWrite: true,
    });
    expect(control.grants.find(grantId)).toMatchObject({
      state: 'live',
      clientName: 'Claude',
      redirectHost: 'claude.ai',
      lastUsedAt: control.clock.now(),
    });
  });

  it.each([
    ['Claude\n\n Code\u202e ', 'Claude Code'],
    ['', 'client'],
    ['\ud800', '\ufffd'],
    ['🌱'.repeat(100), '🌱'.repeat(64)],
  ])('calls a client that calls itself %j %j', (clientName, shown) => {
    const control = openedControl();
    expect(control.grants.find(letIn(control, { clientName }).grantId).clientName).toBe(shown);
  });

  it.each([
    ['what was granted', { scopes: ['read'] as const }, {}, ['read']],
    ['what the token carries', {}, { scope: 'vault:read offline_access' }, ['read']],
    ['nothing, where the token carries nothing', {}, { scope: 'openid' }, []],
    ['nothing, where nothing was granted', { scopes: [] }, {}, []],
    [
      'writing, which implies reading',
      { scopes: ['write'] as const },
      { scope: 'vault:write' },
      ['read', 'write'],
    ],
  ])('gives no more than %s', (_, terms, payload, scopes) => {
    const control = openedControl();
    const verified = control.credentials.verify(letIn(control, terms, payload).token);
    expect(verified?.scopes).toEqual(scopes);
    expect(control.credentials.isLive(verified?.credential ?? '')).toBe(true);
  });

  it.each([
    ['for another address', { aud: 'https://elsewhere.example/mcp' }],
    ['for several addresses', { aud: [RESOURCE, 'https://elsewhere.example/mcp'] }],
    ['for none', { aud: undefined }],
    ['of another account', { accountId: 'trail:t_000000000000' }],
    ['of another client', { clientId: 'other' }],
    ['of no grant', { grantId: undefined }],
    ['of a grant that nobody agreed to', { grantId: 'another-grant' }],
    ['that is past', { exp: 1 }],
    ['without an end', { exp: undefined }],
  ])('does not let in who holds a token %s', (_, payload) => {
    const control = openedControl();
    expect(control.credentials.verify(letIn(control, {}, payload).token)).toBeNull();
  });

  it('is one credential for all its tokens of the same scopes, and outlasts each', () => {
    const control = openedControl();
    const { grantId, token } = letIn(control);
    const second = accessToken(control, { grantId, accountId: 'owner', clientId: 'client' });
    const credential = control.credentials.verify(token)?.credential ?? '';
    expect(control.credentials.verify(second)?.credential).toBe(credential);
    control.clock.advance(HOUR);
    expect(control.credentials.verify(token)).toBeNull();
    expect(control.credentials.isLive(credential)).toBe(true);
  });

  it('is taken by a server of its address alone, and ends when that moves', () => {
    const control = openedControl();
    const foreign = letIn(
      control,
      { resource: 'https://old.example/mcp' },
      { aud: 'https://old.example/mcp' },
    );
    const own = letIn(control);
    expect(control.credentials.verify(foreign.token)).toBeNull();
    expect(control.grants.revokeForeign().map(({ id }) => id)).toEqual([foreign.grantId]);
    expect(control.grants.revokeForeign()).toEqual([]);
    expect(control.oauth.find('AccessToken', foreign.token)).toBeUndefined();
    expect(control.credentials.verify(own.token)).not.toBeNull();
  });
});

describe('a grant of a trail', () => {
  it('gives what the trail gives at most', () => {
    const control = openedControl();
    const { trail } = makeTrail(control);
    const terms = { account: `trail:${trail.id}`, trailId: trail.id } as const;
    const { token } = letIn(control, terms);
    expect(control.credentials.verify(token)).toMatchObject({
      kind: 'grant',
      name: 'Claude (Book club)',
      scopes: ['read'],
      trail: { id: trail.id },
    });
    const rules = parseTrailRules({ allowTags: ['books'], writeFolders: ['Inbox'] });
    control.trails.update(trail.id, { rules, writes: 3 });
    expect(control.credentials.verify(token)?.scopes).toEqual(['read', 'write']);
    expect(control.credentials.verify(letIn(control, { ...terms, scopes: ['read'] }).token)?.scopes).toEqual([
      'read',
    ]);
  });

  it('is refused where account and trail do not fit, or the trail is another vault’s', () => {
    const control = openedControl();
    const { trail } = makeTrail(control);
    for (const terms of [
      { account: 'owner', trailId: trail.id },
      { account: `trail:${trail.id}`, trailId: null },
      { account: `trail:${trail.id}`, trailId: trail.id, vault: 'work' },
      { account: 'trail:t_000000000000', trailId: 't_000000000000' },
    ] as const)
      expect(() => letIn(control, terms)).toThrow(code('bad_input'));
    expect(control.grants.list()).toEqual([]);
  });
});

describe('a grant that ends', () => {
  const ways: Readonly<Record<string, (control: ReturnType<typeof openedControl>, id: string) => void>> = {
    'revoked by the owner': ({ grants }, id) => grants.revoke(id),
    'ended by the provider': ({ oauth }, id) => oauth.destroy('Grant', id),
    'left to expire': ({ clock }) => clock.advance(31 * 24 * HOUR),
  };

  it.each(Object.keys(ways))('lets nobody in, and stays ended: %s', async (way) => {
    const control = openedControl();
    const { grantId, token } = letIn(control);
    const other = letIn(control);
    const credential = control.credentials.verify(token)?.credential ?? '';
    const ended: string[] = [];
    control.credentials.onEnded((one) => ended.push(one));
    ways[way]!(control, grantId);
    const again = accessToken(control, { grantId, accountId: 'owner', clientId: 'client' });
    for (const one of [token, again]) expect(control.credentials.verify(one)).toBeNull();
    expect(control.credentials.isLive(credential)).toBe(false);
    expect(control.grants.find(grantId).state).toBe(way === 'left to expire' ? 'expired' : 'revoked');
    while (ended.length === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    expect(ended).toEqual([credential]);
    if (way !== 'left to expire') expect(control.credentials.verify(other.token)).not.toBeNull();
  });

  it('answers the same when it is revoked again, and names none that is not there', () => {
    const control = openedControl();
    const { grantId } = letIn(control);
    const first = control.grants.revoke(grantId);
    control.clock.advance(HOUR);
    expect(control.grants.revoke(grantId)).toEqual(first);
    expect(() => control.grants.revoke('none')).toThrow(code('grant_unknown'));
    expect(() => control.grants.find(grantId, { vault: 'work' })).toThrow(code('grant_unknown'));
  });

  it('is told of no more when it lapsed before any use, and is taken away', () => {
    const control = openedControl();
    const lapsing = letIn(control);
    const used = letIn(control);
    control.credentials.verify(used.token);
    for (const { grantId } of [lapsing, used]) control.oauth.upsert('Grant', grantId, { kind: 'Grant' }, 120);
    expect(control.grants.list()).toHaveLength(2);
    control.clock.advance(121_000);
    expect(control.grants.list().map(({ id, state }) => [id, state])).toEqual([[used.grantId, 'expired']]);
    expect(control.grants.byId(lapsing.grantId)).toBeNull();
    for (const ask of [control.grants.find, control.grants.revoke])
      expect(() => ask.call(control.grants, lapsing.grantId)).toThrow(code('grant_unknown'));
    expect(control.credentials.verify(lapsing.token)).toBeNull();
    expect([control.grants.prune(HOUR), control.grants.prune(HOUR)]).toEqual([1, 0]);
    expect(control.grants.byId(used.grantId)?.state).toBe('expired');
  });

  it('is found by its client', () => {
    const control = openedControl();
    const { grantId } = letIn(control, { clientId: 'one' });
    letIn(control, { clientId: 'other' });
    expect(control.grants.list({ client: 'one' }).map(({ id }) => id)).toEqual([grantId]);
    expect(control.grants.byId(grantId)).toEqual(control.grants.find(grantId));
  });

  it('goes with the client that was taken away', () => {
    const control = openedControl();
    const { client, secret } = control.clients.create({
      name: 'Reader',
      redirectUris: ['https://reader.example/back'],
    });
    const granted = letIn(control, { clientId: client.id });
    const other = letIn(control);
    expect(control.clients.verifySecret(client.id, secret)).toBe(true);
    control.clients.remove(client.id);
    control.clients.remove(client.id);
    expect(control.clients.find(client.id)).toBeNull();
    expect(control.clients.verifySecret(client.id, secret)).toBe(false);
    expect(control.credentials.verify(granted.token)).toBeNull();
    expect(control.credentials.verify(other.token)).not.toBeNull();
  });
});
