import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

const RULES = `types:
  person:
    folder: People
    template: Templates/Person
    required:
      born: date
      status: [active, away]
    optional:
      knows: link
      rank: number
  note:
    tags_include_type: false
`;

const ADA = '---\ntype: person\nborn: 1815-12-10\nstatus: active\ntags: [person]\n---\n# Ada\n';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(
    {
      '.grove/vault.yaml': RULES,
      'People/Ada.md': ADA,
      'People/Old.md': '---\ntype: person\nborn: around 1800\n---\n# Old\n\nA lnie.\n',
      'Templates/Person.md': '---\ntype: person\nborn:\n---\n# {{title}}\n',
      'Free.md': '# Free\n',
    },
    { writes: true },
  );
});
afterAll(() => vault.close());

const ok = (input: object) => vault.ok('write_note', input);
const fail = (input: object) => vault.fail('write_note', input);
const onDisk = (path: string): string => readFileSync(join(vault.folder.root, path), 'utf8');
const hashOf = async (path: string): Promise<string> => (await vault.ok('get', { path })).source_hash;

describe('rules of the vault', () => {
  it('refuse a new note with every breach at once, what is wanted, and an example', async () => {
    const error = await fail({ path: 'Grace.md', content: '---\ntype: person\nrank: high\n---\n# Grace\n' });
    expect(error.code).toBe('schema_violation');
    expect(error.breaches).toEqual([
      { field: 'path', wanted: 'notes of type "person" lie in People/', example: 'People/Grace.md' },
      {
        field: 'born',
        wanted: 'is missing, and type "person" wants a day as YYYY-MM-DD',
        example: 'born: 2026-11-30',
      },
      {
        field: 'status',
        wanted: 'is missing, and type "person" wants one of: active, away',
        example: 'status: active',
      },
      { field: 'rank', wanted: 'has another value than type "person" wants: a number', example: 'rank: 1' },
      { field: 'tags', wanted: 'include the type, as "person"', example: 'tags: [person]' },
    ]);
    expect(error.next).toContain('Templates/Person.md');
    expect((await vault.fail('get', { path: 'Grace.md' })).code).toBe('note_not_found');
  });

  it('take the note once the examples are followed', async () => {
    const content =
      '---\ntype: person\nborn: 2026-11-30\nstatus: active\nrank: 1\ntags: [person]\n---\n# Grace\n';
    expect(await ok({ path: 'People/Grace.md', content })).toMatchObject({ created: true });
    expect((await ok({ path: 'People/Grace.md', action: 'append', content: 'More.' })).remarks).toEqual([]);
  });

  it('hold for the folder too: what lies there is of its type', async () => {
    const error = await fail({ path: 'People/Stray.md', content: '# Stray\n' });
    expect(error.breaches).toEqual([
      { field: 'type', wanted: 'notes in People/ have the type "person"', example: 'type: person' },
    ]);
    expect((await fail({ path: 'people/sub/Stray.md', content: 'x' })).code).toBe('schema_violation');
    expect(await ok({ path: 'Peoples/Stray.md', content: '# Stray\n' })).toMatchObject({ created: true });
  });

  it('let a note that breaks them be mended elsewhere, and say what it still breaks', async () => {
    const answer = await ok({
      path: 'People/Old.md',
      action: 'edit',
      edits: [{ find: 'lnie', replace: 'line' }],
    });
    expect(answer.remarks.join()).toMatch(/before, and still does: born, status, tags/);
    expect(onDisk('People/Old.md')).toContain('A line.');
  });

  it('refuse what makes such a note no better: another value that is wrong', async () => {
    const before = onDisk('People/Old.md');
    const error = await fail({ path: 'People/Old.md', action: 'frontmatter', set: { born: 'in 1801' } });
    expect(error.breaches.map(({ field }: { field: string }) => field)).toEqual(['born']);
    expect(onDisk('People/Old.md')).toBe(before);
    const mended = await ok({ path: 'People/Old.md', action: 'frontmatter', set: { born: '1801-01-01' } });
    expect(mended.remarks.join()).toMatch(/still does: status, tags/);
  });

  it('refuse changes of properties, of tags and of text that break them', async () => {
    const path = 'People/Ada.md';
    for (const input of [
      { path, action: 'frontmatter', set: { status: 'gone' } },
      { path, action: 'frontmatter', unset: ['born'] },
      { path, action: 'frontmatter', set: { knows: 'Charles' } },
      { path, action: 'frontmatter', set: { type: 'note' } },
      { path, action: 'tags', remove: ['person'] },
      { path, action: 'edit', edits: [{ find: '1815-12-10', replace: '10.12.1815', scope: 'frontmatter' }] },
    ])
      expect((await fail(input)).code, JSON.stringify(input)).toBe('schema_violation');
    const whole = { path, content: '---\ntype: person\n---\n# Ada\n', if_hash: await hashOf(path) };
    expect((await fail({ ...whole, overwrite: true })).code).toBe('schema_violation');
    expect(onDisk(path)).toBe(ADA);
    const knows = await ok({ path, action: 'frontmatter', set: { knows: '[[Grace]]' } });
    expect(knows.remarks).toEqual([]);
  });

  it('hold for a dry run as for the write', async () => {
    const wrong = { path: 'X.md', content: '---\ntype: person\n---\n', dry_run: true };
    expect(await fail(wrong)).toMatchObject({ code: 'schema_violation', breaches: expect.any(Array) });
    expect(await ok({ path: 'X.md', content: 'x', dry_run: true })).toMatchObject({ dry_run: true });
  });

  it('hold for what an atomic batch comes to, not for its steps', async () => {
    const steps = [
      { path: 'People/Alan.md', content: '---\ntype: person\nborn: 1912-06-23\n---\n# Alan\n' },
      { path: 'People/Alan.md', action: 'frontmatter', set: { status: 'away' } },
      { path: 'People/Alan.md', action: 'tags', add: ['person'] },
    ];
    const error = await fail({ operations: steps.slice(0, 2), atomic: true });
    expect(error).toMatchObject({ code: 'batch_refused' });
    expect(error.operations).toEqual([
      expect.objectContaining({
        op: 1,
        code: 'schema_violation',
        breaches: [expect.objectContaining({ field: 'tags' })],
      }),
    ]);
    const { results } = await ok({ operations: steps, atomic: true });
    expect(results).toHaveLength(3);
  });

  it('are checked one by one in a batch that is not atomic', async () => {
    const { results } = await ok({
      operations: [
        { path: 'Y.md', content: '---\ntype: person\n---\n' },
        { path: 'Z.md', content: 'z' },
      ],
    });
    expect(results[0].error).toMatchObject({ code: 'schema_violation', breaches: expect.any(Array) });
    expect(results[1]).toMatchObject({ created: true });
  });

  it('hold for no template: its places are not filled in yet', async () => {
    const path = 'Templates/Person.md';
    expect((await ok({ path, action: 'append', content: 'Born when?' })).remarks).toEqual([]);
  });

  it('hold for where a note is moved to', async () => {
    const move = async (path: string, to: string) => ({
      path,
      action: 'move',
      to,
      if_hash: await hashOf(path),
    });
    const error = await fail(await move('People/Ada.md', 'Elsewhere/Ada.md'));
    expect(error.breaches).toEqual([
      { field: 'path', wanted: 'notes of type "person" lie in People/', example: 'People/Ada.md' },
    ]);
    expect((await fail(await move('Free.md', 'People/Free.md'))).code).toBe('schema_violation');
    // What it broke before is no reason to keep it where it is.
    const moved = await ok(await move('People/Old.md', 'People/Known/Old.md'));
    expect(moved.remarks.join()).toMatch(/before, and still does/);
  });

  it('name the types and their required fields to whoever may write', async () => {
    const { serverInstructions } = await import('../instructions.ts');
    const text = serverInstructions(vault.scope);
    expect(text).toContain(
      'person in People/ like Templates/Person.md (born: date, status: active|away; tag person)',
    );
    expect(text.length).toBeLessThan(1_500);
  });

  it('name no folder that the caller may not write', async () => {
    const rules = {
      readPaths: [parsePathRule('Open')],
      writePaths: [],
      denyPaths: [],
      readOnly: false,
    };
    const narrow = vault.opened.scope(STDIO, rules, { scopes: ['write'] });
    const error = await vault.fail(
      'write_note',
      { path: 'Open/P.md', content: '---\ntype: person\n---\n' },
      narrow,
    );
    expect(error.code).toBe('schema_violation');
    expect(JSON.stringify(error)).not.toContain('People');
    expect(JSON.stringify(error)).not.toContain('Templates');
    const { serverInstructions } = await import('../instructions.ts');
    expect(serverInstructions(narrow)).not.toContain('People');
  });
});

