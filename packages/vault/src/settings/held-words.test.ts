import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import type { Vault } from '../vault.ts';

const FILE = '.grove/vault.yaml';
const words = ({ autocommit, deletes, discovery }: Vault) => [autocommit, deletes, discovery];

it('words that come while a sync is cut off do not count at the next start, nor after it is settled', async () => {
  await using folder = await temporaryVault({ [FILE]: 'deletes: deny\n' });
  const before = await folder.open({ poll: true });
  await before.ownersWord.hold();
  await before.close();
  await folder.write(FILE, 'autocommit: true\nzone: Asia/Tokyo\n');
  const vault = await folder.open({ poll: true });
  expect([...words(vault), vault.zone]).toEqual([null, 'deny', 'suggest', 'Asia/Tokyo']);
  await vault.ownersWord.hold();
  await vault.ownersWord.settle();
  expect(words(vault)).toEqual([null, 'deny', 'suggest']);
  expect(vault.ownersWord.waiting).toContain('autocommit: true (the default holds)');
  await vault.ownersWord.accept();
  expect(words(vault)).toEqual([true, 'trash', 'suggest']);
});

it('what a sync leaves as it was stays the word of the owner', async () => {
  await using folder = await temporaryVault({ [FILE]: 'deletes: deny\n' });
  const vault = await folder.open({ poll: true });
  await vault.ownersWord.hold();
  await vault.ownersWord.settle();
  await folder.write(FILE, 'deletes: confirm\n');
  await vault.reconcile();
  expect(words(vault)).toEqual([null, 'confirm', 'suggest']);
});

it('the most careful words count where what is held cannot be read', async () => {
  await using folder = await temporaryVault({ [FILE]: 'autocommit: true\ndiscovery: wire\n' });
  await (await folder.open({ poll: true })).close();
  await writeFile(join(folder.stateDir, 'held-settings.json'), 'x');
  const vault = await folder.open({ poll: true });
  expect(words(vault)).toEqual([false, 'deny', 'off']);
  await vault.ownersWord.accept();
  expect(words(vault)).toEqual([true, 'trash', 'wire']);
});
