import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { locateState } from '@grove/vault';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { sampleVault } from '../serving/sample.ts';
import { makeScratch, type Scratch } from '../testing/vault-folder.ts';
import { chooseVault } from './choose-vault.ts';

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch();
});
afterEach(() => scratch.remove());

async function chosen(named: string | null): Promise<string | undefined> {
  const choice = { named, dataDir: scratch.data, from: scratch.folder };
  return (await chooseVault(choice))?.root;
}

describe('chooseVault', () => {
  it('means the sample while nothing else is known, and then the notes of the owner', async () => {
    expect(await chosen(null)).toBeUndefined();
    const sample = await sampleVault(scratch.data);
    expect(await chosen(null)).toBe(sample.root);
    await locateState(scratch.data, scratch.vault);
    expect(await chosen(null)).toBe(realpathSync(scratch.vault));
    expect(await chosen('sample-vault')).toBe(sample.root);
  });

  it('asks which of several vaults is meant, and does not offer the sample', async () => {
    await sampleVault(scratch.data);
    await locateState(scratch.data, scratch.vault);
    scratch.write('../Work/Plan.md', '# Plan\n');
    await locateState(scratch.data, join(scratch.folder, 'Work'));
    await expect(chosen(null)).rejects.toMatchObject({
      code: 'vault_required',
      hint: 'Name one with --vault: my-garden, work.',
    });
    expect(await chosen('work')).toBe(realpathSync(join(scratch.folder, 'Work')));
  });
});
