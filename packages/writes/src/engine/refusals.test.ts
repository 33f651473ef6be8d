import { linkSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultPath } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound, leftovers } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { begun, engineOver, type OpenedEngine, openedEngine, wholeWrite } from '../testing/opened-engine.ts';

/** Tries a write that must be refused, and checks that it left nothing behind. */
async function expectRefused(vault: OpenedEngine, path: string, code: string, text: string | null = 'x\n') {
  const head = vault.git.run('rev-parse', '--verify', '-q', 'HEAD');
  const names = readdirSync(vault.root, { recursive: true })
    .filter((name) => !String(name).startsWith('.git/'))
    .sort();
  let error: unknown = null;
  try {
    await vault.write(path, text);
  } catch (thrown) {
    error = thrown;
  }
  expect(error).toMatchObject({ code });
  expect(String((error as Error).message)).not.toContain(vault.root);
  expect(vault.git.run('rev-parse', '--verify', '-q', 'HEAD')).toBe(head);
  expect(
    readdirSync(vault.root, { recursive: true })
      .filter((name) => !String(name).startsWith('.git/'))
      .sort(),
  ).toEqual(names);
  expect(leftovers(vault.root)).toEqual([]);
  return error;
}

describeWithPrograms('a write is refused', ['git'], () => {
  it('where the new note would be a twin of one that is there', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Caf\u00e9/Note.md': 'n\n' });
    await expectRefused(vault, 'plan.md', 'path_taken');
    await expectRefused(vault, 'PLAN.MD', 'path_taken');
    await expectRefused(vault, 'CAF\u00c9/Other.md', 'path_taken');
    const error = await expectRefused(vault, 'caf\u00e9/Other.md', 'path_taken');
    expect(error).toMatchObject({ data: { twin: 'Caf\u00e9/Other.md' } });
    expectSound(vault.git);
  });

  it.each([
    ['notes', 'New.md', 'new.md'],
    ['folders', 'Plans/A.md', 'plans/B.md'],
    ['inner folders', 'In/Caf\u00e9/A.md', 'In/CAF\u00c9/B.md'],
  ])('where %s that come together are twins', async (_, ...paths) => {
    const vault = await openedEngine();
    const both = paths.map((path) => wholeWrite(path, 'x').paths[0]!);
    const request = wholeWrite('New.md', 'x', {
      paths: both,
      plan: () => ({
        changes: both.map((path) => ({ path, after: Buffer.from('x\n') })),
        subject: 'Two',
        trailers: {},
        mechanical: false,
        answer: null,
      }),
    });
    await expect(vault.engine.apply(request)).rejects.toMatchObject({ code: 'path_taken' });
    expectSound(vault.git);
  });

  it.runIf(process.platform === 'linux')(
    'never: the other Unicode form of a name is the same note',
    async () => {
      const decomposed = 'Cafe\u0301';
      const vault = await openedEngine({
        [`${decomposed}.md`]: 'one\n',
        [`${decomposed}/Deep.md`]: 'deep\n',
      });
      await vault.write('Caf\u00e9.md', 'two\n');
      await vault.write('Caf\u00e9/Deep.md', 'deeper\n');
      await vault.write('Caf\u00e9/New.md', 'new\n');
      expect(
        readdirSync(vault.root)
          .filter((name) => !name.startsWith('.'))
          .sort(),
      ).toEqual([decomposed, `${decomposed}.md`]);
      expect(vault.text(`${decomposed}.md`)).toBe('two\n');
      await vault.engine.settled();
      expect(vault.git.run('-c', 'core.quotePath=false', 'ls-files').trim().split('\n').sort()).toEqual([
        `${decomposed}.md`,
        `${decomposed}/Deep.md`,
        `${decomposed}/New.md`,
      ]);
      expectSound(vault.git);
    },
  );

  it('where a folder on the way is a file, or the note is a folder', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Folder.md/In.md': 'in\n' });
    await expectRefused(vault, 'Plan.md/New.md', 'folder_is_file');
    await expectRefused(vault, 'Folder.md', 'path_refused');
    expectSound(vault.git);
  });

  it('into a hidden folder, git’s own above all, however the path was made', async () => {
    const vault = await openedEngine();
    for (const hidden of ['.git/hooks/x.md', '.obsidian/x.md', 'Folder/.private/x.md', '.x.md']) {
      const request = { ...wholeWrite('Plan.md', 'x'), paths: [hidden as VaultPath] };
      await expect(vault.engine.apply(request)).rejects.toMatchObject({ code: 'path_refused' });
    }
    expectSound(vault.git);
  });

  it('through links and second names, and writes nothing outside of the vault', async () => {
    const outside = memoryFolder('outside');
    writeFileSync(join(outside, 'Secret.md'), 'secret\n');
    const vault = await openedEngine({ 'Plan.md': 'one\n', 'Real/In.md': 'in\n' });
    symlinkSync(join(outside, 'Secret.md'), join(vault.root, 'Link.md'));
    symlinkSync(outside, join(vault.root, 'Linked'));
    symlinkSync(join(vault.root, 'Nowhere.md'), join(vault.root, 'Dangling.md'));
    linkSync(join(outside, 'Secret.md'), join(vault.root, 'Hard.md'));
    for (const path of ['Link.md', 'Linked/Secret.md', 'Linked/New.md', 'Dangling.md', 'Hard.md'])
      await expectRefused(vault, path, 'path_refused');
    for (const path of ['Link.md', 'Hard.md']) await expectRefused(vault, path, 'path_refused', null);
    expect(readdirSync(outside)).toEqual(['Secret.md']);
    expectSound(vault.git, ['Link.md', 'Linked', 'Dangling.md', 'Hard.md']);
  });

  it('when a folder on the way becomes a link in the middle of it', async () => {
    const outside = memoryFolder('outside');
    const vault = await openedEngine(
      { 'Real/In.md': 'in\n' },
      {
        step: (at) => {
          if (at !== 'journaled') return;
          renameSync(join(vault.root, 'Real'), join(vault.root, 'Moved'));
          symlinkSync(outside, join(vault.root, 'Real'));
        },
      },
    );
    await expect(vault.write('Real/New.md', 'x\n')).rejects.toMatchObject({ code: 'path_refused' });
    await vault.engine.close();
    expect(readdirSync(outside)).toEqual([]);
  });

  it('where git ignores the path or converts the file', async () => {
    const vault = await openedEngine({
      'Plan.md': 'one\n',
      '.gitignore': 'Private/\n',
      '.gitattributes': 'Big/** filter=lfs\n',
    });
    await expectRefused(vault, 'Private/New.md', 'git_ignored');
    await expectRefused(vault, 'Big/New.md', 'git_filter_unsupported');
    expectSound(vault.git);
  });

  it('while another program holds the lock of the index, and goes on when it is gone', async () => {
    const vault = await openedEngine();
    const lock = join(vault.root, '.git', 'index.lock');
    writeFileSync(lock, '');
    const refused = vault.write('Plan.md', 'x\n');
    await expect(refused).rejects.toMatchObject({ code: 'git_busy' });
    expect(vault.text('Plan.md')).toBe('one\ntwo\n');
    rmSync(lock);
    await vault.write('Plan.md', 'x\n');
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('while git is in the middle of something', async () => {
    const vault = await openedEngine();
    const head = vault.git.run('rev-parse', 'HEAD');
    writeFileSync(join(vault.root, '.git', 'MERGE_HEAD'), head);
    await expectRefused(vault, 'Plan.md', 'git_in_operation');
    rmSync(join(vault.root, '.git', 'MERGE_HEAD'));
    vault.git.run('checkout', '-q', '--detach');
    await expectRefused(vault, 'Plan.md', 'git_in_operation');
    vault.git.run('checkout', '-q', 'main');
    await vault.write('Plan.md', 'x\n');
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('while the vault or its git dir is not there, or is another one', async () => {
    const vault = await openedEngine();
    for (const folder of [vault.root, join(vault.root, '.git')]) {
      renameSync(folder, `${folder}-away`);
      await expect(vault.write('Plan.md', 'x\n')).rejects.toMatchObject({ code: 'vault_degraded' });
      mkdirSync(folder);
      await expect(vault.write('Plan.md', 'x\n')).rejects.toMatchObject({ code: 'vault_degraded' });
      expect(await vault.engine.problem()).toMatch(/vanished or was replaced/);
      rmSync(folder, { recursive: true });
      renameSync(`${folder}-away`, folder);
    }
    expect(await vault.engine.problem()).toBeNull();
    await vault.write('Plan.md', 'x\n');
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('where git keeps the index in a way that is not written soundly', async () => {
    const git = begun({ 'Plan.md': 'one\n' });
    git.run('update-index', '--split-index');
    const vault = await engineOver(git);
    expect(await vault.engine.problem()).toMatch(/split/);
    await expect(vault.write('Plan.md', 'x\n')).rejects.toMatchObject({ code: 'repository_unwritable' });
    expect(vault.text('Plan.md')).toBe('one\n');
  });

  it('when too many wait, and after the engine was closed', async () => {
    const vault = await openedEngine({ 'Plan.md': 'one\n' }, { queueLimit: 3 });
    const results = await Promise.allSettled(
      ['1', '2', '3', '4'].map((name) => vault.write(`${name}.md`, 'x\n')),
    );
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'fulfilled', 'rejected']);
    expect(results[3]).toMatchObject({ reason: { code: 'write_queue_full', data: { limit: 3 } } });
    const late = vault.write('5.md', 'x\n');
    await vault.engine.close();
    await late;
    await expect(vault.write('6.md', 'x\n')).rejects.toMatchObject({ code: 'stopping' });
    expectSound(vault.git);
  });
});
