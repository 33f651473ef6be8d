import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, makeRemoteSide, type RemoteSide, SystemGit } from '@grove/testing';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { runDocumented, shellBlocks } from './testing/documented-commands.ts';
import { runGrove } from './testing/processes.ts';
import { type RunningServer, startServer } from './testing/running-server.ts';
import { makeScratch, type Scratch } from './testing/vault-folder.ts';

const PAGE = readFileSync(new URL('../../../docs/sync.md', import.meta.url), 'utf8');
const [CLONE = '', EXISTING = '', SWITCHES = '', ACCEPT = '', SETTLE = '', REST = '', WEBHOOK = ''] =
  shellBlocks(PAGE);
const TOKEN = 'a-token-of-ada';
const SECRET = 'a-secret-of-webhooks';
const NOTES = ['Plan', 'Shopping', 'Beds', 'Trees'].map((name) => `${name}.md`);

let scratch: Scratch;
let side: RemoteSide;
let cloned: string;
beforeEach(async () => {
  scratch = makeScratch();
  cloned = join(scratch.folder, 'notes');
  side = await makeRemoteSide(Object.fromEntries(NOTES.map((path) => [path, 'one\ntwo\nthree\n'])));
  side.server.token = TOKEN;
  writeFileSync(join(scratch.folder, 'token'), `${TOKEN}\n`);
});
afterEach(() => scratch.remove());

/** Runs a block of the page, with the repository of the test for the one on GitHub, today. */
async function run(block: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const lines = block
    .replaceAll('https://github.com/ada/notes.git', side.url)
    .replaceAll('2026-11-30', new Date().toISOString().slice(0, 10));
  return await runDocumented(scratch, [lines], { cwd: scratch.folder, env });
}

async function grove(...words: string[]): Promise<string> {
  const { code, stdout, stderr } = await runGrove([...words, '--vault', cloned, '--data', scratch.data]);
  if (code !== 0) throw new Error(`${stdout}${stderr}`);
  return stdout;
}

/** Every note was changed on both sides, in the same line. */
async function conflicted(): Promise<void> {
  await run(CLONE);
  await grove('vault', 'writes', 'on');
  side.elsewhere(Object.fromEntries(NOTES.map((path) => [path, 'one\nTHEIRS\nthree\n'])));
  for (const path of NOTES) await grove('edit', path, '--find', 'two', '--replace', 'OURS');
  await grove('sync');
}

describeWithPrograms('docs/sync.md', ['git', 'curl'], () => {
  it('clones a repository, switches sync on, and syncs', async () => {
    const said = await run(CLONE);
    expect(said).toContain('The token is kept for sync');
    expect(said).toContain(`is on: origin is ${side.url}, branch main`);
    expect(said).toContain('The remote has nothing new.');
  });

  it('lets what a sync brings into the file of the vault wait for a word', async () => {
    await run(CLONE);
    side.elsewhere({ '.grove/vault.yaml': 'autocommit: true\n' });
    expect(await grove('sync')).toContain('autocommit: true (the default holds)');
    expect(await run(ACCEPT, { GROVE_VAULT: cloned })).toContain('What .grove/vault.yaml says counts now.');
  });

  it('takes a token for a folder that is a clone, and forgets it', async () => {
    side.cloneTo(scratch.vault);
    expect(await run(EXISTING)).toMatch(/is kept, readable for you alone.*is on: origin is .*is on: /s);
    const said = await run(SWITCHES);
    expect(said).toMatch(
      /is on: .*is on, pulling alone: .*is on, pushing alone: .*is off: .*is forgotten here/s,
    );
    expect(new SystemGit(scratch.vault).run('config', '--list')).not.toContain(TOKEN);
  });

  it('settles conflicts in each way', async () => {
    await conflicted();
    const said = await run(SETTLE, { GROVE_VAULT: cloned });
    expect(said).toContain('4 conflicts to settle.');
    expect(said).toMatch(
      /Plan\.md stays as it is.*Shopping\.md says now.*is the note Beds of Bob\.md now.*1 conflict left/s,
    );
    const text = (path: string) => readFileSync(join(cloned, path), 'utf8');
    expect(text('Plan.md')).toContain('OURS');
    expect([text('Shopping.md'), text('Beds of Bob.md')]).toEqual([
      'one\nTHEIRS\nthree\n',
      'one\nTHEIRS\nthree\n',
    ]);
  });

  it('settles, syncs and takes webhooks over HTTP', async () => {
    await conflicted();
    const args = ['--vault', cloned, '--data', scratch.data];
    const server: RunningServer = await startServer(args, { GROVE_SYNC_WEBHOOK_SECRET: SECRET });
    try {
      const key = async (name: string, scopes: string): Promise<string> =>
        (await grove('keys', 'create', name, '--scopes', scopes)).trim();
      const env = {
        GROVE: server.told.local_url,
        KEY: await key('Writer', 'write'),
        ADMIN_KEY: await key('Admin', 'admin'),
        SECRET,
      };
      const said = await run(REST, env);
      expect(said).toContain('"conflicts_total":4');
      expect(said).toContain('"kept":"theirs"');
      expect(said).toContain('"pushed":true');
      expect(side.holds('Trees.md')).toBe('one\nTHEIRS\nthree\n');
      side.elsewhere({ 'New.md': 'a zebra\n' });
      expect(await run(WEBHOOK, env)).toContain('"accepted":true');
      await vi.waitFor(() => expect(readFileSync(join(cloned, 'New.md'), 'utf8')).toBe('a zebra\n'), {
        timeout: 40_000,
        interval: 200,
      });
      for (const secret of [TOKEN, SECRET]) expect(server.complaints()).not.toContain(secret);
    } finally {
      await server.stop();
    }
  });
});
