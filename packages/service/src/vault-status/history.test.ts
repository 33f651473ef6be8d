import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import { parsePathRule } from '@grove/vault';
import { afterEach, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { type Loose, openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

const AGENT: Principal = { kind: 'key', id: 'k_agent', name: 'Agent', client: 'a client' };
const OTHER: Principal = { kind: 'key', id: 'k_other', name: 'Other' };

const endings: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of endings.splice(0).reverse()) await end();
});

interface Past {
  readonly vault: TestVault;
  readonly git: SystemGit;
  readonly agent: Scope;
  readonly other: Scope;
  /** A key that sees all but `Private`. */
  readonly narrow: Scope;
}

/** A vault in which a person, two keys made commits. */
async function openPast(): Promise<Past> {
  let git: SystemGit | null = null;
  const vault = await openTestVault(
    { 'Plan.md': '# Plan\n\none\n', 'Private/Diary.md': 'secret words\n', 'Old.md': 'old\n' },
    {
      writes: true,
      prepare: (root) => {
        git = SystemGit.init(root);
        git.commit('Begin the garden');
      },
    },
  );
  endings.push(() => vault.close());
  const rules = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Private')], readOnly: false };
  const scopes = { scopes: ['write'] } as const;
  const agent = vault.opened.scope(AGENT, undefined, scopes);
  const other = vault.opened.scope(OTHER, undefined, scopes);
  const narrow = vault.opened.scope(AGENT, rules, scopes);
  const append = (path: string, content: string, reason = '') => ({
    action: 'append',
    path,
    content,
    reason,
  });
  await vault.ok('write_note', append('Plan.md', 'two', 'it was asked for'), agent);
  await vault.ok('write_note', append('Private/Diary.md', 'more secrets'), other);
  await vault.ok('write_note', append('Plan.md', 'three'), other);
  // The lock on git's index is held until then.
  await vault.opened.writes.settled();
  return { vault, git: git as unknown as SystemGit, agent, other, narrow };
}

const subjects = (answer: Loose): string[] => answer.commits.map(({ subject }: Loose) => subject);

