import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { expect, it } from 'vitest';
import type { Run } from '../run.ts';
import { readUpstreams } from '../serving/read-upstreams.ts';
import { settingsOf } from './settings.ts';

const upstreams = (environment: Readonly<Record<string, string>>) =>
  settingsOf({ environment, from: '/' }, null).upstreams;

it('reads a secret that is set, and one that is in a file', async () => {
  const from = temporaryFolder('upstream');
  writeFileSync(join(from, 'secret'), 'from the file\n', { mode: 0o600 });
  const words = upstreams({
    GROVE_GITHUB_CLIENT_ID: 'Iv1.a',
    GROVE_GITHUB_CLIENT_SECRET: 'set',
    GROVE_GOOGLE_CLIENT_ID: 'b.apps.googleusercontent.com',
    GROVE_GOOGLE_CLIENT_SECRET_FILE: 'secret',
  });
  expect(await readUpstreams({ from } as Run, words)).toEqual([
    { provider: 'github', clientId: 'Iv1.a', clientSecret: 'set' },
    { provider: 'google', clientId: 'b.apps.googleusercontent.com', clientSecret: 'from the file' },
  ]);
  expect(upstreams({ GROVE_GITHUB_CLIENT_ID: ' ' })).toEqual([]);
});

it.each([
  [{ GROVE_GITHUB_CLIENT_ID: 'a' }, 'needs GROVE_GITHUB_CLIENT_SECRET'],
  [{ GROVE_GOOGLE_CLIENT_SECRET: 'a' }, 'without GROVE_GOOGLE_CLIENT_ID'],
  [
    { GROVE_GITHUB_CLIENT_ID: 'a', GROVE_GITHUB_CLIENT_SECRET: 'b', GROVE_GITHUB_CLIENT_SECRET_FILE: 'c' },
    'both set',
  ],
])('refuses %j', (environment, words) => {
  expect(() => upstreams(environment)).toThrow(
    expect.objectContaining({ code: 'bad_input', message: expect.stringContaining(words) }),
  );
});
