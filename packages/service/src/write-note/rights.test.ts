import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePathRule, type ViewRules } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AccessScope, Scope } from '../contract.ts';
import { serverInstructions } from '../instructions.ts';
import { operationsFor } from '../operations.ts';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(
    {
      'Open/Note.md': '# Note\n\nvisible\n',
      'Private/Secret.md': '---\naliases: [Hidden name]\n---\nA badger lives here.\n',
      'Denied/Note.md': 'denied\n',
    },
    {
      writes: true,
      policy: { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Denied')], readOnly: false },
    },
  );
});
afterAll(() => vault.close());

const rules = (lists: {
  read?: string[];
  write?: string[];
  deny?: string[];
  readOnly?: boolean;
}): ViewRules => ({
  readPaths: (lists.read ?? []).map(parsePathRule),
  writePaths: (lists.write ?? []).map(parsePathRule),
  denyPaths: (lists.deny ?? []).map(parsePathRule),
  readOnly: lists.readOnly ?? false,
});
const as = (list: Parameters<typeof rules>[0] | undefined, ...scopes: AccessScope[]): Scope =>
  vault.opened.scope(STDIO, list === undefined ? undefined : rules(list), { scopes });
const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
const fail = (input: object, scope?: Scope) => vault.fail('write_note', input, scope);
const ok = (input: object, scope?: Scope) => vault.ok('write_note', input, scope);

describe('the write switch', () => {
  it('holds at once, for scopes that are held already, and says how it is turned on', async () => {
    const scope = as(undefined, 'write');
    const heard: boolean[] = [];
    const stop = vault.opened.writes.onSwitch((on) => heard.push(on));
    await vault.opened.writes.switch(false);
    const error = await fail({ path: 'Open/Note.md', action: 'append', content: 'x' }, scope);
    expect(error).toMatchObject({
      code: 'writes_off',
      next: expect.stringContaining('grove vault writes on'),
    });
    expect(operationsFor(scope).map(({ name }) => name)).not.toContain('write_note');
    expect(serverInstructions(scope)).toContain('read only');
    await vault.opened.writes.switch(true);
    expect(operationsFor(scope).map(({ name }) => name)).toContain('write_note');
    expect(serverInstructions(scope)).toContain('write_note');
    expect(heard).toEqual([false, true]);
    stop();
  });

  it('is off for a vault that nobody switched on', async () => {
    const other = await openTestVault({ 'A.md': 'a\n' });
    try {
      const scope = other.opened.scope(STDIO, undefined, { scopes: ['write'] });
      expect((await other.fail('write_note', { path: 'B.md', content: 'b' }, scope)).code).toBe('writes_off');
      expect((await other.fail('get', { path: 'B.md' })).code).toBe('note_not_found');
    } finally {
      await other.close();
    }
  });
});

describe('scopes', () => {
  it('without write or append change nothing', async () => {
    for (const scope of [as(undefined, 'read'), as(undefined, 'admin'), as(undefined)])
      expect((await fail({ path: 'Open/Note.md', action: 'append', content: 'x' }, scope)).code).toBe(
        'scope_missing',
      );
    expect(onDisk('Open/Note.md')).toBe('# Note\n\nvisible\n');
  });

  it('append adds and creates, and never changes what is there', async () => {
    const scope = as(undefined, 'append', 'read');
    await ok({ path: 'Open/New.md', content: 'made\n' }, scope);
    await ok({ path: 'Open/New.md', action: 'append', content: 'more' }, scope);
    await ok({ path: 'Open/New.md', action: 'prepend', content: 'before' }, scope);
    expect(onDisk('Open/New.md')).toBe('before\n\nmade\n\nmore\n');
    for (const input of [
      { path: 'Open/New.md', content: 'over', if_hash: '*' },
      { path: 'Open/New.md', action: 'edit', edits: [{ find: 'made', replace: 'x' }] },
      { path: 'Open/New.md', action: 'tags', add: ['x'] },
      { path: 'Open/New.md', action: 'frontmatter', set: { a: 1 } },
      { path: 'Open/New.md', action: 'replace', section: 'x', content: 'x', if_hash: '*' },
      { path: 'Open/New.md', action: 'delete' },
    ])
      expect(await fail(input, scope)).toMatchObject({ code: 'scope_missing' });
    expect(onDisk('Open/New.md')).toBe('before\n\nmade\n\nmore\n');
    expect(serverInstructions(scope)).toContain('to add to');
  });

  it('append alone learns nothing of what stands in a note, not even by guessing it', async () => {
    const scope = as(undefined, 'append');
    await vault.ok('write_note', { path: 'Open/Guess.md', content: '# Hidden title\n\n- the word\n' });
    const guess = { path: 'Open/Guess.md', action: 'append', content: '- the word' };
    const dry = await ok({ ...guess, dry_run: true }, scope);
    const wrong = await ok({ ...guess, content: '- no word', dry_run: true }, scope);
    expect(dry).toEqual(wrong);
    expect(Object.keys(dry).sort()).toEqual(['action', 'dry_run', 'link', 'path', 'remarks']);
    const done = await ok(guess, scope);
    expect(Object.keys(done).sort()).toEqual(['action', 'commit', 'link', 'path', 'remarks']);
    expect(await ok(guess, scope)).toMatchObject({ already_there: true });
    expect(onDisk('Open/Guess.md')).toBe('# Hidden title\n\n- the word\n- the word\n');
    const made = await ok({ path: 'Private/Guess.md', action: 'append', content: 'mine' }, scope);
    expect(made).toMatchObject({ created: true, size_after: 5, remarks: [] });
  });

  it('append alone shows no text of notes, in answers or in errors', async () => {
    const scope = as(undefined, 'append');
    const answer = await ok({ path: 'Open/Note.md', action: 'append', content: 'from outside' }, scope);
    expect(answer).not.toHaveProperty('diff');
    const error = await fail({ path: 'Open/Note.md', action: 'append', section: 'Not', content: 'x' }, scope);
    expect(error.code).toBe('section_not_found');
    expect(error).not.toHaveProperty('nearest');
    const stale = await fail(
      { path: 'Open/Note.md', action: 'append', content: 'x', if_hash: '0123456789abcdef' },
      scope,
    );
    expect(JSON.stringify(stale)).not.toContain('visible');
  });
});

