import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { parsePathRule } from '@grove/vault';
import { afterEach, expect, it } from 'vitest';
import type { Principal } from '../contract.ts';
import { type Loose, openTestVault, type TestVault } from '../testing/opened.ts';
import { get, getWhole } from './operation.ts';

const KEY: Principal = { kind: 'key', id: 'k_narrow', name: 'Narrow' };

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Versions {
  readonly vault: TestVault;
  readonly git: SystemGit;
  /** Commits, oldest first. */
  readonly commits: readonly string[];
}

const LONG = 'a line that stays, so that the note is found again\n'.repeat(5);

/** A note that was written, renamed out of `Private`, changed twice, and beside it commits of other notes. */
async function openVersions(): Promise<Versions> {
  let git: SystemGit | null = null;
  const commits: string[] = [];
  const vault = await openTestVault(
    { 'Private/Draft.md': `---\ntype: draft\ntags: [early]\n---\n# First title\n\n${LONG}` },
    {
      prepare: (root) => {
        const made = SystemGit.init(root);
        git = made;
        made.time = Date.parse('2026-11-01T10:00:00Z') / 1000;
        commits.push(made.commit('Draft'));
      },
    },
  );
  endings.push(() => vault.close());
  const made = git as unknown as SystemGit;
  const { root } = vault.folder;
  made.time = Date.parse('2026-11-10T10:00:00Z') / 1000;
  await rename(join(root, 'Private/Draft.md'), join(root, 'Plan.md'));
  commits.push(made.commit('Make it the plan'));
  await writeFile(join(root, 'Private/Other.md'), 'hidden\n');
  commits.push(made.commit('A hidden note'));
  made.time = Date.parse('2026-11-20T10:00:00Z') / 1000;
  await writeFile(join(root, 'Plan.md'), `# Plan\n\n## Part\n\nsecond\n${LONG}`);
  commits.push(made.commit('Second'));
  await writeFile(join(root, 'Plan.md'), `# Plan\n\n## Part\n\nthird\n${LONG}`);
  commits.push(made.commit('Third'));
  await vault.opened.vault.reconcile();
  return { vault, git: made, commits };
}

