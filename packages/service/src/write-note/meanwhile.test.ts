import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({ 'Start.md': 'Start.\n', 'Slow.md': 'a'.repeat(900_000) }, { writes: true });
});
afterAll(() => vault.close());

const ok = (input: object) => vault.ok('write_note', input);
const fail = (input: object) => vault.fail('write_note', input);
const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');

/** A new note for one test. */
let count = 0;
const fresh = async (content: string): Promise<{ path: string; hash: string }> => {
  count += 1;
  const path = `Fresh/Note ${count}.md`;
  return { path, hash: (await ok({ path, content })).source_hash };
};

describe('a note as a whole', () => {
  it('never gets a second frontmatter block, from whatever action', async () => {
    const { path, hash } = await fresh('---\na: 1\n---\nText of the note.\n');
    const block = '---\nb: 2\n---\nMore text of the note.\n';
    for (const action of ['append', 'prepend'])
      expect((await fail({ path, action, content: block })).code).toBe('second_frontmatter');
    await ok({ path, content: block, if_hash: hash });
    expect(onDisk(path)).toBe(block);
    await ok({ path, action: 'frontmatter', set: { c: 3 } });
    await ok({ path, action: 'tags', add: ['d'] });
    expect(onDisk(path).match(/^---$/gm)).toHaveLength(2);
  });

  it('keeps the ids of its blocks, which resolve afterwards', async () => {
    const { path } = await fresh('# A\n\n- one ^first\n- two\n\nA paragraph.\n\n^second\n');
    for (const id of ['first', 'second']) {
      await ok({ path, action: 'replace', section: `^${id}`, content: `new text of ${id}`, if_hash: '*' });
      const read = await vault.ok('get', { path, section: `^${id}` });
      expect(read.content).toContain(`new text of ${id}`);
    }
    expect(onDisk(path)).toContain('- two\n');
  });

  it('is the same after the same replacement five times', async () => {
    const { path } = await fresh('# A\n\n\ntext\n\n| a |\n|---|\n| `## b` |\n\n# B\n');
    const replace = () => ok({ path, action: 'replace', section: 'A', content: '\nnew\n\n', if_hash: '*' });
    await replace();
    const once = onDisk(path);
    for (let time = 0; time < 4; time += 1) expect(await replace()).toMatchObject({ already_there: true });
    expect(onDisk(path)).toBe(once);
  });

  it('takes forty appends at once, all of them', async () => {
    const { path } = await fresh('# Log\n');
    const items = Array.from({ length: 40 }, (_, at) => `- item number ${at}`);
    await Promise.all(items.map((content) => ok({ path, action: 'append', content })));
    expect(
      onDisk(path)
        .split('\n')
        .filter((line) => line.startsWith('- '))
        .sort(),
    ).toEqual(items.sort());
  });
});

describe('an expression that takes long', () => {
  /** Looks from each letter to the end. */
  const find = 'a(?:[^b]*b)?';
  const edit = (path: string) => ({
    path,
    action: 'edit',
    edits: [{ find, replace: 'x', regex: true, all: true }],
  });

  it('keeps no other writer waiting', async () => {
    const order: string[] = [];
    const slow = fail(edit('Slow.md')).then((error) => order.push(error.code));
    const { path } = await fresh('one\n');
    for (let time = 0; time < 3; time += 1) await ok({ path, action: 'append', content: `${time}` });
    order.push('appended');
    await slow;
    expect(order).toEqual(['appended', 'bad_regex']);
  });

  it('edits what others have made of the note while it was looked for', async () => {
    const { path } = await fresh(`${'word\n'.repeat(4_000)}`);
    const change = {
      path,
      action: 'edit',
      edits: [{ find: '^w(o)rd$', replace: 'w$1$1d', regex: true, all: true }],
    };
    const appends = Array.from({ length: 12 }, (_, at) =>
      ok({ path, action: 'append', content: `word\n\n${at}` }),
    );
    const [edited] = await Promise.all([ok(change), ...appends]);
    expect(edited.matches[0]).toBeGreaterThanOrEqual(4_000);
    const lines = onDisk(path).split('\n');
    expect(lines.filter((line) => line === 'wood')).toHaveLength(edited.matches[0]);
    expect(lines.filter((line) => line === 'word')).toHaveLength(4_012 - edited.matches[0]);
    expect(lines.filter((line) => /^\d+$/.test(line))).toHaveLength(12);
  });

  it('is looked for once in a batch, in what the operations before it made', async () => {
    const { path } = await fresh(`${'word\n'.repeat(4_000)}`);
    const operations = [
      { path, action: 'append', content: 'more' },
      { path, action: 'edit', edits: [{ find: 'm(or)e', replace: '$1$1', regex: true }] },
      { path, action: 'edit', edits: [{ find: '(or){2}', replace: 'end', regex: true }] },
    ];
    await ok({ operations, atomic: true });
    expect(onDisk(path)).toMatch(/word\n\n?end\n$/);
  });
});

