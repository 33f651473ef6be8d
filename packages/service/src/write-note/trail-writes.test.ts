import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type GivenTrailRules, parseTrailRules, trailViewRules } from '@grove/trails';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { serverInstructions } from '../instructions.ts';
import { operationsFor } from '../operations.ts';
import { type Loose, openTestVault, type TestVault } from '../testing/opened.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Book club', trail: 't_club' };
const CLUB = '---\ntags: [club]\n---\n';
const FILES = {
  'Club/Open.md': `${CLUB}# Open\n\nNext we read Dune.\n`,
  'Club/Other.md': `${CLUB}See [[Open]].\n`,
  'Club/Hidden.md': '# Hidden\n\nSurprise party for Ann, see [[Open]].\n',
  'Club/Private.md': '---\ntags: [club]\nprivate: true\n---\nWhom to ask to leave.\n',
  'Club/Books/Ulysses.md': '---\ntags: [club, book]\ntype: book\n---\n',
  'Work/Minutes.md': `${CLUB}Minutes of the club.\n`,
  'Club/Templates/Review.md': '---\nprivate: true\n---\n# {{title}}\n',
  'Club/Templates/Book.md': '---\ntags: [club, book]\ntype: book\n---\n# {{title}}\n',
  '.grove/vault.yaml': [
    'types:',
    '  book: {folder: Club/Books, template: Club/Templates/Book.md}',
    '  review: {template: Club/Templates/Review.md}',
    '  dossier: {folder: Club/Members/Dossiers}',
    '  salary: {}',
  ].join('\n'),
};

let vault: TestVault;
let guest: Scope;
beforeEach(async () => {
  // Nobody tells Grove of what happens outside: what is on disk is what counts.
  vault = await openTestVault(FILES, { writes: true, poll: 3_600_000 });
  guest = scopeOf({ allowTags: ['club'], denyTypes: ['salary'], writeFolders: ['Club'] });
});
afterEach(() => vault.close());

function scopeOf(
  rules: GivenTrailRules,
  scopes: readonly ('read' | 'append' | 'write')[] = ['write'],
): Scope {
  return vault.opened.scope(GUEST, trailViewRules(parseTrailRules(rules)), { scopes, trail: true });
}

const read = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
const put = (path: string, text: string): void => writeFileSync(join(vault.folder.root, path), text);
const hashOf = async (path: string): Promise<string> => (await vault.ok('get', { path })).source_hash;

/** What is told, without the path that the caller sent. */
function body({ path, ...told }: Loose): string {
  return JSON.stringify(told).replaceAll(JSON.stringify(path).slice(1, -1), 'PATH');
}

const NEW = { path: 'Club/New.md', content: `${CLUB}# New\n` };