describe('instructions', () => {
  it('stay short however many types there are, and leave room for the words of the owner', async () => {
    const types = Array.from(
      { length: 60 },
      (_, at) => `  type${at}:\n    required:\n      property: text\n`,
    );
    const file = `instructions: ${'Be brief. '.repeat(100)}\nzone: America/Argentina/ComodRivadavia\ntypes:\n${types.join('')}`;
    await using other = await closing(openTestVault({ '.grove/vault.yaml': file }, { writes: true }));
    const { serverInstructions } = await import('../instructions.ts');
    const text = serverInstructions(other.value.scope);
    expect(text.length).toBeLessThan(1_500);
    expect(text).toMatch(/type0 \(property: text; tag type0\); .*; and \d+ more\./);
    expect(text.length - text.indexOf('Be brief.')).toBeGreaterThan(200);
  });
});

describe('many breaches', () => {
  it('are all told, of one note and of a long batch, within the limits of an answer', async () => {
    const name = (at: number) => `${at}`.padStart(60, 'field ');
    const words = Array.from({ length: 200 }, (_, at) => `${at}`.padStart(100, 'word '));
    const fields = Array.from({ length: 45 }, (_, at) => `      ${name(at)}: ${JSON.stringify(words)}\n`);
    const file = `types:\n  a:\n    folder: Far/Away\n    required:\n${fields.join('')}`;
    await using other = await closing(openTestVault({ '.grove/vault.yaml': file }, { writes: true }));
    const wrong = (at: number) => ({ path: `${at}.md`, content: '---\ntype: a\n---\n' });
    const error = await other.value.fail('write_note', wrong(0));
    expect(error.breaches).toHaveLength(47);
    const batch = { operations: Array.from({ length: 100 }, (_, at) => wrong(at)) };
    const refused = await other.value.fail('write_note', { ...batch, atomic: true });
    expect(refused.operations).toHaveLength(100);
    expect((await other.value.ok('write_note', batch)).results).toHaveLength(100);
  });
});

