import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import { makeFirstKeys, requireLiveKeys } from './first-keys.ts';

it('asks for a live key of each vault that is served, and makes the first one of a vault that had none', () => {
  const control = openControl({ dataDir: temporaryFolder('keys'), clock: systemClock });
  const [garden, work] = [{ slug: 'garden' }, { slug: 'work' }];
  const made = control.keys.create({ name: 'laptop', vault: 'garden', scopes: ['read'] });
  requireLiveKeys(control.keys, [garden, work]);
  control.keys.revoke(made.key.id);
  expect(() => requireLiveKeys(control.keys, [work, garden])).toThrow(
    expect.objectContaining({ code: 'key_none', data: { vault: 'garden' } }),
  );
  expect([...makeFirstKeys(control.keys, [garden, work]).keys()]).toEqual(['work']);
  control.close();
});
