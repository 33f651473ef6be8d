import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Ask, askWith } from '../testing/ask.ts';
import { type ServedGarden, serveGarden } from '../testing/serve-garden.ts';

let garden: ServedGarden;
let admin: Ask;
beforeAll(async () => {
  garden = await serveGarden();
  admin = askWith(garden.app, garden.key({ name: 'Admin', scopes: ['admin'] }));
});
afterAll(() => garden.close());

const make = (payload: object, ask = admin) => ask('/v1/keys', { method: 'POST', payload });

describe('/v1/keys', () => {
  it('makes a key, shows its token once, and the key works', async () => {
    const made = await make({
      name: 'Script',
      scopes: 'read, append',
      expires: '90d',
      deny_paths: ['Private'],
    });
    const { key, token } = made.json();
    expect(made.statusCode).toBe(201);
    expect(made.headers).toMatchObject({ 'cache-control': 'no-store', location: `/v1/keys/${key.id}` });
    expect(key).toMatchObject({
      name: 'Script',
      vault: garden.opened.slug,
      scopes: ['read', 'append'],
      deny_paths: ['Private'],
      state: 'live',
      ending: token.slice(-4),
      last_used_at: null,
    });
    expect(Date.parse(key.expires_at) - Date.parse(key.created_at)).toBeCloseTo(90 * 86_400_000, -4);
    const script = askWith(garden.app, token);
    expect((await script('/v1/query?q=xylophone')).json().total).toBe(0);
    expect((await script('/v1/keys')).json().code).toBe('scope_missing');

    const [list, one] = [await admin('/v1/keys'), await admin(`/v1/keys/${key.id}`)];
    expect(list.json().keys.map(({ name }: { readonly name: string }) => name)).toEqual(['Script', 'Admin']);
    expect(one.json()).toMatchObject({ id: key.id, name: 'Script' });
    for (const { payload, headers } of [list, one]) {
      expect(payload).not.toContain(token);
      expect(headers['cache-control']).toBe('no-store');
    }
  });

  it('gives read alone, without expiry, unless told', async () => {
    const { key } = (await make({ name: 'Plain' })).json();
    expect(key).toMatchObject({
      scopes: ['read'],
      expires_at: null,
      read_paths: [],
      write_paths: [],
      deny_paths: [],
    });
  });

  it('revokes at once, and again with the same answer', async () => {
    const { key, token } = (await make({ name: 'Short' })).json();
    const short = askWith(garden.app, token);
    expect((await short('/v1/notes')).statusCode).toBe(200);
    const [first, again] = [
      await admin(`/v1/keys/${key.id}`, { method: 'DELETE' }),
      await admin(`/v1/keys/${key.id}`, { method: 'DELETE' }),
    ];
    expect(first.json().state).toBe('revoked');
    expect(again.json()).toEqual(first.json());
    expect((await short('/v1/notes')).json()).toMatchObject({ status: 401, code: 'key_invalid' });
    const rotated = await admin(`/v1/keys/${key.id}/rotate`, { method: 'POST' });
    expect(rotated.json()).toMatchObject({ status: 409, code: 'key_ended' });
  });

  it('rotates: the same key by another token', async () => {
    const { key, token } = (await make({ name: 'Turning' })).json();
    const answer = await admin(`/v1/keys/${key.id}/rotate`, { method: 'POST' });
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json().key).toMatchObject({ id: key.id, name: 'Turning' });
    expect((await askWith(garden.app, token)('/v1/notes')).statusCode).toBe(401);
    expect((await askWith(garden.app, answer.json().token)('/v1/notes')).statusCode).toBe(200);
  });

  it('knows only the keys of its own vault, and only by id', async () => {
    const { key } = garden.control.keys.create({ name: 'Foreign', vault: 'elsewhere' });
    expect((await admin('/v1/keys')).payload).not.toContain('Foreign');
    for (const [url, method] of [
      [`/v1/keys/${key.id}`, 'GET'],
      [`/v1/keys/${key.id}`, 'DELETE'],
      [`/v1/keys/${key.id}/rotate`, 'POST'],
      ['/v1/keys/Admin', 'GET'],
      ['/v1/keys/k_000000000000', 'GET'],
    ] as const)
      expect((await admin(url, { method })).json()).toMatchObject({ status: 404, code: 'key_unknown' });
    expect(garden.control.keys.find(key.id).state).toBe('live');
  });

  it('is closed to a key that is kept from some paths, whatever its scopes', async () => {
    for (const limit of [{ denyPaths: ['Private'] }, { readPaths: ['Beds'] }, { writePaths: ['Beds'] }]) {
      const limited = askWith(garden.app, garden.key({ scopes: ['read', 'admin'], ...limit }));
      expect((await limited('/v1/keys')).json()).toMatchObject({ status: 403, code: 'key_limited' });
      expect((await make({ name: 'Wide' }, limited)).json().code).toBe('key_limited');
    }
    expect((await admin('/v1/keys')).payload).not.toContain('Wide');
  });

  it.each([
    [{}, 'bad_input', '"name" is missing'],
    [{ name: 'Admin' }, 'key_exists', 'Admin'],
    [{ name: 'X', scopes: ['reed'] }, 'bad_input', 'did you mean "read"?'],
    [{ name: 'X', expires: 'soon' }, 'bad_input', '"soon" is no expiry'],
    [{ name: 'X', expires: '2020-01-01' }, 'bad_input', 'not in the future'],
    [{ name: 'X', deny_paths: ['../up'] }, 'bad_rule', '../up'],
    [{ name: 'X', deny_paths: ['Priv\ud800ate'] }, 'bad_rule', 'not valid Unicode'],
    ...['read_paths', 'write_paths', 'deny_paths'].flatMap((list): [object, string, string][] =>
      ['', ',,', '[]', [], [''], [null]].map((none) => [
        { name: 'X', [list]: none },
        'bad_input',
        `"${list}" names nothing`,
      ]),
    ),
    [{ name: 'X', vault: 'other' }, 'unknown_parameter', 'vault'],
    [{ name: 'X', expiry: '90d' }, 'unknown_parameter', 'Did you mean "expires"?'],
    [{ name: '\u0000' }, 'bad_input', 'name'],
    [{ name: 'x'.repeat(5_000) }, 'bad_input', 'name'],
  ])('refuses %j with %s', async (payload, code, words) => {
    const answer = await make(payload);
    expect(answer.json().code).toBe(code);
    expect(answer.json().detail).toContain(words);
  });

  it('makes no key when its answer could not be read', async () => {
    const refused = await admin('/v1/keys', {
      method: 'POST',
      payload: { name: 'Lost' },
      headers: { accept: 'text/markdown' },
    });
    expect(refused.json().code).toBe('not_acceptable');
    expect(
      (await admin('/v1/keys?name=Lost', { method: 'POST', payload: { name: 'Lost' } })).statusCode,
    ).toBe(422);
    expect((await admin('/v1/keys')).payload).not.toContain('Lost');
  });
});