describeWithPrograms('the history of a vault', ['git'], () => {
  it('names commits newest first, and who made them by the words that Grove signed', async () => {
    const { vault, git } = await openPast();
    git.write('Plan.md', '# Plan\n\none\n');
    git.commit('Write Plan.md\n\nGrove-Key: key:k_agent\nGrove-Mac: 00');
    const answer = await vault.ok('vault_status', { mode: 'history' });
    expect(subjects(answer)).toEqual([
      'Write Plan.md',
      'Append to Plan.md',
      'Append to Private/Diary.md',
      'Append to Plan.md',
      'Begin the garden',
    ]);
    // A line that anyone can write is not believed.
    expect(answer.commits[0].key).toBeUndefined();
    expect(answer.commits[1]).toMatchObject({ author: 'Other', key: 'key:k_other', operation: 'append' });
    expect(answer.commits[3]).toMatchObject({
      author: 'Agent',
      key: 'key:k_agent',
      client: 'a client',
      reason: 'it was asked for',
      notes: [{ path: 'Plan.md', change: 'modified' }],
    });
    expect(answer.commits[4]).toMatchObject({ author: 'Ada', notes_total: 3 });
    expect(answer.commits.map(({ commit }: Loose) => commit)).toEqual(
      git.run('log', '--format=%H').trim().split('\n'),
    );
    const { text } = await vault.call('vault_status', { mode: 'history' });
    expect(text).toContain('Agent (key:k_agent, a client)');
    expect(text).toContain('reason: it was asked for');
  });

  it('goes by note, folder, time and principal, with differences and page by page', async () => {
    const { vault, agent, git } = await openPast();
    const history = async (more: object, scope?: Scope): Promise<Loose> =>
      await vault.ok('vault_status', { mode: 'history', ...more }, scope);
    const ofPlan = await history({ path: 'plan', diff: true });
    expect(subjects(ofPlan)).toEqual(['Append to Plan.md', 'Append to Plan.md', 'Begin the garden']);
    expect(ofPlan.commits[0].notes[0].diff).toContain('+three');
    expect(ofPlan.commits[0].notes[0].diff).not.toContain('+two');
    expect(ofPlan.commits[2].notes[0]).toMatchObject({ change: 'added' });
    expect(subjects(await history({ path: 'Private' }))).toEqual([
      'Append to Private/Diary.md',
      'Begin the garden',
    ]);
    expect(subjects(await history({ since: '1h', by: 'me' }, agent))).toEqual(['Append to Plan.md']);
    for (const by of ['k_other', 'key:k_other', 'OTHER'])
      expect(subjects(await history({ by }))).toHaveLength(2);
    expect(subjects(await history({ by: 'Ada' }))).toEqual(['Begin the garden']);
    expect(await history({ by: 'nobody' })).toMatchObject({ commits: [], remarks: [expect.any(String)] });
    const paged: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await history({ limit: 1, ...(cursor === undefined ? {} : { cursor }) });
      expect(page.commits).toHaveLength(1);
      paged.push(page.commits[0].commit);
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(paged).toEqual(git.run('log', '--format=%H').trim().split('\n'));
  });

  it('tells of a note that is gone, to whoever sees all of the vault', async () => {
    const { vault, git, narrow } = await openPast();
    await rm(join(vault.folder.root, 'Old.md'));
    git.commit('Throw it away');
    await vault.opened.vault.reconcile();
    const answer = await vault.ok('vault_status', { mode: 'history', path: 'Old', diff: true });
    expect(answer.commits[0].notes).toEqual([
      { path: 'Old.md', change: 'deleted', diff: expect.stringContaining('-old') },
    ]);
    const error = await vault.fail('vault_status', { mode: 'history', path: 'Old' }, narrow);
    expect(error.code).toBe('note_not_found');
    const { commits } = await vault.ok('vault_status', { mode: 'history' }, narrow);
    expect(JSON.stringify(commits)).not.toContain('Old.md');
  });

  it('is for a key with path rules that of a vault with only its notes', async () => {
    const { vault, narrow, git } = await openPast();
    const answer = await vault.ok('vault_status', { mode: 'history', diff: true }, narrow);
    expect(JSON.stringify(answer)).not.toMatch(/Private|Diary|secret|Ada|Other|garden/);
    expect(answer.commits).toMatchObject([
      { author: 'other', subject: 'Change Plan.md' },
      { author: 'Agent', subject: 'Change Plan.md', key: 'key:k_agent', reason: 'it was asked for' },
      { author: 'other', subject: 'Change 2 notes', notes_total: 2 },
    ]);
    const hidden = await vault.fail('vault_status', { mode: 'history', path: 'Private/Diary.md' }, narrow);
    const absent = await vault.fail('vault_status', { mode: 'history', path: 'Private/Nobody.md' }, narrow);
    expect(JSON.stringify(hidden).replaceAll('Diary', 'Nobody')).toBe(JSON.stringify(absent));
    for (const by of ['Ada', 'key:k_other', 'k_other', 'nobody'])
      expect((await vault.ok('vault_status', { mode: 'history', by }, narrow)).commits).toEqual([]);
    expect((await vault.ok('vault_status', { mode: 'history', by: 'other' }, narrow)).commits).toHaveLength(
      2,
    );
    // A commit that claims to be the caller's, signed by nobody.
    git.write('Plan.md', 'changed\n');
    git.run('add', '-A');
    git.run('commit', '-qm', 'x', '--author', 'Agent <key.k_agent@grove.invalid>');
    const own = await vault.ok('vault_status', { mode: 'history', by: 'me' }, narrow);
    expect(own.commits).toHaveLength(1);
  });

  it('is no wider for a key without rules where the policy of the process keeps notes back', async () => {
    let git: SystemGit | null = null;
    const denyPaths = [parsePathRule('Private')];
    const vault = await openTestVault(
      { 'Plan.md': 'one\n', 'Private/Diary.md': 'secret\n' },
      {
        policy: { readPaths: [], writePaths: [], denyPaths, readOnly: false },
        prepare: (root) => {
          git = SystemGit.init(root);
          git.commit('Secret things of the Diary');
        },
      },
    );
    endings.push(() => vault.close());
    const { commits } = await vault.ok('vault_status', { mode: 'history', diff: true });
    expect(commits).toMatchObject([{ subject: 'Add Plan.md', author: 'other' }]);
    expect(JSON.stringify(commits)).not.toMatch(/Secret|Diary|Ada/i);
    const error = await vault.fail('vault_status', { mode: 'history', path: 'Private/Diary.md' });
    expect(error.code).toBe('note_not_found');
  });

  it('has cursors that only the same call of the same caller can open', async () => {
    const { vault, agent, narrow } = await openPast();
    const { cursor } = await vault.ok('vault_status', { mode: 'history', limit: 1 }, agent);
    const calls: [object, Scope][] = [
      [{ mode: 'history', cursor }, narrow],
      [{ mode: 'history', cursor }, vault.opened.scope(STDIO)],
      [{ mode: 'history', cursor, path: 'Plan.md' }, agent],
      [{ mode: 'history', cursor: '1.1' }, agent],
    ];
    for (const [input, scope] of calls)
      expect((await vault.fail('vault_status', input, scope)).code).toBe('bad_cursor');
    expect((await vault.ok('vault_status', { mode: 'history', cursor }, agent)).commits).toHaveLength(3);
    for (const input of [{ since: '7d' }, { by: 'me' }, { diff: true }, { limit: 3 }, { cursor }])
      expect(await vault.fail('vault_status', input)).toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining('for mode history'),
      });
  });

  it('keeps the limits of an answer, however much a commit changed', async () => {
    const { vault, git } = await openPast();
    for (let round = 0; round < 12; round += 1) {
      for (let note = 0; note < 30; note += 1)
        git.write(`${'deep '.repeat(30)}/${'n'.repeat(150)} ${note}.md`, `${round} \u0001\n`.repeat(200));
      git.commit(`Round ${round}`);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const input = { mode: 'history', diff: true, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
      const page: Loose = await vault.ok('vault_status', input);
      seen.push(...page.commits.map(({ commit }: Loose) => commit));
      cursor = page.cursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(git.run('log', '--format=%H').trim().split('\n'));
  });
});

it('is refused where the repository cannot be opened, and the owner alone hears why', async () => {
  const vault = await openTestVault({ 'a.md': 'one\n', '.git': 'not a repository\n' });
  endings.push(() => vault.close());
  const error = await vault.fail('vault_status', { mode: 'history' });
  expect(error.code).toBe('history_unavailable');
  const rules = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('x')], readOnly: false };
  const hidden = await vault.fail('vault_status', { mode: 'history' }, vault.opened.scope(AGENT, rules));
  expect(hidden).toMatchObject({ code: 'history_unavailable', message: expect.not.stringContaining('.git') });
});
