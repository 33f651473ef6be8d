import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import type { Run } from '../run.ts';
import { readSync } from './read-sync.ts';
import { settingsOf } from './settings.ts';

const settings = (environment: Readonly<Record<string, string>>) =>
  settingsOf({ environment, from: '/' }, null);

it('reads a secret that is set, and one that is in a file', async () => {
  const from = temporaryFolder('sync-settings');
  writeFileSync(join(from, 'token'), 'from the file\n', { mode: 0o600 });
  const set = settings({
    GROVE_SYNC: 'on',
    GROVE_SYNC_TOKEN_FILE: 'token',
    GROVE_SYNC_WEBHOOK_SECRET: 'said',
  });
  expect(await readSync({ from, settings: set } as Run)).toEqual({
    mode: 'on',
    token: 'from the file',
    webhookSecret: 'said',
    pullSeconds: 300,
    pushSeconds: 30,
  });
});

it('refuses a file that is missing or holds nothing, and a secret that is said twice', async () => {
  const from = temporaryFolder('sync-settings');
  writeFileSync(join(from, 'empty'), '\n', { mode: 0o600 });
  for (const file of ['missing', 'empty']) {
    const set = settings({ GROVE_SYNC_TOKEN_FILE: file });
    await expect(readSync({ from, settings: set } as Run)).rejects.toMatchObject({ code: 'bad_input' });
  }
  expect(() => settings({ GROVE_SYNC_TOKEN: 'a', GROVE_SYNC_TOKEN_FILE: 'b' })).toThrow(
    'GROVE_SYNC_TOKEN and GROVE_SYNC_TOKEN_FILE are both set',
  );
});
