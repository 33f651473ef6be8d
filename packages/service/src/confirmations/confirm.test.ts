import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AskPerson, DeletionAnswer, DeletionQuestion } from '@grove/writes';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { answerCall } from '../operation/answer.ts';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';
import { openOwnedVault } from '../workspace/open-owned-vault.ts';
import { approve } from './operation.ts';

const MANY = Array.from({ length: 21 }, (_, at) => `Many/${at}.md`);
const START = Date.parse('2026-11-30T12:00:00Z');

let now: number;
let vault: TestVault;
beforeEach(async () => {
  now = START;
  vault = await openTestVault(
    {
      '.grove/vault.yaml': 'deletes: confirm\n',
      'A.md': 'a\n',
      'B.md': 'b\n',
      'Private/C.md': 'c\n',
      ...Object.fromEntries(MANY.map((path) => [path, `${path}\n`])),
    },
    { writes: true, clock: { now: () => now } },
  );
});
afterEach(() => vault.close());

const isThere = (path: string): boolean => existsSync(join(vault.folder.root, path));
const remove = (path: string): object => ({ action: 'delete', path, if_hash: '*' });
const owner = (): Scope =>
  vault.opened.scope({ kind: 'owner', id: 'owner', name: 'owner' }, undefined, { scopes: ['write'] });
const scopeOf = (principal: Principal): Scope =>
  vault.opened.scope(principal, undefined, { scopes: ['write'] });

/** What waits, as the owner's command line hears it. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into.
const decide = async (input: object = {}): Promise<any> =>
  (await answerCall(approve, owner(), input)).structured;

/** A scope whose person answers, and what that person was asked. */
function asking(answer: DeletionAnswer | AskPerson): {
  readonly scope: Scope;
  readonly asked: DeletionQuestion[];
} {
  const asked: DeletionQuestion[] = [];
  const confirm: AskPerson = async (question) => {
    asked.push(question);
    return typeof answer === 'function' ? await answer(question) : answer;
  };
  return { scope: { ...vault.scope, confirm }, asked };
}

describe('deletes: confirm, where nobody can be asked', () => {
  it('refuses with what to do, and passes the same call once when the owner said yes', async () => {
    const refused = await vault.fail('write_note', remove('A.md'));
    expect(refused).toMatchObject({ code: 'confirmation_needed', notes: ['A.md'] });
    expect(refused.next).toContain('grove approve');
    expect(isThere('A.md')).toBe(true);
    expect(existsSync(join(vault.folder.root, '.trash'))).toBe(false);
    const { waiting } = await decide();
    expect(waiting).toMatchObject([{ principal: 'stdio:test', name: 'test', notes: ['A.md'] }]);
    const [{ id }] = waiting;
    // Nothing that a client is told holds it.
    expect(JSON.stringify(refused)).not.toContain(id);
    expect(await decide({ id })).toMatchObject({ approved: id, waiting: [] });
    const { undo } = await vault.ok('write_note', remove('A.md'));
    expect(isThere('A.md')).toBe(false);
    await vault.ok('write_note', undo);
    expect((await vault.fail('write_note', remove('A.md'))).code).toBe('confirmation_needed');
  });

  it('tells by a dry run what would be, and asks nobody', async () => {
    const answer = await vault.ok('write_note', { ...remove('A.md'), dry_run: true });
    expect(answer.remarks.join()).toContain('A person is asked');
    expect((await decide()).waiting).toEqual([]);
  });

  it('refuses for good reasons before anybody is asked', async () => {
    const { scope, asked } = asking('accepted');
    for (const [input, code] of [
      [{ action: 'delete', path: 'A.md' }, 'hash_required'],
      [{ action: 'delete', path: 'A.md', if_hash: '0123456789abcdef' }, 'stale_hash'],
      [{ action: 'delete', path: 'None.md', if_hash: '*' }, 'note_not_found'],
    ] as const)
      expect((await vault.fail('write_note', input, scope)).code).toBe(code);
    expect([asked, (await decide()).waiting]).toEqual([[], []]);
  });

  it('holds the yes to who asked, and shows the owner only what the owner may see', async () => {
    await vault.fail('write_note', remove('Private/C.md'));
    const [{ id }] = (await decide()).waiting;
    const other = scopeOf({ kind: 'key', id: 'other', name: 'other' });
    expect((await vault.fail('write_note', remove('Private/C.md'), other)).code).toBe('confirmation_needed');
    await decide({ id });
    expect((await vault.fail('write_note', remove('Private/C.md'), other)).code).toBe('confirmation_needed');
    await vault.ok('write_note', remove('Private/C.md'));
    for (const scope of [vault.scope, other])
      expect((await answerCall(approve, scope, {})).error?.code).toBe('scope_missing');
  });

  it('hears the no of the owner, and does not ask again', async () => {
    await vault.fail('write_note', remove('A.md'));
    const [{ id }] = (await decide()).waiting;
    expect(await decide({ id, deny: true })).toMatchObject({ denied: id, waiting: [] });
    const { scope, asked } = asking('accepted');
    expect((await vault.fail('write_note', remove('A.md'), scope)).code).toBe('confirmation_declined');
    expect([asked.length, isThere('A.md')]).toEqual([0, true]);
  });

  it('takes no id that nothing waits under', async () => {
    await vault.fail('write_note', remove('A.md'));
    for (const id of ['nothing', 'A.md', '']) expect((await decide({ id })).approved).toBeUndefined();
    expect((await decide({ deny: true })).error.code).toBe('bad_input');
    const [{ id }] = (await decide()).waiting;
    await decide({ id });
    expect((await decide({ id })).error.code).toBe('confirmation_unknown');
  });
});

