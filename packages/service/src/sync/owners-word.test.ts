import { describeWithPrograms } from '@grove/testing';
import { expect, it, onTestFinished } from 'vitest';
import type { Principal } from '../contract.ts';
import { callChecked, type TestVault } from '../testing/opened.ts';
import { openTwoSides, TEST_SYNC } from '../testing/two-sides.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import { syncVault } from './operation.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
const FILE = '.grove/vault.yaml';
const on = { sync: { mode: 'on' } } as const;

const accept = (vault: TestVault) =>
  callChecked(syncVault, vault.opened.scope(OWNER, undefined, { scopes: ['write'] }), { action: 'accept' });
const words = ({ opened: { vault } }: Pick<TestVault, 'opened'>) => [
  vault.autocommit,
  vault.deletes,
  vault.discovery,
];

describeWithPrograms('what a sync brings into .grove/vault.yaml', ['git'], () => {
  it('waits for the word of the owner where it would publish, delete or rewrite; the rest counts', async () => {
    const { vault, elsewhere, here, bare } = await openTwoSides(
      { 'A.md': 'a\n', [FILE]: 'deletes: deny\n' },
      on,
    );
    await vault.folder.write({ 'Diary.md': 'never given to git\n' });
    elsewhere({ [FILE]: 'autocommit: true\ndeletes: trash\ndiscovery: wire\nzone: Asia/Tokyo\n' });
    expect(await vault.opened.sync.run()).toMatchObject({ problem: null, changed: [FILE] });
    await vault.opened.vault.reconcile();
    expect(words(vault)).toEqual([null, 'deny', 'suggest']);
    expect(vault.opened.vault.zone).toBe('Asia/Tokyo');
    const { structured } = await callChecked(
      syncVault,
      vault.opened.scope(OWNER, undefined, { scopes: ['write'] }),
      { action: 'status' },
    );
    const sentence = expect.stringContaining(
      'autocommit: true (the default holds), deletes: trash (deny holds)',
    );
    expect(structured.remarks).toContainEqual(sentence);
    expect((await vault.ok('vault_status')).remarks).toContainEqual(sentence);
    await vault.opened.sync.run();
    expect(bare.run('ls-tree', '-r', '--name-only', 'main')).not.toContain('Diary.md');
    expect(here.run('status', '--porcelain')).toBe('?? Diary.md\n');
    expect((await accept(vault)).text).toContain('says counts now');
    expect(words(vault)).toEqual([true, 'trash', 'wire']);
    expect((await accept(vault)).text).toContain('Nothing waits');
  });

  it('keeps waiting over a start and another pull, and counts once it is edited here', async () => {
    const { vault, elsewhere } = await openTwoSides({ 'A.md': 'a\n' }, on);
    elsewhere({ [FILE]: 'autocommit: true\n' });
    await vault.opened.sync.run();
    await vault.opened.close();
    const { root, dataDir } = vault.folder;
    const opened = await openOwnedVault({ root, dataDir, kind: 'stdio', sync: { ...TEST_SYNC, mode: 'on' } });
    onTestFinished(() => opened.close());
    await opened.ready;
    expect(words({ opened })).toEqual([null, 'trash', 'suggest']);
    elsewhere({ [FILE]: 'autocommit: [\n' });
    await opened.sync.run();
    expect(words({ opened })).toEqual([null, 'trash', 'suggest']);
    elsewhere({ [FILE]: 'autocommit: true\ndeletes: confirm\n' });
    await opened.sync.run();
    expect(words({ opened })).toEqual([null, 'trash', 'suggest']);
    await vault.folder.write({ [FILE]: 'autocommit: true\ndeletes: confirm # yes\n' });
    await opened.vault.reconcile();
    expect(words({ opened })).toEqual([true, 'confirm', 'suggest']);
    expect(opened.vault.ownersWord.waiting).toBeNull();
  });

  it('waits too when the file goes, and not where it comes back to what counts', async () => {
    const { vault, elsewhere } = await openTwoSides({ 'A.md': 'a\n', [FILE]: 'deletes: deny\n' }, on);
    elsewhere({ [FILE]: null });
    await vault.opened.sync.run();
    expect(words(vault)).toEqual([null, 'deny', 'suggest']);
    expect(vault.opened.vault.ownersWord.waiting).toContain('deletes: trash (deny holds)');
    elsewhere({ [FILE]: 'deletes: deny # again\n' });
    await vault.opened.sync.run();
    expect(words(vault)).toEqual([null, 'deny', 'suggest']);
    expect(vault.opened.vault.ownersWord.waiting).toBeNull();
  });

  it('leaves alone what is edited here, also by a pull that brings something else', async () => {
    const { vault, elsewhere } = await openTwoSides({ 'A.md': 'a\n', [FILE]: 'deletes: deny\n' }, on);
    elsewhere({ 'A.md': 'b\n' });
    await vault.folder.write({ [FILE]: 'deletes: confirm\n' });
    await vault.opened.sync.run();
    expect(words(vault)).toEqual([null, 'confirm', 'suggest']);
    await vault.folder.write({ [FILE]: 'deletes: trash\n' });
    await vault.opened.vault.reconcile();
    expect(words(vault)).toEqual([null, 'trash', 'suggest']);
  });
});
