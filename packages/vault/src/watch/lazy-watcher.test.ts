import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';

describe('the native watcher', () => {
  it('is loaded only by a vault that uses events', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a' });
    const isLoaded = (): boolean =>
      Object.keys(createRequire(import.meta.url).cache).some((path) => path.includes('@parcel/watcher'));
    await (await folder.open({ poll: true })).close();
    expect(isLoaded()).toBe(false);
    await (await folder.open()).close();
    expect(isLoaded()).toBe(true);
  });
});