describe('a yes', () => {
  it('is void when the note changes, by whomever', async () => {
    for (const change of [
      async () => writeFileSync(join(vault.folder.root, 'A.md'), 'saved in an editor\n'),
      async () => void (await vault.ok('write_note', { action: 'append', path: 'A.md', content: 'more' })),
    ]) {
      await vault.fail('write_note', remove('A.md'));
      const [{ id }] = (await decide()).waiting;
      await decide({ id });
      await change();
      expect((await vault.fail('write_note', remove('A.md'))).code).toBe('confirmation_needed');
      expect(isThere('A.md')).toBe(true);
      await vault.opened.vault.reconcile();
      now += 10 * 60_000;
    }
  });

  it('lets one of several calls through that come at once', async () => {
    await vault.fail('write_note', remove('A.md'));
    await decide({ id: (await decide()).waiting[0].id });
    const answers = await Promise.all([1, 2, 3].map(() => vault.call('write_note', remove('A.md'))));
    expect(answers.filter(({ error }) => error === null)).toHaveLength(1);
    expect((await decide()).waiting.length).toBeLessThanOrEqual(1);
  });

  it('ends after five minutes', async () => {
    await vault.fail('write_note', remove('A.md'));
    await decide({ id: (await decide()).waiting[0].id });
    now += 5 * 60_000;
    expect((await vault.fail('write_note', remove('A.md'))).code).toBe('confirmation_needed');
  });

  it('ends when writing is switched off, and is not there again when it is switched on', async () => {
    await vault.fail('write_note', remove('A.md'));
    await decide({ id: (await decide()).waiting[0].id });
    await vault.fail('write_note', remove('B.md'));
    await vault.opened.writes.switch(false);
    await vault.opened.writes.switch(true);
    expect((await decide()).waiting).toEqual([]);
    expect((await vault.fail('write_note', remove('A.md'))).code).toBe('confirmation_needed');
  });

  it('does not outlive the process', async () => {
    await vault.fail('write_note', remove('A.md'));
    await decide({ id: (await decide()).waiting[0].id });
    const { root, dataDir } = vault.folder;
    await vault.opened.close();
    const again = await openOwnedVault({ root, dataDir, kind: 'stdio', clock: { now: () => now } });
    try {
      await again.ready;
      const scope = again.scope(STDIO, undefined, { scopes: ['write'] });
      expect((await vault.fail('write_note', remove('A.md'), scope)).code).toBe('confirmation_needed');
    } finally {
      await again.close();
    }
  });

  it('goes with the idempotency key: a retry of what was done is answered as it was', async () => {
    const call = { ...remove('A.md'), idempotency_key: 'one' };
    await vault.fail('write_note', call);
    await decide({ id: (await decide()).waiting[0].id });
    const first = await vault.ok('write_note', call);
    const again = await vault.ok('write_note', call);
    expect(again).toMatchObject({ replayed: true, commit: first.commit });
  });
});

