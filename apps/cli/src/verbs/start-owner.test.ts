import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openControl } from '@grove/access';
import { systemClock } from '@grove/core';
import { collect, end } from '@grove/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runGrove, spawnGrove } from '../testing/processes.ts';
import { startServer } from '../testing/running-server.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';

const PASSPHRASE = 'four herons at the pond';

let scratch: Scratch;
let args: string[];
beforeEach(() => {
  scratch = makeScratch();
  args = ['--vault', scratch.vault, '--data', scratch.data];
});
afterEach(() => scratch.remove());

const isPassphrase = async (text: string): Promise<boolean> => {
  const control = openControl({ dataDir: scratch.data, clock: systemClock });
  try {
    return await control.owner.verify(text);
  } finally {
    control.close();
  }
};

// Each starts several servers.
describe('grove start and the owner', { timeout: 240_000 }, () => {
  it('shows a link that sets the passphrase, another one at the next start, and none once there is one', async () => {
    const first = await startServer(args);
    const { owner_url, owner_setup_url: link = '' } = first.told;
    expect(owner_url).toBe(`http://127.0.0.1:${first.told.port}/owner`);
    expect(link).toMatch(/\/owner\/setup\?token=setup_[\w-]{43}$/);
    expect((await fetch(link)).status).toBe(200);
    await first.stop();

    const second = await startServer(args);
    const { owner_setup_url: newer = '' } = second.told;
    const moved = new URL(new URL(link).search, new URL('/owner/setup', newer));
    expect([(await fetch(moved)).status, (await fetch(newer)).status]).toEqual([410, 200]);
    await second.stop();

    await runGrove(['passphrase', 'set', '--data', scratch.data], { input: `${PASSPHRASE}\n` });
    const third = await startServer(args);
    expect(third.told).not.toHaveProperty('owner_setup_url');
    expect((await fetch(newer.replace(/:\d+/, `:${third.told.port}`))).status).toBe(410);
    await third.stop();
  });

  it('tells a person where the page is, and how to set the passphrase before', async () => {
    const said = async (): Promise<string> => {
      const child = spawnGrove(['start', ...args]);
      const stdout = collect(child.stdout);
      while (!stdout().includes('Serving.')) await once(child.stdout, 'data');
      await end(child);
      return stdout();
    };
    expect(await said()).toMatch(
      /^You {3}http:\/\/127\.0\.0\.1:\d+\/owner\/setup\?token=setup_[\w-]{43} {3}\(.*within 24 hours\)$/m,
    );
    await runGrove(['passphrase', 'set', '--data', scratch.data], { input: `${PASSPHRASE}\n` });
    expect(await said()).toMatch(/^You {3}http:\/\/127\.0\.0\.1:\d+\/owner {3}\(/m);
  });

  it('takes the passphrase from a file, and another one when that has another', async () => {
    const file = join(scratch.data, '..', 'passphrase');
    const env = { GROVE_OWNER_PASSPHRASE_FILE: file };
    for (const passphrase of [PASSPHRASE, 'five herons at the pond']) {
      writeFileSync(file, `${passphrase}\n`);
      const server = await startServer(args, env);
      expect(server.told).not.toHaveProperty('owner_setup_url');
      await server.stop();
      expect(await isPassphrase(passphrase)).toBe(true);
    }
    writeFileSync(file, 'too short');
    for (const env of [{ GROVE_OWNER_PASSPHRASE_FILE: file }, { GROVE_OWNER_PASSPHRASE_FILE: '/nowhere' }]) {
      const { code, stdout } = await runGrove(['start', ...args, '--json'], { env });
      expect([code, JSON.parse(stdout).error.code]).toEqual([1, 'bad_input']);
      expect(stdout).toContain('GROVE_OWNER_PASSPHRASE_FILE');
      expect(stdout).not.toContain('too short');
    }
    expect(await isPassphrase('five herons at the pond')).toBe(true);
  });
});