describeWithPrograms('a note as it was', ['git'], () => {
  it('is found by a commit, the start of its id, a moment, or as the one before', async () => {
    const { vault, commits } = await openVersions();
    const content = async (revision: string): Promise<string> =>
      (await vault.ok('get', { path: 'Plan', revision })).content;
    for (const revision of [commits[3]!, commits[3]!.slice(0, 9).toUpperCase(), 'previous'])
      expect(await content(revision), revision).toContain('second');
    expect(await content(commits[4]!)).toContain('third');
    for (const revision of ['HEAD^', 'head~1', `${commits[4]!}^`])
      expect(await content(revision), revision).toContain('second');
    for (const revision of ['HEAD', `${commits[4]!}~0`]) expect(await content(revision)).toContain('third');
    expect(await content(`${commits[3]!.slice(0, 8)}~2`)).toContain('First title');
    expect(await content('2026-11-25')).toContain('third');
    expect(await content('2026-11-05')).toContain('First title');
    // A commit of another note is a moment of the vault as well.
    expect(await content(commits[2]!)).toContain('First title');
    const then = await vault.ok('get', { path: 'Plan', revision: commits[0]! });
    expect(then).toMatchObject({
      path: 'Plan.md',
      type: 'draft',
      tags: ['early'],
      title: 'First title',
      modified: '2026-11-01T10:01:00Z',
      revision: { commit: commits[0], path: 'Private/Draft.md' },
    });
    expect(then.remarks.join(' ')).toContain('as of commit');
  });

  it('gives no hash, so that nothing is written over by one', async () => {
    const { vault, commits } = await openVersions();
    const revision = commits[3]!;
    const whole = await vault.ok('get', { path: 'Plan', revision });
    const part = await vault.ok('get', { path: 'Plan', revision, section: 'Part' });
    expect(part.content).toContain('second');
    for (const answer of [whole, part])
      for (const name of ['source_hash', 'content_hash', 'section_hash'])
        expect(answer).not.toHaveProperty(name);
    const map = await vault.ok('get', { path: 'Plan', revision: commits[0]!, format: 'map' });
    expect(map.outline).toMatchObject([{ text: 'First title' }]);
    const { scope } = vault;
    const raw = await getWhole(scope, get.parse({ path: 'Plan', revision, format: 'raw' }));
    expect(raw.content).toBe(`# Plan\n\n## Part\n\nsecond\n${LONG}`);
  });

  it.each(['0123456', 'f'.repeat(40), 'HEAD~9', 'HEAD^^', '2026-10-01', 'main', '../x', '\0', 'previously'])(
    'is refused for %j',
    async (revision) => {
      const { vault } = await openVersions();
      expect((await vault.fail('get', { path: 'Plan', revision })).code).toBe('revision_not_found');
    },
  );

  it('is for a key with path rules only what a vault with only its notes would hold', async () => {
    const { vault, commits } = await openVersions();
    const rules = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Private')], readOnly: false };
    const narrow = vault.opened.scope(KEY, rules);
    const ask = (revision: string): Promise<Loose> => vault.ok('get', { path: 'Plan', revision }, narrow);
    expect((await ask(commits[3]!)).content).toContain('second');
    expect((await ask(commits[1]!)).content).toContain('First title');
    // The hidden commit between the two is not counted.
    for (const revision of [`${commits[3]!}^`, 'HEAD~2'])
      expect((await ask(revision)).revision.commit, revision).toBe(commits[1]);
    // Before the note was the caller's to see, and a commit of what it never sees: as if there were none.
    const refused = async (revision: string): Promise<string> =>
      JSON.stringify(await vault.fail('get', { path: 'Plan', revision }, narrow)).replaceAll(revision, '');
    const nothing = await refused('f'.repeat(40));
    for (const revision of [commits[0]!, commits[2]!]) expect(await refused(revision)).toBe(nothing);
    expect(await refused('2026-11-05')).toBe(await refused('2026-10-01'));
    const hidden = await vault.fail('get', { path: 'Private/Other', revision: commits[2]! }, narrow);
    expect(hidden.code).toBe('note_not_found');
    const { history } = await vault.ok('get', { path: 'Plan', include: ['history'] }, narrow);
    expect(history).toMatchObject([
      { author: 'other', subject: 'Change Plan.md' },
      { author: 'other', subject: 'Change Plan.md' },
      { author: 'other', subject: 'Add Plan.md', change: 'added' },
    ]);
    expect(JSON.stringify(history)).not.toMatch(/Private|Ada/);
  });
});

describeWithPrograms('the commits of a note', ['git'], () => {
  it('come with it when they are asked for, newest first, with its renames', async () => {
    const { vault, commits } = await openVersions();
    const { history, source_hash } = await vault.ok('get', { path: 'Plan', include: ['history'] });
    expect(source_hash).toMatch(/^[0-9a-f]{16}$/);
    expect(history).toMatchObject([
      { commit: commits[4], subject: 'Third', change: 'modified', author: 'Ada' },
      { commit: commits[3], subject: 'Second' },
      { commit: commits[1], subject: 'Make it the plan', change: 'renamed', from: 'Private/Draft.md' },
      { commit: commits[0], subject: 'Draft', change: 'added' },
    ]);
    const { text } = await vault.call('get', { path: 'Plan', include: ['history'] });
    expect(text).toContain(`${commits[1]!.slice(0, 12)} · Ada · Make it the plan`);
    const error = await vault.fail('get', { path: 'Plan', include: ['backlinks'], revision: 'previous' });
    expect(error.code).toBe('bad_input');
  });

  it('are none for a note that was never committed, and remarked where history cannot be read', async () => {
    const vault = await openTestVault({ 'a.md': 'one\n', '.git': 'not a repository\n' });
    endings.push(() => vault.close());
    const answer = await vault.ok('get', { path: 'a', include: ['history'] });
    expect(answer.history).toEqual([]);
    expect(answer.remarks.join()).toContain('history of the vault cannot be read');
    expect((await vault.fail('get', { path: 'a', revision: 'previous' })).code).toBe('history_unavailable');
    const { vault: other } = await openVersions();
    await writeFile(join(other.folder.root, 'New.md'), 'new\n');
    await other.opened.vault.reconcile();
    const fresh = await other.ok('get', { path: 'New', include: ['history'] });
    expect(fresh).toMatchObject({ history: [], remarks: [expect.stringContaining('in no commit yet')] });
  });
});