describe('path rules', () => {
  it.each([
    ['Denied/Note.md', 'denied_path'],
    ['Elsewhere/New.md', 'outside_write_paths'],
    ['Open2/New.md', 'outside_write_paths'],
  ])('say to a key without read paths why %s is refused: %s', async (path, code) => {
    const scope = as({ write: ['Open'] }, 'write');
    for (const action of ['write', 'append'])
      expect((await fail({ path, action, content: 'x' }, scope)).code).toBe(code);
    await ok({ path: 'Open/Allowed.md', action: 'append', content: `by ${code} ${path}` }, scope);
  });

  it('read only lets nothing through, and shows no tool', async () => {
    const scope = as({ readOnly: true }, 'write');
    expect((await fail({ path: 'Open/Note.md', action: 'append', content: 'x' }, scope)).code).toBe(
      'read_only',
    );
    expect(operationsFor(scope).map(({ name }) => name)).not.toContain('write_note');
  });

  it('of a narrower View are one error: hidden, absent, outside, a twin of something hidden', async () => {
    const scope = as({ read: ['Open'] }, 'write');
    mkdirSync(join(vault.folder.root, 'Open'), { recursive: true });
    const errors = [];
    for (const path of ['Private/Secret.md', 'Private/None.md', 'Nowhere/None.md', 'Denied/Note.md'])
      errors.push(
        await fail({ path, content: 'x', if_hash: '*' }, scope),
        await fail({ path, action: 'append', content: 'x' }, scope),
      );
    for (const error of errors) {
      expect(error.code).toBe('not_writable');
      expect(Object.keys(error).sort()).toEqual(['code', 'message', 'next', 'path']);
    }
    expect(new Set(errors.map(({ next }) => next)).size).toBe(1);
    for (const path of ['Secret', 'Hidden name'])
      expect(await fail({ path, action: 'append', content: 'x' }, scope)).toMatchObject({
        code: 'note_not_found',
      });
    expect(onDisk('Private/Secret.md')).toContain('badger');
  });

  it('never tell of a hidden note by its near spelling', async () => {
    const scope = as({ deny: ['Open/Hidden.md'] }, 'write');
    writeFileSync(join(vault.folder.root, 'Open/Hidden.md'), 'hidden\n');
    await vault.opened.vault.reconcile(['Open/Hidden.md']);
    const error = await fail({ path: 'Open/hidden.MD', content: 'x' }, scope);
    expect(error.code).toBe('not_writable');
    expect(JSON.stringify(error)).not.toContain('Hidden.md');
    const owner = await fail({ path: 'Open/HIDDEN.md', content: 'x' });
    expect(owner.code).toBe('path_taken');
    expect(onDisk('Open/Hidden.md')).toBe('hidden\n');
  });

  it('hold for every operation of a batch, before any is done', async () => {
    const scope = as({ write: ['Open'] }, 'write');
    const before = onDisk('Open/Note.md');
    const error = await fail(
      {
        operations: [
          { path: 'Open/Note.md', action: 'append', content: 'first' },
          { path: 'Private/Secret.md', action: 'append', content: 'second' },
        ],
      },
      scope,
    );
    expect(error.operations).toMatchObject([{ op: 1, code: 'outside_write_paths' }]);
    expect(onDisk('Open/Note.md')).toBe(before);
  });
});
