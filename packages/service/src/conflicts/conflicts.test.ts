import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms } from '@grove/testing';
import { trailViewRules } from '@grove/trails';
import { allowAll, parsePathRule } from '@grove/vault';
import { expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { callChecked, type Loose, STDIO, type TestVault } from '../testing/opened.ts';
import { openTwoSides, type TwoSides } from '../testing/two-sides.ts';
import { conflicts } from './list.ts';
import { settle } from './settle.ts';

const OWNER: Principal = { kind: 'owner', id: 'owner', name: 'owner' };
const COPY = 'Plan (conflict 2026-11-30 origin).md';
const BASE = 'one\ntwo\nthree\n';
/** What no decoder would give back as it was. */
const THEIRS = '\ufeffone\r\nTHEIRS\r\nthree\r\n';

const owner = ({ opened }: TestVault): Scope => opened.scope(OWNER, undefined, { scopes: ['write'] });
const read = ({ vault }: TwoSides, path: string): string =>
  readFileSync(join(vault.folder.root, path), 'utf8');

async function list(vault: TestVault, scope = owner(vault)): Promise<Loose> {
  const answer = await callChecked(conflicts, scope, {});
  expect(answer.error, answer.text).toBeNull();
  return answer.structured;
}

async function settled(vault: TestVault, input: object): Promise<Loose> {
  const answer = await callChecked(settle, owner(vault), input);
  expect(answer.error, answer.text).toBeNull();
  return answer.structured;
}

async function refused(vault: TestVault, input: object, scope = owner(vault)): Promise<Loose> {
  const answer = await callChecked(settle, scope, input);
  expect(answer.error, answer.text).not.toBeNull();
  return answer.error;
}

/** Both sides changed the same line of one note, and each a picture. */
async function conflicted(): Promise<TwoSides> {
  const sides = await openTwoSides({
    'Plan.md': BASE,
    'Pic.png': 'a\0',
    '.grove/vault.yaml': 'deletes: trash\n',
  });
  const { vault, elsewhere, here } = sides;
  here.write('Pic.png', 'b\0');
  elsewhere({ 'Plan.md': THEIRS, 'Pic.png': 'c\0', 'Later.md': 'later\n' });
  await vault.ok('write_note', {
    action: 'edit',
    path: 'Plan.md',
    edits: [{ find: 'two', replace: 'OURS' }],
  });
  const report = await vault.opened.sync.run();
  expect(report).toMatchObject({ pulled: 'merged', pushed: true, problem: null });
  return sides;
}

describeWithPrograms('lines that both sides changed', ['git'], () => {
  it('are kept in both versions, sync goes on, and the conflict is listed', async () => {
    const sides = await conflicted();
    const { vault, elsewhere, here, holds } = sides;
    expect(read(sides, 'Plan.md')).toBe('one\nOURS\nthree\n');
    expect(read(sides, COPY)).toBe(THEIRS);
    expect(await list(vault)).toMatchObject({
      conflicts: [
        {
          copy: COPY,
          note: 'Plan.md',
          note_hash: expect.stringMatching(/^[0-9a-f]{16}$/),
          remote: 'origin',
          day: '2026-11-30',
          diff: expect.stringContaining('OURS'),
        },
      ],
      conflicts_total: 1,
      files: ['Pic (conflict 2026-11-30 origin).png'],
    });
    expect(vault.opened.sync.health()).toMatchObject({ conflicts: 1, problem: null });
    expect([holds('Plan.md'), holds(COPY)]).toEqual(['one\nOURS\nthree\n', THEIRS]);
    elsewhere({ 'Later.md': 'later still\n' });
    expect(await vault.opened.sync.run()).toMatchObject({ pulled: 'fast_forward', problem: null });
    expect(read(sides, 'Later.md')).toBe('later still\n');
    expect(here.run('status', '--porcelain')).toBe('');
    expect(here.run('fsck', '--strict')).toBe('');
    const [found] = (await vault.ok('vault_status', { mode: 'diagnostics' })).found;
    expect(found).toMatchObject({ kind: 'conflict_copies', findings: [{ path: COPY, others: ['Plan.md'] }] });
    expect(found.findings[0].why).toContain('grove conflicts');
  });

  it('stand in no trail, and for keys that are kept from some notes in no list', async () => {
    const { vault } = await conflicted();
    const narrow = vault.opened.scope(
      STDIO,
      { ...allowAll, denyPaths: [parsePathRule('Private')] },
      { scopes: ['write'] },
    );
    const rules = {
      allowTags: [],
      denyTags: [],
      allowTypes: [],
      denyTypes: [],
      allowPaths: [],
      denyPaths: [],
      writeFolders: [],
    };
    const trail = vault.opened.scope({ kind: 'trail', id: 't', name: 't' }, trailViewRules(rules), {
      scopes: ['read'],
      trail: true,
    });
    for (const scope of [narrow, trail]) {
      expect(await list(vault, scope)).toEqual({ conflicts: [], conflicts_total: 0, files: [] });
      expect(JSON.stringify(await vault.ok('query', { query: 'THEIRS' }, scope))).not.toContain('conflict');
      expect(JSON.stringify(await vault.ok('list_notes', {}, scope))).not.toContain('conflict 2026');
      expect((await vault.fail('get', { path: COPY }, scope)).code).toBe('note_not_found');
      expect((await vault.ok('vault_status', {}, scope)).sync).toBeUndefined();
    }
    expect((await refused(vault, { copy: COPY, keep: 'ours' }, narrow)).code).toBe('conflict_unknown');
  });
});

describeWithPrograms('a conflict is settled', ['git'], () => {
  it('by the note: the copy lies in the trash', async () => {
    const sides = await conflicted();
    const { vault, here } = sides;
    expect(await settled(vault, { copy: COPY, keep: 'ours' })).toMatchObject({
      kept: 'ours',
      note: 'Plan.md',
      commit: expect.stringMatching(/^[0-9a-f]{40}$/),
      conflicts_left: 0,
    });
    expect(read(sides, 'Plan.md')).toBe('one\nOURS\nthree\n');
    expect(existsSync(join(vault.folder.root, COPY))).toBe(false);
    await vault.ok('write_note', { action: 'restore', path: COPY });
    expect(read(sides, COPY)).toBe(THEIRS);
    await vault.opened.writes.settled();
    expect(here.run('status', '--porcelain')).toBe('');
  });

  it('by the copy, byte for byte and in one commit: the words of before are in the history', async () => {
    const sides = await conflicted();
    const { vault, here } = sides;
    const { commit } = await settled(vault, { copy: COPY, keep: 'theirs' });
    expect(read(sides, 'Plan.md')).toBe(THEIRS);
    expect((await list(vault)).conflicts).toEqual([]);
    await vault.opened.writes.settled();
    expect(here.run('show', '--format=', '--name-status', '--no-renames', commit).trim().split('\n')).toEqual(
      [`D\t${COPY}`, 'M\tPlan.md'],
    );
    expect(here.run('show', `${commit}^:Plan.md`)).toBe('one\nOURS\nthree\n');
    expect(here.run('status', '--porcelain')).toBe('');
    expect((await vault.ok('query', { query: 'THEIRS' })).hits.map(({ path }: Loose) => path)).toEqual([
      'Plan.md',
    ]);
  });

  it('by both: the copy becomes a note of its own', async () => {
    const sides = await conflicted();
    const { vault } = sides;
    expect(await settled(vault, { copy: COPY, keep: 'both', as: 'Plan of Bob' })).toMatchObject({
      note: 'Plan of Bob.md',
      conflicts_left: 0,
    });
    expect([read(sides, 'Plan.md'), read(sides, 'Plan of Bob.md')]).toEqual(['one\nOURS\nthree\n', THEIRS]);
    expect((await vault.ok('get', { path: 'Plan of Bob.md' })).content).toContain('THEIRS');
  });

  it('by the copy where the note was deleted here: it comes back', async () => {
    const sides = await openTwoSides({ 'Plan.md': BASE, '.grove/vault.yaml': 'deletes: trash\n' });
    const { vault, elsewhere } = sides;
    elsewhere({ 'Plan.md': 'one\ntwo\nthree\nfour\n' });
    await vault.ok('write_note', { action: 'delete', path: 'Plan.md', if_hash: '*' });
    const { conflicts: found } = await vault.opened.sync.run();
    expect(found).toEqual([{ path: 'Plan.md', saved: COPY, why: 'deleted_here' }]);
    const [listed] = (await list(vault)).conflicts;
    expect(listed).toMatchObject({ copy: COPY, note: 'Plan.md' });
    expect(listed.note_hash).toBeUndefined();
    await settled(vault, { copy: COPY, keep: 'theirs' });
    expect(read(sides, 'Plan.md')).toBe('one\ntwo\nthree\nfour\n');
  });

  it('not over words that came later, not over another note, not by who may not write', async () => {
    const sides = await conflicted();
    const { vault } = sides;
    const { note_hash } = (await list(vault)).conflicts[0];
    await vault.ok('write_note', { action: 'append', path: 'Plan.md', content: 'later words' });
    const stale = { copy: COPY, keep: 'theirs', if_hash: note_hash };
    expect((await refused(vault, stale)).code).toBe('stale_hash');
    expect((await refused(vault, { copy: COPY, keep: 'both', as: 'Later.md' })).code).toBe('note_exists');
    expect((await refused(vault, { copy: COPY, keep: 'both' })).code).toBe('bad_input');
    expect((await refused(vault, { copy: 'Plan.md', keep: 'ours' })).code).toBe('conflict_unknown');
    const reader = vault.opened.scope(STDIO, undefined, { scopes: ['read', 'append'] });
    for (const keep of ['ours', 'theirs'])
      expect((await refused(vault, { copy: COPY, keep }, reader)).code).toBe('scope_missing');
    const outside = vault.opened.scope(
      STDIO,
      { ...allowAll, writePaths: [parsePathRule('Inbox')] },
      { scopes: ['write'] },
    );
    expect((await refused(vault, { copy: COPY, keep: 'theirs' }, outside)).code).not.toBe('internal');
    await vault.opened.writes.switch(false);
    expect((await refused(vault, { copy: COPY, keep: 'theirs' })).code).toBe('writes_off');
    expect(read(sides, COPY)).toBe(THEIRS);
    expect(read(sides, 'Plan.md')).toContain('later words');
  });
});

describeWithPrograms('conflicts of a vault without any', ['git'], () => {
  it('are none, said in a sentence', async () => {
    const { vault } = await openTwoSides({ 'Plan.md': BASE });
    expect((await callChecked(conflicts, owner(vault), {})).text).toBe('There is no conflict to settle.');
  });
});