describe('a trail that may write', () => {
  it('writes, appends, moves and deletes in its folders what it shows before and after', async () => {
    const made = await vault.ok('write_note', NEW, guest);
    expect(made).toMatchObject({ created: true, undo: { action: 'delete' } });
    const added = await vault.ok(
      'write_note',
      { action: 'append', path: 'Open', content: 'And Emma.' },
      guest,
    );
    expect(added.undo).toBeUndefined();
    expect(read('Club/Open.md')).toContain('And Emma.');
    const call = { action: 'move', path: 'New', to: 'Club/Sub/New.md', if_hash: made.source_hash };
    expect(await vault.ok('write_note', call, guest)).toMatchObject({ moved_from: 'Club/New.md' });
    const gone = { action: 'delete', path: 'Club/Sub/New.md', if_hash: made.source_hash };
    expect((await vault.ok('write_note', gone, guest)).undo).toBeUndefined();
    expect(read('Club/Hidden.md')).toBe(FILES['Club/Hidden.md']);
  });

  it('is refused with one body, whatever its rules are the reason for', async () => {
    const hash = await hashOf('Club/Open.md');
    const front = (lines: string): string => `---\n${lines}\n---\nText.\n`;
    const calls: readonly Loose[] = [
      // There is a note that it does not see.
      { path: 'Club/Hidden.md', content: NEW.content },
      { action: 'append', path: 'Club/Hidden.md', content: 'x' },
      { action: 'prepend', path: 'Club/Private.md', content: 'x' },
      { action: 'write', path: 'Club/Private.md', content: NEW.content, if_hash: '*', overwrite: true },
      // It lies elsewhere.
      { path: 'Work/New.md', content: NEW.content },
      { action: 'append', path: 'Work/Minutes.md', content: 'x' },
      { action: 'append', path: 'Clubs/New.md', content: 'x' },
      // It would not see what it made.
      { path: 'Club/New.md', content: 'No tag.\n' },
      { path: 'Club/New.md', content: front('tags: [clubs]') },
      { path: 'Club/New.md', content: front('tags: [club]\nprivate: yes') },
      { path: 'Club/New.md', content: front('tags: [club]\ntype: Salary') },
      { path: 'Club/New.sync-conflict-20260101-101010-ABCDEFG.md', content: NEW.content },
      { path: 'Club/New.md', frontmatter: { type: 'review', tags: ['club'], private: true } },
      { action: 'append', path: 'Club/New.md', content: 'x' },
      { action: 'tags', path: 'Club/Open.md', remove: ['club'] },
      { action: 'frontmatter', path: 'Club/Open.md', set: { private: true } },
      {
        action: 'write',
        path: 'Club/Open.md',
        content: '---\ntags: [x]\n---\nx\n',
        if_hash: hash,
        overwrite: true,
      },
    ];
    const moves: readonly Loose[] = [
      { action: 'move', path: 'Club/Open.md', to: 'Club/Hidden.md', if_hash: hash },
      { action: 'move', path: 'Club/Open.md', to: 'Work/Open.md', if_hash: hash },
      { action: 'move', path: 'Club/Open.md', to: 'Elsewhere/', if_hash: hash },
    ];
    const bodies = new Map<string, Loose>();
    for (const call of [...calls, ...moves])
      for (const dry_run of [false, true]) {
        const error = await vault.fail('write_note', { ...call, dry_run }, guest);
        bodies.set(body(error), [call, error]);
      }
    expect([...bodies.values()]).toHaveLength(1);
    expect([...bodies.keys()][0]).toContain('not_writable');
    const batch = await vault.fail(
      'write_note',
      { operations: [NEW, ...calls.slice(0, 2)], atomic: true },
      guest,
    );
    expect(batch.operations.map(({ code }: Loose) => code)).toEqual(['not_writable', 'not_writable']);
    const { results } = await vault.ok('write_note', { operations: [calls[0], calls[2], NEW] }, guest);
    expect(results.map(({ error }: Loose) => error?.code)).toEqual([
      'not_writable',
      'not_writable',
      undefined,
    ]);
    for (const path of ['Club/Open.md', 'Club/Hidden.md', 'Club/Private.md', 'Work/Minutes.md'] as const)
      expect(read(path)).toBe(FILES[path]);
  });

  it('is told of a hidden note what it is told of none', async () => {
    const none: string[] = [];
    const hidden: string[] = [];
    for (const [told, name] of [
      [none, 'Club/Absent'],
      [hidden, 'Club/Hidden'],
    ] as const)
      for (const call of [
        { action: 'edit', edits: [{ find: 'Surprise party', replace: 'x' }] },
        { action: 'replace', section: 'Hidden', content: 'x', if_hash: '*' },
        { action: 'frontmatter', set: { a: 1 } },
        { action: 'tags', add: ['club'] },
        { action: 'move', to: 'Club/There.md', if_hash: '*' },
        { action: 'delete', if_hash: '*' },
      ])
        for (const path of [`${name}.md`, name.slice(5)]) {
          const answer = await vault.call('write_note', { ...call, path }, guest);
          told.push(JSON.stringify(answer).replaceAll(name.slice(5), 'NAME'));
        }
    expect(hidden).toEqual(none);
    expect(new Set(none.map((one) => /"code":"(\w+)"/.exec(one)?.[1]))).toEqual(new Set(['note_not_found']));
  });

  it('judges the bytes of now: a note that turned private outside is gone', async () => {
    const hash = await hashOf('Club/Open.md');
    const secret = '---\ntags: [club]\nprivate: true\n---\n# Open\n\nAnn owes me money.\n';
    for (const call of [
      { action: 'edit', edits: [{ find: 'Ann owes you money', replace: 'x' }] },
      { action: 'append', content: 'Ann owes me money.' },
      { action: 'write', content: NEW.content, if_hash: hash },
      { action: 'move', to: 'Club/There.md', if_hash: '*' },
      { action: 'delete', if_hash: '*' },
    ]) {
      put('Club/Open.md', FILES['Club/Open.md']);
      await vault.opened.vault.reconcile(['Club/Open.md']);
      put('Club/Open.md', secret);
      const error = await vault.fail('write_note', { ...call, path: 'Club/Open.md' }, guest);
      expect([call.action, error.code]).toEqual([call.action, 'note_not_found']);
      expect(JSON.stringify(error)).not.toMatch(/owes|money/);
      expect(read('Club/Open.md')).toBe(secret);
    }
  });

  it('writes nothing into a note that is empty because it is being written', async () => {
    put('Club/Open.md', '');
    const call = { action: 'append', path: 'Club/Open.md', content: `${CLUB}x` };
    expect((await vault.fail('write_note', call, guest)).code).toBe('note_not_found');
    expect(read('Club/Open.md')).toBe('');
  });

  it('is shown no difference from what a note said while it was hidden', async () => {
    const path = 'Club/Told.md';
    const first = await vault.ok('write_note', {
      path,
      content: '---\ntags: [club]\nprivate: true\n---\nSorrow.\n',
    });
    const shown = { path, content: `${CLUB}Nothing.\n`, if_hash: first.source_hash, overwrite: true };
    await vault.ok('write_note', shown);
    const call = { path, content: `${CLUB}Mine.\n`, if_hash: first.source_hash };
    const error = await vault.fail('write_note', call, guest);
    expect([error.code, error.diff]).toEqual(['stale_hash', undefined]);
    expect((await vault.fail('write_note', call)).diff).toContain('Sorrow');
  });

  it('moves a note without a word of what links to it unseen, whose links are mended all the same', async () => {
    const call = {
      action: 'move',
      path: 'Club/Open.md',
      to: 'Club/Dune.md',
      if_hash: await hashOf('Club/Open.md'),
    };
    const told = await vault.ok('write_note', call, guest);
    expect(told.mended).toEqual([{ path: 'Club/Other.md', links: 1 }]);
    expect(JSON.stringify(told)).not.toContain('Hidden');
    expect(read('Club/Hidden.md')).toContain('[[Dune]]');
  });

  it('cannot tell from links that are mended which notes it does not see', async () => {
    // Of its own note it makes one of a name that a hidden one has, and looks what becomes of links by that name.
    put('Work/Secret name.md', 'Hidden.\n');
    put('Club/Told.md', '---\nprivate: true\n---\nSee [[Secret name]].\n');
    await vault.opened.vault.reconcile();
    const asks = { path: 'Club/Asks.md', content: `${CLUB}See [[Secret name]] and [[Open]].\n` };
    await vault.ok('write_note', asks, guest);
    const to = 'Club/Secret name.md';
    const call = { action: 'move', path: 'Club/Open.md', to, if_hash: await hashOf('Club/Open.md') };
    await vault.ok('write_note', call, guest);
    expect(read('Club/Asks.md')).toBe(`${CLUB}See [[Secret name]] and [[Club/Secret name]].\n`);
    expect(read('Work/Minutes.md')).toBe(FILES['Work/Minutes.md']);
    // Where it does not look, a link still leads where it led.
    expect(read('Club/Told.md')).toContain('[[Work/Secret name]]');
  });

  it('mends no note itself that turned private meanwhile', async () => {
    const secret = '---\ntags: [club]\nprivate: true\n---\nSee [[Open]].\n';
    const call = {
      action: 'move',
      path: 'Club/Open.md',
      to: 'Club/Dune.md',
      if_hash: await hashOf('Club/Open.md'),
    };
    put('Club/Other.md', secret);
    const told = await vault.ok('write_note', call, guest);
    expect(JSON.stringify(told)).not.toContain('Other');
  });

  it('has no past: nothing to restore, no revisions, no call that would take back a change', async () => {
    await vault.ok('write_note', { action: 'append', path: 'Open', content: 'And Emma.' });
    for (const from of [{ revision: 'HEAD' }, undefined])
      expect(
        (await vault.fail('write_note', { action: 'restore', path: 'Club/Open.md', from }, guest)).code,
      ).toBe('history_not_shared');
    const listed = operationsFor(guest).find(({ name }) => name === 'write_note');
    expect(JSON.stringify(listed?.inputSchema)).not.toContain('"restore"');
    expect((await vault.fail('vault_status', { mode: 'history' }, guest)).code).toBe('history_not_shared');
  });

  it('hears of types that it may write, and of their templates where it sees them', async () => {
    const { rules } = await vault.ok('vault_status', {}, guest);
    expect(rules.types.map(({ type }: Loose) => type)).toEqual(['book', 'review']);
    expect(JSON.stringify(rules)).not.toMatch(/Templates\/Review|Dossiers|salary/);
    expect(serverInstructions(guest)).not.toMatch(/Templates\/Review|Dossiers|salary/);
    const made = await vault.ok(
      'write_note',
      { path: 'Club/Books/Emma.md', frontmatter: { type: 'book' } },
      guest,
    );
    expect(read('Club/Books/Emma.md')).toContain('# Emma');
    expect(made.created).toBe(true);
  });

  it('gets its first answer again when it asks again, though the note was hidden since', async () => {
    const call = { ...NEW, idempotency_key: 'one' };
    const first = await vault.ok('write_note', call, guest);
    put('Club/New.md', '---\nprivate: true\n---\nSorrow.\n');
    await vault.opened.vault.reconcile();
    const again = await vault.ok('write_note', call, guest);
    expect([again.replayed, again.commit]).toEqual([true, first.commit]);
    expect(JSON.stringify(again)).not.toContain('Sorrow');
  });
});

describe('a trail that may only add', () => {
  it('adds in its folders, and changes nothing that is there', async () => {
    const adding = scopeOf({ allowTags: ['club'], writeFolders: ['Club'] }, ['read', 'append']);
    await vault.ok('write_note', { action: 'append', path: 'Open', content: 'And Emma.' }, adding);
    const change = { action: 'edit', path: 'Open', edits: [{ find: 'Dune', replace: 'x' }] };
    expect((await vault.fail('write_note', change, adding)).code).toBe('scope_missing');
    // What it adds must not hide the note from it.
    expect((await vault.fail('write_note', { path: 'Club/New.md', content: 'No tag.\n' }, adding)).code).toBe(
      'not_writable',
    );
  });
});

describe('a trail without write folders', () => {
  it('writes nothing', async () => {
    const reading = scopeOf({ allowTags: ['club'] });
    expect((await vault.fail('write_note', NEW, reading)).code).toBe('read_only');
    expect(operationsFor(reading).map(({ name }) => name)).not.toContain('write_note');
  });
});
