import { makeRemoteSide, type RemoteSide, type SystemGit } from '@grove/testing';
import { onTestFinished } from 'vitest';
import type { SyncWish } from '../sync/contract.ts';
import type { OpenOwnedVaultOptions } from '../workspace/opened-vault.ts';
import { openTestVault, type TestVault } from './opened.ts';
import type { Files } from './vault-folder.ts';

/** A vault that is a clone, and its remote. */
export interface TwoSides extends RemoteSide {
  readonly vault: TestVault;
  /** Git in the vault's folder. */
  readonly here: SystemGit;
}

/** Of tests: nothing happens by itself unless they say so, and what failed is soon tried again. */
export const TEST_SYNC: SyncWish = {
  mode: null,
  token: null,
  pullMs: 0,
  pushMs: 50,
  byItself: false,
  retry: { firstMs: 60, longestMs: 400 },
};

/** Ends with the running test. */
export async function openTwoSides(
  files: Files,
  options: Partial<Omit<OpenOwnedVaultOptions, 'sync'>> & { readonly sync?: Partial<SyncWish> } = {},
): Promise<TwoSides> {
  const side = await makeRemoteSide(files);
  const { sync, ...rest } = options;
  let here: SystemGit | null = null;
  const vault = await openTestVault(
    {},
    {
      writes: true,
      ...rest,
      sync: { ...TEST_SYNC, ...sync },
      prepare: (root) => {
        here = side.cloneTo(root);
      },
    },
  );
  onTestFinished(() => vault.close());
  return { ...side, vault, here: here! };
}