describe('what was written meanwhile', () => {
  it('is merged with a change of other lines, and told', async () => {
    const lines = Array.from({ length: 12 }, (_, at) => `Line ${at}.`);
    const { path, hash } = await fresh(`${lines.join('\n')}\n`);
    await ok({ path, action: 'edit', edits: [{ find: 'Line 10.', replace: 'Line ten.' }] });
    const mine = `${lines.with(1, 'Line one.').join('\n')}\n`;
    const answer = await ok({ path, content: mine, if_hash: hash });
    expect(answer.merged).toBe(true);
    expect(onDisk(path)).toBe(`${lines.with(1, 'Line one.').with(10, 'Line ten.').join('\n')}\n`);
  });

  it('is never overwritten by a change of the same lines: the error shows it', async () => {
    const { path, hash } = await fresh('One.\n\nTwo.\n');
    await ok({ path, action: 'edit', edits: [{ find: 'Two', replace: 'Zwei' }] });
    const error = await fail({ path, content: 'One.\n\nDeux.\n', if_hash: hash });
    expect(error).toMatchObject({ code: 'stale_hash', diff: expect.stringContaining('+Zwei.') });
    expect(JSON.stringify(error)).not.toMatch(/source_hash":"/);
    expect(onDisk(path)).toBe('One.\n\nZwei.\n');
  });

  it('is not merged for who asks for strictness', async () => {
    const { path, hash } = await fresh('One.\n\ntwo\n\nthree\n\nfour\n\nfive\n');
    await ok({ path, action: 'edit', edits: [{ find: 'five', replace: 'six' }] });
    const call = { path, content: 'First.\n\ntwo\n\nthree\n\nfour\n\nfive\n', if_hash: hash };
    expect((await fail({ ...call, merge: false })).code).toBe('stale_hash');
    expect((await fail({ operations: [call], atomic: true })).operations[0].code).toBe('stale_hash');
    expect((await ok(call)).merged).toBe(true);
  });

  it('by a person on disk voids the hash that was handed out', async () => {
    const { path, hash } = await fresh('Mine.\n');
    await vault.folder.write({ [path]: 'A person wrote this.\n' }, new Date());
    expect((await fail({ path, content: 'Mine again.\n', if_hash: hash })).code).toBe('stale_hash');
    expect(onDisk(path)).toBe('A person wrote this.\n');
    const { source_hash } = await vault.ok('get', { path });
    await ok({ path, content: 'After reading.\n', if_hash: source_hash });
  });

  it('two parallel changes of two sections both land', async () => {
    const { path } = await fresh('## A\n\na\n\n## B\n\nb\n\n## C\n\nc\n');
    const [a, c] = await Promise.all(['A', 'C'].map((section) => vault.ok('get', { path, section })));
    await Promise.all([
      ok({ path, action: 'replace', section: 'A', content: 'new a', if_hash: a.section_hash }),
      ok({ path, action: 'replace', section: 'C', content: 'new c', if_hash: c.section_hash }),
    ]);
    expect(onDisk(path)).toBe('## A\n\nnew a\n\n## B\n\nb\n\n## C\n\nnew c\n');
  });
});

describe('an idempotency key', () => {
  it('makes a retried call one write with one answer', async () => {
    const { path } = await fresh('- one\n');
    const call = { path, action: 'append', content: '- two', repeat: true, idempotency_key: 'retry-1' };
    const first = await ok(call);
    const second = await ok(call);
    expect(second).toEqual({ ...first, replayed: true });
    expect(onDisk(path)).toBe('- one\n- two\n');
    expect((await fail({ ...call, content: '- three' })).code).toBe('idempotency_key_reused');
  });
});
