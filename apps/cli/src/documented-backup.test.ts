import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit, writeFiles } from '@grove/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { runGrove } from './testing/processes.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';

const PAGE = readFileSync(new URL('../../../docs/backup.md', import.meta.url), 'utf8');
const [CREATE = '', RESTORE = '', RESTORE_NOTES = '', RESTORE_BOTH = ''] = shellBlocks(PAGE);

let scratch: Scratch;
beforeEach(() => {
  scratch = makeScratch();
});
afterEach(() => scratch.remove());

/** Runs a block of the page as it stands there, in the home folder of the test. */
async function run(block: string): Promise<string> {
  return await runDocumented(scratch, [block], { env: { HOME: scratch.folder, GROVE_VAULT: 'my-garden' } });
}

async function grove(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGrove([...words, '--data', scratch.data]);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

const notes = (): Record<string, string> =>
  Object.fromEntries(
    readdirSync(scratch.vault, { recursive: true })
      .map(String)
      .filter((path) => path.endsWith('.md'))
      .sort()
      .map((path) => [path, readFileSync(join(scratch.vault, path), 'utf8')]),
  );

/** Notes that are written, a key, and a history with every note in it. */
async function lived(): Promise<void> {
  await grove('vault', 'writes', 'on', '--vault', scratch.vault);
  await grove('keys', 'create', 'laptop');
  for (const path of Object.keys(notes())) await grove('append', path, 'One line more.');
}

async function history(): Promise<unknown[]> {
  return JSON.parse(await grove('history', '--json')).commits;
}

async function expectAllThere(before: Record<string, string>, log: unknown[]): Promise<void> {
  expect(notes()).toEqual(before);
  expect(await history()).toEqual(log);
  expect(JSON.parse(await grove('keys', 'list', '--json')).keys).toMatchObject([{ name: 'laptop' }]);
  expect(await grove('append', 'Garden/Compost.md', 'And on it goes.')).toContain('Garden/Compost.md');
  expect(readFileSync(join(scratch.vault, 'Garden/Compost.md'), 'utf8')).toContain('And on it goes.');
}

describeWithPrograms('docs/backup.md', ['git'], () => {
  it('brings back a lost data folder', async () => {
    await lived();
    const [before, log] = [notes(), await history()];
    expect(await run(CREATE)).toContain('The backup is whole');
    rmSync(scratch.data, { recursive: true });
    expect(await run(RESTORE)).toContain('Keys and grants are as they were then');
    await expectAllThere(before, log);
  });

  it('brings back a lost folder of notes from the history that Grove keeps', async () => {
    await lived();
    const [before, log] = [notes(), await history()];
    rmSync(scratch.vault, { recursive: true });
    expect(await run(RESTORE_NOTES)).toContain('Wrote the notes of commit');
    const gitDir = join(scratch.data, 'vaults', 'my-garden', 'git');
    const git = new SystemGit(scratch.vault);
    await expectAllThere(before, log);
    expect(git.run('--git-dir', gitDir, 'status', '--porcelain')).toBe('');
    expect(git.run('--git-dir', gitDir, 'fsck', '--strict', '--no-dangling', '--no-progress')).toBe('');
  });

  it('brings back both', async () => {
    await lived();
    const [before, log] = [notes(), await history()];
    await run(CREATE);
    rmSync(scratch.data, { recursive: true });
    rmSync(scratch.vault, { recursive: true });
    expect(await run(RESTORE_BOTH)).toContain(`The folder of my-garden is not there: ${scratch.vault}.`);
    await expectAllThere(before, log);
  });

  it('brings back both from a backup and a remote, into another folder', async () => {
    const { root, remote } = {
      root: SystemGit.init(scratch.vault),
      remote: join(scratch.folder, 'remote.git'),
    };
    root.commit('Begin');
    await lived();
    const [before, log] = [notes(), await history()];
    root.run('clone', '--quiet', '--bare', '.', remote);
    await run(CREATE);
    rmSync(scratch.data, { recursive: true });
    rmSync(scratch.vault, { recursive: true });
    await run(RESTORE);
    expect(existsSync(scratch.vault)).toBe(false);
    const again = join(scratch.folder, 'again');
    new SystemGit(scratch.folder).run('clone', '--quiet', remote, again);
    expect(await grove('vault', 'folder', again)).toContain(`The folder of my-garden is ${again}.`);
    scratch = { ...scratch, vault: again };
    await expectAllThere(before, log);
    // What Grove wrote before is known as its own: the ledger and the key of its signatures came with the backup.
    expect(new SystemGit(again).run('log', '--format=%an', '-1')).toBe('owner\n');
  });

  it('begins anew where the data folder is lost without a backup: notes and the history of a .git stay', async () => {
    SystemGit.init(scratch.vault).commit('Begin');
    await lived();
    const [before, log] = [notes(), await history()];
    rmSync(scratch.data, { recursive: true });
    expect(await grove('vault', 'writes', '--vault', scratch.vault)).toContain('Clients may only read');
    expect(notes()).toEqual(before);
    expect(await history()).toHaveLength(log.length);
    expect(await grove('keys', 'list')).toContain('has no key');
  });

  it('writes no note over one that is there, nor from a history that Grove does not keep', async () => {
    await lived();
    const { code, stderr } = await runGrove([
      'vault',
      'folder',
      scratch.vault,
      '--restore-notes',
      '--data',
      scratch.data,
    ]);
    expect([code, stderr]).toEqual([1, expect.stringContaining('there are files in the folder')]);
    writeFiles(join(scratch.folder, 'Own'), { 'A.md': '# A\n' });
    const own = SystemGit.init(join(scratch.folder, 'Own'));
    own.commit('Begin');
    await grove('list', '--vault', own.dir);
    const place = join(scratch.folder, 'place');
    const refused = await runGrove([
      'vault',
      'folder',
      place,
      '--restore-notes',
      '--vault',
      'own',
      '--data',
      scratch.data,
    ]);
    expect([refused.code, refused.stderr]).toEqual([
      1,
      expect.stringContaining('keeps no history of this vault'),
    ]);
    const taken = await runGrove([
      'vault',
      'folder',
      own.dir,
      '--vault',
      'my-garden',
      '--data',
      scratch.data,
    ]);
    expect([taken.code, taken.stderr]).toEqual([1, expect.stringContaining('that of the vault own')]);
  });
});
