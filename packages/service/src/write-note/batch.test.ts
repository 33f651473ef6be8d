import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(
    {
      'A.md': '# A\n\none\n',
      'B.md': '# B\n\ntwo\n',
      'C.md': '# C\n\nthree\n',
      'Broken.md': '---\na: [\n---\nx\n',
    },
    { writes: true },
  );
});
afterAll(() => vault.close());

const ok = (input: object) => vault.ok('write_note', input);
const fail = (input: object) => vault.fail('write_note', input);
const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
const append = (path: string, content: string, more: object = {}) => ({
  path,
  action: 'append',
  content,
  ...more,
});

describe('an atomic batch', () => {
  it('is one commit', async () => {
    const { results } = await ok({
      operations: [append('A.md', 'more a'), append('B.md', 'more b'), { path: 'New/D.md', content: 'd\n' }],
      atomic: true,
    });
    expect(new Set(results.map(({ commit }: { commit: string }) => commit)).size).toBe(1);
    expect(results.map(({ op, path, created }: Record<string, unknown>) => [op, path, created])).toEqual([
      [0, 'A.md', undefined],
      [1, 'B.md', undefined],
      [2, 'New/D.md', true],
    ]);
    expect(onDisk('A.md')).toBe('# A\n\none\n\nmore a\n');
  });

  it('is nothing when one of them is refused, and names all that are', async () => {
    const before = ['A.md', 'B.md', 'C.md'].map(onDisk);
    const error = await fail({
      operations: [
        append('A.md', 'x'),
        { path: 'B.md', action: 'replace', section: 'Nowhere', content: 'x', if_hash: '*' },
        { path: 'C.md', content: 'overwritten' },
        { path: 'Broken.md', action: 'frontmatter', set: { a: 1 } },
      ],
      atomic: true,
    });
    expect(error.code).toBe('batch_refused');
    expect(error.operations).toMatchObject([
      { op: 1, code: 'section_not_found', path: 'B.md' },
      { op: 2, code: 'hash_required', path: 'C.md' },
      { op: 3, code: 'frontmatter_broken', path: 'Broken.md' },
    ]);
    expect(['A.md', 'B.md', 'C.md'].map(onDisk)).toEqual(before);
  });

  it('lets operations go on from those before them', async () => {
    const { source_hash } = await vault.ok('get', { path: 'C.md' });
    const { results } = await ok({
      operations: [
        { path: 'C.md', action: 'replace', section: 'C', content: 'first', if_hash: source_hash },
        // The hash that was read stands for the note as this batch found it.
        append('C.md', 'second', { if_hash: source_hash }),
        { path: 'C.md', action: 'replace', section: 'C', content: 'third', if_hash_from_op: 1 },
        { path: 'New/E.md', content: 'e\n' },
        { path: 'E', action: 'append', content: 'f' },
      ],
      atomic: true,
    });
    expect(onDisk('C.md')).toBe('# C\n\nthird\n');
    expect(onDisk('New/E.md')).toBe('e\n\nf\n');
    expect(results[2].source_hash).toBe((await vault.ok('get', { path: 'C.md' })).source_hash);
    expect(results[0]).not.toHaveProperty('source_hash');
  });

  it('made and gone back to what was is no commit', async () => {
    const before = onDisk('A.md');
    const { results } = await ok({
      operations: [
        { path: 'A.md', action: 'edit', edits: [{ find: 'one', replace: 'uno' }] },
        { path: 'A.md', action: 'edit', edits: [{ find: 'uno', replace: 'one' }] },
      ],
      atomic: true,
    });
    expect(onDisk('A.md')).toBe(before);
    expect(results.some((result: object) => 'commit' in result)).toBe(false);
  });
});