describe('a change of the rules', () => {
  it('holds for the next write; a file that is not valid leaves the last good one', async () => {
    await using other = await closing(openTestVault({ 'A.md': '' }, { writes: true }));
    const write = (content: string) =>
      other.value.call('write_note', { path: `${Math.random()}.md`, content });
    const untagged = '---\ntype: idea\n---\n';
    expect((await write(untagged)).error).toBeNull();
    await other.value.folder.write({ '.grove/vault.yaml': 'types:\n  idea:\n' });
    await other.value.opened.vault.reconcile();
    expect((await write(untagged)).error).toMatchObject({ code: 'schema_violation' });
    await other.value.folder.write({ '.grove/vault.yaml': 'types:\n  idea: [\n' });
    await other.value.opened.vault.reconcile();
    expect((await write(untagged)).error).toMatchObject({ code: 'schema_violation' });
    const { remarks } = await other.value.ok('vault_status');
    expect(remarks.join()).toMatch(/vault\.yaml is not valid \(line \d/);
    await other.value.folder.write({ '.grove/vault.yaml': 'types:\n  idea:\ntags_include_type: false\n' });
    await other.value.opened.vault.reconcile();
    expect((await write(untagged)).error).toBeNull();
  });

  it('speaks of properties as Logseq writes them', async () => {
    await using other = await closing(
      openTestVault(
        {
          'logseq/config.edn': '{}',
          '.grove/vault.yaml': 'types:\n  book:\n    required:\n      pages: number\n',
          'pages/A.md': '- a\n',
        },
        { writes: true },
      ),
    );
    const error = await other.value.fail('write_note', {
      path: 'pages/B.md',
      content: 'type:: book\n\n- b\n',
    });
    expect(error.breaches.map(({ example }: { example: string }) => example)).toEqual([
      'pages:: 1',
      'tags:: book',
    ]);
    await other.value.ok('write_note', {
      path: 'pages/B.md',
      content: 'type:: book\npages:: 312\ntags:: book\n\n- b\n',
    });
  });
});

async function closing(
  opening: Promise<TestVault>,
): Promise<AsyncDisposable & { readonly value: TestVault }> {
  const value = await opening;
  return { value, [Symbol.asyncDispose]: () => value.close() };
}
