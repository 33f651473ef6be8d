import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { openedControl } from '../testing/opened-control.ts';

describe('a record of the provider', () => {
  it('comes back as it was, with its id, in another opening too', () => {
    const control = openedControl();
    const payload = { jti: 'token-1', kind: 'RefreshToken', grantId: 'g', uid: 'u', nested: { a: [1, 'ü'] } };
    control.oauth.upsert('RefreshToken', 'token-1', payload, 60);
    expect(control.oauth.find('RefreshToken', 'token-1')).toEqual(payload);
    expect(control.again().oauth.find('RefreshToken', 'token-1')).toEqual(payload);
    expect(control.oauth.find('AccessToken', 'token-1')).toBeUndefined();
    const { jti: _jti, ...without } = payload;
    expect(control.oauth.findByUid('RefreshToken', 'u')).toEqual(without);
    expect(control.oauth.findByUid('RefreshToken', 'other')).toBeUndefined();
  });

  it('keeps no id on disk', () => {
    const control = openedControl();
    const id = 'a-token-of-some-forty-three-characters-long';
    control.oauth.upsert('AccessToken', id, { jti: id, grantId: 'g' }, 60);
    for (const name of readdirSync(control.dataDir))
      expect(readFileSync(join(control.dataDir, name)).includes(id)).toBe(false);
  });

  it('is gone when its time is over, and without one it stays', () => {
    const { oauth, clock } = openedControl();
    oauth.upsert('AuthorizationCode', 'short', { uid: 'u' }, 60);
    oauth.upsert('Client', 'long', {}, undefined);
    clock.advance(60_000);
    expect(oauth.find('AuthorizationCode', 'short')).toBeUndefined();
    expect(oauth.findByUid('AuthorizationCode', 'u')).toBeUndefined();
    expect(oauth.find('Client', 'long')).toEqual({ jti: 'long' });
    expect(oauth.prune()).toBe(1);
    expect(oauth.prune()).toBe(0);
    expect(oauth.find('Client', 'long')).toBeDefined();
  });

  it('is consumed once, and stays so when it is written again', () => {
    const control = openedControl();
    const { oauth, clock } = control;
    oauth.upsert('AuthorizationCode', 'code', { grantId: 'g' }, 60);
    expect(oauth.consume('AuthorizationCode', 'code')).toBe(true);
    const consumed = Math.floor(clock.now() / 1_000);
    clock.advance(2_000);
    for (const { oauth: other } of [control, control.again()])
      expect(other.consume('AuthorizationCode', 'code')).toBe(false);
    oauth.upsert('AuthorizationCode', 'code', { grantId: 'g', consumed: 1 }, 60);
    expect(oauth.find('AuthorizationCode', 'code')).toEqual({ jti: 'code', grantId: 'g', consumed });
    expect(oauth.consume('AuthorizationCode', 'none')).toBe(false);
  });

  it('goes with the others of its grant', () => {
    const { oauth } = openedControl();
    for (const model of ['AccessToken', 'RefreshToken', 'AuthorizationCode'])
      for (const grantId of ['one', 'two']) oauth.upsert(model, `${model}-${grantId}`, { grantId }, 60);
    oauth.revokeByGrantId('one');
    for (const model of ['AccessToken', 'RefreshToken', 'AuthorizationCode']) {
      expect(oauth.find(model, `${model}-one`)).toBeUndefined();
      expect(oauth.find(model, `${model}-two`)).toBeDefined();
    }
    oauth.destroy('AccessToken', 'AccessToken-two');
    oauth.destroy('AccessToken', 'AccessToken-two');
    expect(oauth.find('AccessToken', 'AccessToken-two')).toBeUndefined();
  });
});