describe('a batch that is not atomic', () => {
  it('is a commit for each operation', async () => {
    const { results } = await ok({ operations: [append('A.md', 'third a'), append('B.md', 'third b')] });
    expect(new Set(results.map(({ commit }: { commit: string }) => commit)).size).toBe(2);
  });

  it('writes nothing when one of them is wrong from the start', async () => {
    const before = onDisk('A.md');
    const error = await fail({
      operations: [
        append('A.md', 'x'),
        append('Nobody', 'x'),
        append('../x.md', 'x'),
        { path: 'A.md', action: 'delete' },
        { path: 'C.md', content: 'without its hash' },
      ],
    });
    expect(error.operations).toMatchObject([
      { op: 1, code: 'note_not_found' },
      { op: 2, code: 'bad_path' },
      { op: 3, code: 'hash_required' },
      { op: 4, code: 'hash_required' },
    ]);
    expect(onDisk('A.md')).toBe(before);
  });

  it('goes on with other notes after a refusal, and skips what would build on it', async () => {
    const { results } = await ok({
      operations: [
        { path: 'A.md', action: 'edit', edits: [{ find: 'no such text', replace: 'x' }] },
        append('A.md', 'must not come'),
        append('B.md', 'comes', { if_hash_from_op: 0 }),
        append('B.md', 'comes not, as its note was skipped'),
        append('C.md', 'comes too'),
      ],
    });
    expect(results.map((result: { error?: { code: string } }) => result.error?.code ?? 'done')).toEqual([
      'edit_no_match',
      'operation_skipped',
      'operation_skipped',
      'operation_skipped',
      'done',
    ]);
    expect(onDisk('A.md')).not.toContain('must not come');
    expect(onDisk('C.md')).toContain('comes too');
  });

  it('takes the hash that was read for all of its operations on a note', async () => {
    const { source_hash } = await vault.ok('get', { path: 'C.md' });
    const { results } = await ok({
      operations: [
        append('C.md', 'x1', { if_hash: source_hash }),
        append('C.md', 'x2', { if_hash: source_hash }),
        { path: 'C.md', action: 'replace', section: 'C', content: 'x3', if_hash_from_op: 1 },
      ],
    });
    expect(results.map((result: { error?: object }) => result.error)).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
    expect(onDisk('C.md')).toBe('# C\n\nx3\n');
  });

  it('that is sent again resumes where it ended: what was done is not done twice', async () => {
    const operations = [append('B.md', 'once', { repeat: true }), append('C.md', 'once', { repeat: true })];
    const call = { operations, idempotency_key: 'batch-1' };
    const first = await ok(call);
    const before = [onDisk('B.md'), onDisk('C.md')];
    const again = await ok({ ...call, operations: [...operations, append('A.md', 'new', { repeat: true })] });
    expect([onDisk('B.md'), onDisk('C.md')]).toEqual(before);
    expect(again.results.map(({ replayed }: { replayed?: true }) => replayed)).toEqual([
      true,
      true,
      undefined,
    ]);
    expect(again.results[0].commit).toBe(first.results[0].commit);
  });
});

it('a batch of a hundred keeps the limits of an answer', async () => {
  const operations = Array.from({ length: 100 }, (_, at) => ({
    path: `Many/Note ${at} ${'with a long name '.repeat(8)}.md`.replace(' .md', '.md'),
    content: `${'A line of text.\n'.repeat(40)}`,
  }));
  const { results } = await ok({ operations, atomic: true });
  expect(results).toHaveLength(100);
  expect((await fail({ operations: [...operations, operations[0]] })).code).toBe('bad_input');
});

it.each([
  [{ path: 'A.md', action: 'append', content: 'x'.repeat(101 * 1024) }, 'payload_too_large'],
  [
    { operations: Array.from({ length: 60 }, (_, at) => append(`L/${at}.md`, 'é'.repeat(45_000))) },
    'batch_too_large',
  ],
])('what is too large is refused before anything is read: %#', async (input, code) => {
  expect((await fail(input)).code).toBe(code);
});

it('a note does not grow beyond its limit, and one that is larger may be edited as long as it does not grow', async () => {
  await vault.folder.write({ 'Large.md': `start\n${'x'.repeat(1_100_000)}\n` });
  await vault.opened.vault.reconcile(['Large.md']);
  expect((await fail(append('Large.md', 'more'))).code).toBe('note_would_be_too_large');
  await ok({ path: 'Large.md', action: 'edit', edits: [{ find: 'start', replace: 'sta' }] });
  expect(onDisk('Large.md').startsWith('sta\n')).toBe(true);
});
