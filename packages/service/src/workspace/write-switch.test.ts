import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@grove/testing';
import { describe, expect, it } from 'vitest';
import { openWriteSwitch } from './write-switch.ts';

describe('the write switch of a vault', () => {
  it('is off until it is turned on, and stays as it was left', async () => {
    const dir = temporaryFolder('switch');
    const first = await openWriteSwitch(dir);
    expect(first.on).toBe(false);
    await first.turn(true);
    expect(first.on).toBe(true);
    expect((await openWriteSwitch(dir)).on).toBe(true);
    await first.turn(false);
    expect((await openWriteSwitch(dir)).on).toBe(false);
  });

  it('tells each change once, in order', async () => {
    const heard: boolean[] = [];
    const writes = await openWriteSwitch(temporaryFolder('switch'));
    const stop = writes.onChange((on) => heard.push(on));
    await Promise.all([writes.turn(true), writes.turn(true), writes.turn(false), writes.turn(true)]);
    stop();
    await writes.turn(false);
    expect(heard).toEqual([true, false, true]);
  });

  it.each(['', '{"on": tr', '{"on": "yes"}', '[]', '\u0000'])(
    'is off where its file cannot be understood: %j',
    async (text) => {
      const dir = temporaryFolder('switch');
      writeFileSync(join(dir, 'writes.json'), text);
      const writes = await openWriteSwitch(dir);
      expect(writes.on).toBe(false);
      await writes.turn(true);
      expect(readFileSync(join(dir, 'writes.json'), 'utf8')).toBe('{"on":true}\n');
    },
  );

  it('stays off when the file cannot be written', async () => {
    const dir = temporaryFolder('switch');
    const writes = await openWriteSwitch(join(dir, 'gone'));
    await expect(writes.turn(true)).rejects.toThrow(/ENOENT/);
    expect(writes.on).toBe(false);
  });
});
