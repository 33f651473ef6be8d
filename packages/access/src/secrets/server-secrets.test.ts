import { createPrivateKey, sign } from 'node:crypto';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { openedControl } from '../testing/opened-control.ts';

describe('the secrets of the server', () => {
  it('are made once and kept, for every process', () => {
    const control = openedControl();
    const [cookies, keys] = [control.secrets.cookieKeys(), control.secrets.jwks()];
    const other = control.again().secrets;
    expect(other.cookieKeys()).toEqual(cookies);
    expect(other.jwks()).toEqual(keys);
    expect(cookies).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    expect(openedControl().secrets.cookieKeys()).not.toEqual(cookies);
  });

  it('hold a key that signs', () => {
    const [jwk] = openedControl().secrets.jwks().keys;
    expect(jwk).toMatchObject({ kty: 'EC', crv: 'P-256', alg: 'ES256', use: 'sig' });
    const key = createPrivateKey({ key: jwk as object, format: 'jwk' } as Parameters<
      typeof createPrivateKey
    >[0]);
    expect(sign('sha256', Buffer.from('x'), key).length).toBeGreaterThan(60);
  });

  it.each([
    ['cookie_keys', '[]'],
    ['cookie_keys', '["short"]'],
    ['cookie_keys', 'no JSON'],
    ['jwks', '{"keys":[]}'],
    ['jwks', '{"keys":[{"kty":"EC"}]}'],
  ])('are told as damage where they are none: %s = %s', (name, value) => {
    const control = openedControl();
    control.secrets.cookieKeys();
    control.secrets.jwks();
    const database = new DatabaseSync(control.path);
    database.prepare('UPDATE server_secrets SET value = ? WHERE name = ?').run(value, name);
    database.close();
    const read = () => (name === 'jwks' ? control.secrets.jwks() : control.secrets.cookieKeys());
    expect(read).toThrow(expect.objectContaining({ code: 'control_damaged' }));
  });
});
