import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { systemClock } from '@grove/core';
import { end, spawnScript, temporaryFolder } from '@grove/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openControl } from '../control.ts';
import { openControlFile } from '../control-file/open-file.ts';
import { ControlStore } from '../control-file/store.ts';
import type { NewKey } from '../index.ts';
import { inAnotherProcess, openedControl, openedDatabase } from '../testing/opened-control.ts';

const LOCK = fileURLToPath(new URL('../testing/lock-child.ts', import.meta.url));

/** Waits for the next credentials that end, as many as are named; the test's own limit ends what never does. */
async function untilEnded(ended: readonly string[], count: number): Promise<void> {
  while (ended.length < count) await new Promise((resolve) => setTimeout(resolve, 10));
}

describe('a key', () => {
  it('made in another process is good at once', async () => {
    const { credentials, keys, dataDir } = openedControl();
    expect(keys.list()).toEqual([]);
    const { key, token } = (await inAnotherProcess(dataDir, 'create', 'Phone')) as NewKey;
    expect(credentials.verify(token)?.name).toBe('Phone');
    expect(() => keys.create({ name: 'Phone', vault: 'notes' })).toThrow(
      expect.objectContaining({ code: 'key_exists' }),
    );
    expect(keys.find('Phone').id).toBe(key.id);
  });

  it('a key revoked in another process stops at once', async () => {
    const { credentials, keys, dataDir } = openedControl();
    const { key, token } = keys.create({ name: 'Laptop', vault: 'notes' });
    const verified = credentials.verify(token);
    await inAnotherProcess(dataDir, 'revoke', key.id);
    expect(credentials.verify(token)).toBeNull();
    expect(credentials.isLive(verified?.credential ?? '')).toBe(false);
    expect(keys.find(key.id).state).toBe('revoked');
  });

  it.each(['revoke', 'rotate', 'remove'])(
    'a key ended in another process (%s) ends its open streams',
    async (verb) => {
      const { credentials, keys, dataDir } = openedControl();
      const [one, other] = ['One', 'Other'].map((name) => keys.create({ name, vault: 'notes' }));
      const [first, second] = [one, other].map((made) => credentials.verify(made!.token)?.credential ?? '');
      const ended: string[] = [];
      credentials.onEnded((credential) => ended.push(credential));
      await inAnotherProcess(dataDir, verb, one!.key.id);
      await untilEnded(ended, 1);
      expect(ended).toEqual([first]);
      expect(credentials.isLive(second ?? '')).toBe(true);
    },
  );

  it('that was shown is good after its process was killed', async () => {
    const dataDir = join(temporaryFolder('control'), 'data');
    const { token } = (await inAnotherProcess(dataDir, 'create', 'Phone', 'killed')) as NewKey;
    expect(readdirSync(dataDir)).toContain('control.db-wal');
    const { credentials } = openedControl(dataDir);
    expect(credentials.verify(token)?.name).toBe('Phone');
  });

  it('used in another process shows its last use', async () => {
    const { keys, dataDir } = openedControl();
    const { key, token } = keys.create({ name: 'Laptop', vault: 'notes' });
    const before = systemClock.now();
    await inAnotherProcess(dataDir, 'verify', token);
    expect(keys.find(key.id).lastUsedAt).toBeGreaterThanOrEqual(Math.min(before, key.createdAt));
  });

  it('made by several processes on first use is kept by each', async () => {
    const dataDir = join(temporaryFolder('control'), 'data');
    const names = ['One', 'Two', 'Three'];
    const made = (await Promise.all(
      names.map((name) => inAnotherProcess(dataDir, 'create', name)),
    )) as NewKey[];
    const { credentials, keys } = openedControl(dataDir);
    for (const { key, token } of made) expect(credentials.verify(token)?.name).toBe(key.name);
    expect(
      keys
        .list()
        .map(({ name }) => name)
        .sort(),
    ).toEqual([...names].sort());
  });
});

describe('a lock of another process', () => {
  /** Starts a process that wants the lock; `line` says whether it has it. */
  async function hold(path: string, kind: 'alone' | 'writing') {
    const child = spawnScript(LOCK, [path, kind]);
    const [chunk] = await once(child.stdout, 'data');
    return { child, line: String(chunk).trim() };
  }

  it('that keeps writers out lets keys be verified, and changes fail with control_locked', async () => {
    const control = openedControl();
    const { token, key } = control.keys.create({ name: 'Laptop', vault: 'notes' });
    const { child } = await hold(control.path, 'writing');
    expect(control.credentials.verify(token)).not.toBeNull();
    expect(control.again().credentials.verify(token)).not.toBeNull();
    expect(() => control.keys.revoke(key.id)).toThrow(expect.objectContaining({ code: 'control_locked' }));
    expect(control.credentials.verify(token)).not.toBeNull();
    await end(child, 'SIGKILL');
    expect(control.keys.revoke(key.id).state).toBe('revoked');
  });

  it('is waited for by changes as long as whoever opened the file said', async () => {
    const { dataDir, clock, path } = openedControl();
    const waits = [openControlFile(dataDir), openControlFile(dataDir, 250), openControlFile(dataDir, 0)].map(
      (file) => {
        onTestFinished(() => file.close());
        const asked = new ControlStore(file).change(() => file.database.prepare('PRAGMA busy_timeout').get());
        return asked?.timeout;
      },
    );
    expect(waits).toEqual([5_000, 250, 0]);
    const { child } = await hold(path, 'writing');
    const control = openControl({ dataDir, clock, changePatienceMs: 0 });
    onTestFinished(() => control.close());
    expect(() => control.keys.create({ name: 'Laptop', vault: 'notes' })).toThrow(
      expect.objectContaining({ code: 'control_locked' }),
    );
    await end(child, 'SIGKILL');
    expect(control.keys.create({ name: 'Laptop', vault: 'notes' }).key.state).toBe('live');
  });

  it('that keeps everyone out makes opening fail with control_locked', async () => {
    const control = openedControl();
    const { token } = control.keys.create({ name: 'Laptop', vault: 'notes' });
    control.close();
    const { child } = await hold(control.path, 'alone');
    expect(() => control.again()).toThrow(expect.objectContaining({ code: 'control_locked' }));
    await end(child, 'SIGKILL');
    expect(control.again().credentials.verify(token)).not.toBeNull();
  });

  it('that would keep everyone out is not given while keys are in use', async () => {
    const { credentials, keys, path } = openedControl();
    const { token } = keys.create({ name: 'Laptop', vault: 'notes' });
    expect((await hold(path, 'alone')).line).toBe('refused');
    expect(credentials.verify(token)).not.toBeNull();
  });

  it('that keeps everyone out of a file without a log makes verify throw, and ends nothing', async () => {
    const { control, ring, database } = openedDatabase(temporaryFolder('control'));
    // As on a disk that has no shared memory for the log.
    database.exec('PRAGMA journal_mode = DELETE');
    const { token } = ring.create({ name: 'Laptop', vault: 'notes' });
    expect(control.credentials.verify(token)).not.toBeNull();
    const ended: string[] = [];
    control.credentials.onEnded((credential) => ended.push(credential));
    const { child, line } = await hold(String(database.location()), 'alone');
    expect(line).toBe('held');
    expect(() => control.credentials.verify(token)).toThrow(
      expect.objectContaining({ code: 'control_locked' }),
    );
    // Long enough for what looks for ended credentials to have met the lock.
    await new Promise((resolve) => setTimeout(resolve, 600));
    await end(child, 'SIGKILL');
    expect(control.credentials.verify(token)).not.toBeNull();
    expect(ended).toEqual([]);
  });
});
