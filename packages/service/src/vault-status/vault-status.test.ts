import { link, mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GARDEN } from '../testing/garden.ts';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    ...GARDEN,
    'Latin.md': Buffer.from([0x23, 0x20, 0xe9, 0x0a]),
    'Private/hidden.md': '---\nx: [\n---\n#secrettag\n',
  });
  const { root } = vault.folder;
  await writeFile(join(root, '..', 'outside.md'), 'outside');
  await symlink(join(root, '..', 'outside.md'), join(root, 'Linked.md'));
  await mkdir(join(root, 'Folder.md'));
  await link(join(root, '..', 'outside.md'), join(root, 'Hard.md'));
  await vault.opened.vault.reconcile();
});
afterAll(() => vault.close());

const narrow = () =>
  vault.opened.scope(STDIO, {
    readPaths: [],
    writePaths: [],
    denyPaths: [parsePathRule('Private')],
    readOnly: false,
  });

describe('vault_status', () => {
  it('counts what the caller sees and lists for the owner what is skipped, with reasons (user-pains 47)', async () => {
    const answer = await vault.ok('vault_status');
    expect(answer).toMatchObject({
      mode: 'health',
      vault: 'Garden',
      state: 'ready',
      dialect: 'obsidian',
      broken_frontmatter: ['Broken.md', 'Private/hidden.md'],
      index: { state: 'ready', documents: answer.notes, pending: 0 },
      embedding: { configured: false },
    });
    const skipped = new Map(
      answer.skipped.map(({ path, reason }: { path: string; reason: string }) => [path, reason]),
    );
    expect(skipped.get('Linked.md')).toContain('symbolic link');
    expect(skipped.get('Hard.md')).toContain('hard link');
    expect(skipped.get('Latin.md')).toContain('UTF-8');
    expect(answer.skipped_total).toBe(skipped.size);
    // How far behind the folder an answer may be, and when it was last looked through.
    expect(answer.watching).toMatchObject({ mode: 'events', last_look: expect.stringMatching(/^\d{4}-/) });
    expect(answer.watching.bound_ms).toBeGreaterThan(0);
    expect(answer.memory_bytes).toBeGreaterThan(1e6);
    expect(JSON.stringify(answer)).not.toContain(vault.folder.root);
    expect((await vault.call('vault_status')).text).not.toContain(vault.folder.root);
  });

  it('answers about one file in two lines', async () => {
    const { text } = await vault.call('vault_status', { path: 'Linked.md' });
    expect(text.split('\n')).toEqual([
      expect.stringContaining('is ready'),
      expect.stringMatching(/^Linked\.md: skipped\. .*symbolic link/),
    ]);
  });

  it('tells a narrower View only of its own notes', async () => {
    const scope = narrow();
    const answer = await vault.ok('vault_status', {}, scope);
    expect(scope.view.isOwner).toBe(false);
    expect(answer.broken_frontmatter).toEqual(['Broken.md']);
    expect(answer.notes).toBe((await vault.ok('vault_status')).notes - 1);
    for (const key of [
      'skipped',
      'skipped_total',
      'watching',
      'memory_bytes',
      'parsed',
      'unreadable_folders',
    ])
      expect(answer).not.toHaveProperty(key);
    expect(answer.index).toEqual({ state: 'ready' });
  });

  it.each([
    ['Tomatoes', 'indexed', 'indexed as it is'],
    ['Broken.md', 'indexed', 'frontmatter does not parse (line'],
    ['Linked.md', 'skipped', 'symbolic link'],
    ['Latin.md', 'skipped', 'not UTF-8'],
    ['Tomatos.md', 'unknown', 'Tomatoes.md'],
    ['../x.md', 'unknown', 'leaves its folder'],
    ['.obsidian/app.json', 'unknown', 'hidden'],
    ['picture.png', 'unknown', '.md'],
  ])('says of %s that it is %s, and why (user-pains 47)', async (path, status, words) => {
    const { file } = await vault.ok('vault_status', { path });
    expect(file).toMatchObject({ status, reason: expect.stringContaining(words) });
  });

  it('tells a narrower View nothing of skipped and hidden files', async () => {
    for (const path of ['Linked.md', 'Private/hidden.md'])
      expect((await vault.ok('vault_status', { path }, narrow())).file.status).toBe('unknown');
  });

  it('is what OpenedVault.health answers', async () => {
    const health = await vault.opened.health(vault.scope.view);
    expect(health.notes).toBe((await vault.ok('vault_status')).notes);
  });

  it('says so when the folder vanished, and search still answers from what is known', async () => {
    const gone = await openTestVault({ 'a.md': 'A marmot.\n' });
    await rm(gone.folder.root, { recursive: true });
    await gone.opened.vault.reconcile().catch(() => {});
    expect(await gone.ok('vault_status')).toMatchObject({ state: 'degraded', problem: expect.any(String) });
    const answer = await gone.ok('query', { query: 'marmot' });
    expect(answer.hits[0].path).toBe('a.md');
    expect(answer.remarks.join()).toContain('not there now');
    expect((await gone.fail('get', { path: 'a.md' })).code).toBe('vault_degraded');
    await gone.close();
  });
});