describe('a batch', () => {
  it('has one question, before anything of it is done', async () => {
    const operations = [
      { path: 'New.md', content: 'new' },
      remove('A.md'),
      { action: 'delete', path: 'B.md', if_hash: '0123456789abcdef' },
      remove('Private/C.md'),
    ];
    const { code, notes } = await vault.fail('write_note', { operations });
    expect([code, notes]).toEqual(['confirmation_needed', ['A.md', 'Private/C.md']]);
    expect(isThere('New.md')).toBe(false);
    const { waiting } = await decide();
    expect(waiting).toHaveLength(1);
    await decide({ id: waiting[0].id });
    const { results } = await vault.ok('write_note', { operations });
    expect(results.map(({ error }: { error?: { code: string } }) => error?.code ?? 'ok')).toEqual([
      'ok',
      'ok',
      'stale_hash',
      'ok',
    ]);
    expect(['A.md', 'B.md', 'Private/C.md'].map(isThere)).toEqual([false, true, false]);
  });

  it('is about at most twenty notes', async () => {
    const { scope, asked } = asking('accepted');
    const all = { operations: MANY.map(remove) };
    expect((await vault.fail('write_note', all, scope)).code).toBe('confirmation_too_large');
    expect([asked.length, readdirSync(join(vault.folder.root, 'Many')).length]).toEqual([0, 21]);
    await vault.ok('write_note', { operations: MANY.slice(1).map(remove) }, scope);
    expect(asked[0]?.notes).toHaveLength(20);
    expect(MANY.filter(isThere)).toEqual(['Many/0.md']);
  });

  it('does not change what it deletes: the yes is to the bytes that were read', async () => {
    const { scope, asked } = asking('accepted');
    for (const before of [
      { action: 'append', path: 'A.md', content: 'x' },
      { action: 'move', path: 'B.md', to: 'A.md', if_hash: '*' },
    ]) {
      const refused = await vault.fail('write_note', { operations: [before, remove('A.md')] }, scope);
      expect([refused.code, refused.reason]).toEqual(['bad_input', expect.stringContaining('A.md')]);
    }
    expect([asked.length, isThere('A.md'), isThere('B.md')]).toEqual([0, true, true]);
  });
});

describe('a person at the client', () => {
  it('says yes, and the notes go', async () => {
    const { scope, asked } = asking('accepted');
    await vault.ok('write_note', remove('A.md'), scope);
    expect(asked.map(({ notes }) => notes)).toEqual([['A.md']]);
    expect(isThere('A.md')).toBe(false);
    expect((await decide()).waiting).toEqual([]);
  });

  it.each<[DeletionAnswer, string, number]>([
    ['declined', 'confirmation_declined', 0],
    ['unanswered', 'confirmation_unanswered', 0],
    ['outdated', 'confirmation_void', 1],
    ['unavailable', 'confirmation_needed', 1],
  ])('%s: nothing goes, with the error %s', async (answer, code, waiting) => {
    const { scope } = asking(answer);
    expect((await vault.fail('write_note', remove('A.md'), scope)).code).toBe(code);
    expect([isThere('A.md'), (await decide()).waiting.length]).toEqual([true, waiting]);
  });

  it('holds up nobody else meanwhile', async () => {
    const { scope } = asking(async () => {
      await vault.ok('write_note', { action: 'append', path: 'B.md', content: 'not held up' });
      return 'accepted';
    });
    await vault.ok('write_note', remove('A.md'), scope);
    expect(isThere('A.md')).toBe(false);
  });

  it('is no longer asked when the note changes, writing goes off, or the owner decides elsewhere', async () => {
    const settle: readonly [() => Promise<unknown>, string | null][] = [
      [() => vault.ok('write_note', { action: 'append', path: 'A.md', content: 'x' }), 'confirmation_void'],
      [() => vault.opened.writes.switch(false), 'confirmation_void'],
      [async () => decide({ id: (await decide()).waiting[0].id, deny: true }), 'confirmation_declined'],
      [async () => decide({ id: (await decide()).waiting[0].id }), null],
    ];
    for (const [happen, code] of settle) {
      await vault.opened.writes.switch(true);
      const { scope, asked } = asking(async () => {
        await happen();
        return await new Promise<never>(() => {});
      });
      const { error } = await vault.call('write_note', remove('A.md'), scope);
      expect(error?.code ?? null).toBe(code);
      expect(asked[0]?.signal.aborted).toBe(true);
      now += 10 * 60_000;
    }
    expect(isThere('A.md')).toBe(false);
  });

  it('does not delete by a yes that came while the note changed on disk', async () => {
    const { scope } = asking(async () => {
      writeFileSync(join(vault.folder.root, 'A.md'), 'saved while the question was open\n');
      return 'accepted';
    });
    expect((await vault.fail('write_note', remove('A.md'), scope)).code).toBe('confirmation_void');
    expect(isThere('A.md')).toBe(true);
  });
});
