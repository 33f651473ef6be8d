import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { describeWithData } from '@grove/testing';
import { parsePathRule } from '@grove/vault';
import { afterEach, describe, expect, it } from 'vitest';
import type { Scope } from '../../contract.ts';
import { type Loose, openTestVault, operationOf, STDIO, type TestVault } from '../../testing/opened.ts';
import type { Files } from '../../testing/vault-folder.ts';
import type { FindingKind } from './contract.ts';
import { emptyNoteDiagnosis } from './empty-notes.ts';

let vault: TestVault;
afterEach(() => vault.close());

const COPY = 'Soil.sync-conflict-20260101-101010-ABCDEFG.md';

async function open(files: Files): Promise<void> {
  vault = await openTestVault({ '.obsidian/app.json': '{}', ...files }, { writes: true });
}

const diagnose = (input: object = {}, scope?: Scope): Promise<Loose> =>
  vault.ok('vault_status', { mode: 'diagnostics', ...input }, scope);

async function findings(kind: FindingKind, input: object = {}): Promise<Loose[]> {
  const { found } = await diagnose({ limit: 100, ...input });
  return found.find((one: Loose) => one.kind === kind)?.findings ?? [];
}

const keyOf = ({ path, why }: Loose): string => `${path} ${why}`;

/** Sends the call of every finding of a kind; each takes its own finding away. */
async function mendAll(kind: FindingKind): Promise<Loose[]> {
  const all = await findings(kind);
  for (const finding of all) {
    expect(finding.call, keyOf(finding)).toBeDefined();
    operationOf('write_note').parse(finding.call);
    await vault.ok('write_note', finding.call);
    const left = await findings(kind);
    expect(left.map(({ path, why }) => [path, why])).not.toContainEqual([finding.path, finding.why]);
  }
  return all;
}

const textOf = async (path: string): Promise<string> =>
  (await vault.call('get', { path, format: 'raw' })).structured.content as string;

describe('what vault_status diagnostics finds, and the call that mends it', () => {
  it('links to a note that lies elsewhere, that was renamed, that is spelt otherwise, that is not there', async () => {
    await open({
      'Beds/Compost heap.md': 'Turned.\n',
      'Plan.md':
        '---\nrelated: "[[Compost heep]]"\n---\n[[Old/Compost heap#Turning|heap]] ![[Compost heep]] [[Compost heep]] and [[Compost heep]]\n[x](Soyl%20type.md#a "t")\n[[Nobody knows]] [[Was]] [[2026-12-24]] `[[Code]]`\n',
      'Soil type.md': 'Clay. [[Plan]]\n',
      'Was.md': 'It has text enough to be known again.\n',
    });
    const { source_hash } = await vault.ok('get', { path: 'Was' });
    await vault.ok('write_note', {
      path: 'Plan.md',
      action: 'edit',
      edits: [{ find: '[[Was]]', replace: 'WAS' }],
    });
    await vault.ok('write_note', { path: 'Was.md', action: 'move', to: 'Beds/Is.md', if_hash: source_hash });
    await vault.ok('write_note', {
      path: 'Plan.md',
      action: 'edit',
      edits: [{ find: 'WAS', replace: '[[Was]]' }],
    });
    expect((await findings('broken_links')).map(({ path, why, others }) => [path, why, others])).toEqual([
      [
        'Plan.md',
        'links to "Compost heep", which is not there: likely Beds/Compost heap.md is meant',
        ['Beds/Compost heap.md'],
      ],
      [
        'Plan.md',
        'links to "Old/Compost heap", which is not there: it is Beds/Compost heap.md now',
        ['Beds/Compost heap.md'],
      ],
      ['Plan.md', 'links to "Soyl type", which is not there: likely Soil type.md is meant', ['Soil type.md']],
      ['Plan.md', 'links to "Nobody knows", which is not there', undefined],
      ['Plan.md', 'links to "Was", which is not there: it is Beds/Is.md now', ['Beds/Is.md']],
      ['Plan.md', 'links to "2026-12-24", which is not there', undefined],
    ]);
    await mendAll('broken_links');
    expect(await textOf('Plan.md')).toBe(
      '---\nrelated: "[[Compost heap]]"\n---\n[[Beds/Compost heap#Turning|heap]] ![[Compost heap]] [[Compost heap]] and [[Compost heap]]\n[x](Soil%20type.md#a "t")\n[[Nobody knows]] [[Is]] [[2026-12-24]] `[[Code]]`\n',
    );
    expect(await findings('broken_links')).toEqual([]);
    expect(await textOf('Nobody knows.md')).toBe('# Nobody knows\n');
  });

  it.each([
    [
      'a colon in a value',
      '---\ntitle: Soil: a study\ntags: [a]\n---\nText.\n',
      '---\ntitle: "Soil: a study"\ntags: [a]\n---\nText.\n',
    ],
    [
      'a list that does not end',
      '---\ntags: [a, b\ndue: 2026-01-01\n---\nText.\n',
      '---\ntags: "[a, b"\ndue: 2026-01-01\n---\nText.\n',
    ],
    ['a quote that does not end', '---\nby: "Ada\nx: 1\n---\nText.\n', null],
    ['a tab', '---\na:\n\tb: 1\n---\nText.\n', '---\na:\n  b: 1\n---\nText.\n'],
    ['a line that is no property', '---\na: 1\njust words\nb: 2\n---\n', null],
    ['text alone', '---\njust words\n---\nText.\n', null],
    [
      'a sign that YAML keeps',
      '---\na: @home\nb: `x`\n---\nText.\n',
      '---\na: "@home"\nb: "`x`"\n---\nText.\n',
    ],
    [
      'Windows line breaks',
      '---\r\na: x: y\r\nb: 1\r\n---\r\nText.\r\n',
      '---\r\na: "x: y"\r\nb: 1\r\n---\r\nText.\r\n',
    ],
    ['equal lines', '---\na: x: y\nb: 1\na2: x: y\n---\nText.\n', null],
    [
      'no second fence',
      '---\na: 1\ntags:\n  - x\n\n# Text\n\nWords.\n',
      '---\na: 1\ntags:\n  - x\n---\n\n# Text\n\nWords.\n',
    ],
    ['a rule at the top', '---\n# Heading\n\nWords.\n', null],
    ['a fence alone', '---\n', null],
  ])('frontmatter with %s', async (_, text, wanted) => {
    await open({ 'A.md': text, 'B.md': 'Fine.\n' });
    expect((await findings('broken_frontmatter')).map(({ path }) => path)).toEqual(['A.md']);
    await mendAll('broken_frontmatter');
    const mended = await textOf('A.md');
    if (wanted !== null) expect(mended).toBe(wanted);
    for (const word of text.match(/[a-z]+/gi) ?? []) expect(mended).toContain(word);
    expect((await diagnose()).found.map(({ kind }: Loose) => kind)).not.toContain('broken_frontmatter');
  });

  it('copies that sync tools left, with what only they say', async () => {
    const gone = "Lost (Ann's conflicted copy 2026-01-01).md";
    await open({
      'Soil.md': 'Clay.\nSand.\n',
      [COPY]: 'Clay.\nLoam.\n',
      'Beds/Bed.md': 'One.\n',
      'Beds/Bed (conflict 2026-01-01 10.10).md': 'One.\n',
      [gone]: 'Alone.\n',
    });
    const all = await findings('conflict_copies');
    expect(all.map(({ path, others, call }) => [path, others?.[0], call?.action])).toEqual([
      ['Beds/Bed (conflict 2026-01-01 10.10).md', 'Beds/Bed.md', 'delete'],
      [gone, undefined, undefined],
      [COPY, 'Soil.md', 'delete'],
    ]);
    expect(all[0].why).toContain('every line of it stands in Beds/Bed.md');
    expect(all[2].why).toContain('lacks: 1, such as "Loam."');
    for (const { call } of all) if (call !== undefined) await vault.ok('write_note', call);
    expect((await findings('conflict_copies')).map(({ path }) => path)).toEqual([gone]);
    expect(await textOf('Soil.md')).toBe('Clay.\nSand.\n');
  });

  it('notes that break rules of the vault', async () => {
    await open({
      '.grove/vault.yaml':
        'types:\n  book:\n    folder: Books\n    required:\n      author: link\n      status: [to-read, done]\n  idea:\n',
      'Books/A.md': '---\ntype: book\nauthor: Ada\n---\nA\n',
      'Books/B.md': '---\ntype: idea\ntags: [idea]\n---\nB\n',
      'Books/C.md': '---\ntype: book\ntags: [book]\nauthor: "[[Ada]]"\nstatus: done\n---\nC\n',
      'D.md': '---\ntype: book\ntags: [book]\nauthor: "[[Ada]]"\nstatus: done\n---\nD\n',
      'E.md': '---\ntype: idea\n---\nE\n',
    });
    const all = await mendAll('broken_rules');
    expect(all.map(({ path }) => path)).toEqual(['Books/A.md', 'Books/B.md', 'D.md', 'E.md']);
    expect(all[0].why).toContain('status is missing, and type "book" wants one of: to-read, done');
    expect(await findings('broken_rules')).toEqual([]);
    expect(await textOf('Books/D.md')).toContain('D\n');
  });

  it('titles of several notes, empty notes, notes left in an inbox, and orphans', async () => {
    await open({
      'A/Plan.md': 'One. [[Soil]]\n',
      'B/Plan.md': 'Two. [[Soil]]\n',
      'C/Other.md': '# Plan\n\nThree. [[Soil]]\n',
      'Soil.md': '[[Void]]\n',
      'Void.md': '',
      'Nothing.md': '---\na: 1\n---\n\n',
      'Picture.md': '![[p.png]]\n',
      '00 Inbox/Old.md': '---\nmodified: 2026-01-01\n---\nSee [[A/Plan]]\n',
      '00 Inbox/New.md': '---\nmodified: 2026-11-29\n---\nSee [[A/Plan]]\n',
      'Lone.md': 'It says Soil once.\n',
      'Loner.md': 'It says nothing.\n',
    });
    expect((await findings('duplicate_titles')).map(({ path, others }) => [path, others])).toEqual([
      ['A/Plan.md', ['B/Plan.md', 'C/Other.md']],
    ]);
    await mendAll('duplicate_titles');
    expect(await textOf('B/Plan.md')).toBe('---\ntitle: Plan (B)\n---\nTwo. [[Soil]]\n');
    expect((await findings('empty_notes')).map(({ path, call }) => [path, call.action])).toEqual([
      ['Nothing.md', 'delete'],
      ['Void.md', 'append'],
    ]);
    await mendAll('empty_notes');
    expect(await textOf('Void.md')).toBe('Asked for by [[Soil]].\n');
    expect((await findings('stale_inbox')).map(({ path, call }) => [path, call.to])).toEqual([
      ['00 Inbox/Old.md', 'A/Old.md'],
    ]);
    await mendAll('stale_inbox');
    expect((await findings('orphans')).map(({ path, others }) => [path, others[0]])).toEqual([
      ['Lone.md', 'Soil.md'],
      ['Loner.md', 'Soil.md'],
      ['Picture.md', 'Soil.md'],
    ]);
    await mendAll('orphans');
    expect(await textOf('Lone.md')).toBe('It says [[Soil]] once.\n');
    expect(await diagnose()).toMatchObject({ findings_total: 0, found: [] });
  });
});

describe('vault_status diagnostics', () => {
  const FILES = {
    'Plan.md': 'See [[Sol]] and [[Nobody]].\n',
    'Soil.md': 'Clay.\n',
    'Beds/Lone.md': 'Alone.\n',
    'Beds/Broken.md': '---\na: [\n---\n[[Plan]]\n',
    'Latin.md': Buffer.from([0x23, 0x20, 0xe9, 0x0a]),
    [COPY]: 'Clay.\n',
  };

  it('is text that stands alone', async () => {
    await open(FILES);
    const { text } = await vault.call('vault_status', { mode: 'diagnostics', limit: 1 });
    expect(text.split('\n')).toEqual([
      'Vault "Garden": 7 findings in 4 notes.',
      'No embedding model is set up: of notes that say the same only those of equal text are found.',
      'The call below a finding is what to send to write_note; look at it before you do.',
      'Conflict copies: 1',
      `- ${COPY}: a copy that a sync tool left; every line of it stands in Soil.md`,
      expect.stringMatching(
        /^ {2}\{"action":"delete","path":"Soil\.sync-conflict-.*","if_hash":"[0-9a-f]{16}"\}$/,
      ),
      'Frontmatter that does not parse: 1',
      expect.stringMatching(/^- Beds\/Broken\.md: its properties cannot be read \(line \d: /),
      '  {"action":"edit","path":"Beds/Broken.md","edits":[{"find":"a: [","replace":"a: \\"[\\"","scope":"frontmatter"}]}',
      'Broken links: 2',
      '- Plan.md: links to "Sol", which is not there: likely Soil.md is meant',
      '  {"action":"edit","path":"Plan.md","edits":[{"find":"[[Sol]]","replace":"[[Soil]]"}]}',
      '- and 1 more',
      'Skipped files: 1',
      '- Latin.md: is skipped: it is not UTF-8 text',
      'Orphans: 2',
      '- Beds/Lone.md: links to no note, and none links to it; Beds/Broken.md is near',
      '  {"action":"append","path":"Beds/Lone.md","content":"See also [[Broken]]"}',
      '- and 1 more',
    ]);
  });

  it('is of one folder, or one note', async () => {
    await open(FILES);
    const of = async (path: string) => {
      const { within, notes, found } = await diagnose({ path });
      return [within, notes, found.map(({ kind, total }: Loose) => [kind, total])];
    };
    expect(await of('beds/')).toEqual([
      'Beds',
      2,
      [
        ['broken_frontmatter', 1],
        ['orphans', 1],
      ],
    ]);
    expect(await of('Plan')).toEqual(['Plan.md', 1, [['broken_links', 2]]]);
    expect(await of('Soil')).toEqual([
      'Soil.md',
      1,
      [
        ['conflict_copies', 1],
        ['orphans', 1],
      ],
    ]);
    expect(await vault.fail('vault_status', { mode: 'diagnostics', path: 'Nowhere' })).toMatchObject({
      code: 'note_not_found',
    });
    expect(await vault.fail('vault_status', { mode: 'diagnostics', since: '7d' })).toMatchObject({
      code: 'bad_input',
      message: expect.stringContaining('"since" is for mode history'),
    });
  });

  it('names the calls that this caller may make, and tells a narrower View only of its own', async () => {
    await open(FILES);
    const rules = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Beds')], readOnly: false };
    const calls = ({ found }: Loose) =>
      found.map(({ kind, findings: list }: Loose) => [kind, list.map(({ call }: Loose) => call?.action)]);
    const narrow = await diagnose({}, vault.opened.scope(STDIO, rules, { scopes: ['append'] }));
    expect(calls(narrow)).toEqual([
      ['broken_links', [undefined, 'write']],
      ['orphans', ['append', 'append']],
    ]);
    expect(JSON.stringify(narrow)).not.toMatch(/Beds|Latin|sync-conflict/);
    const reader = await diagnose({}, vault.opened.scope(STDIO, undefined, { scopes: ['read'] }));
    expect(
      calls(reader)
        .flatMap(([, actions]: Loose) => actions)
        .filter(Boolean),
    ).toEqual([]);
    expect(reader.remarks.join()).toContain('no call is named');
  });

  it('names no deletion where the owner lets nobody delete', async () => {
    await open({ '.grove/vault.yaml': 'deletes: deny\n', 'Soil.md': 'a\n', [COPY]: 'a\n', 'Void.md': '' });
    for (const kind of ['conflict_copies', 'empty_notes'] as const)
      expect((await findings(kind)).map(({ call }) => call)).toEqual([undefined]);
  });

  it('passes over a note that goes while it is told', async () => {
    await open({ 'A.md': '[[B]]\n', 'B.md': '' });
    const faults = await emptyNoteDiagnosis.find({ scope: vault.scope, isAsked: null });
    await rm(join(vault.folder.root, 'B.md'));
    await vault.opened.vault.reconcile();
    for await (const finding of faults.tell(faults.total)) expect(finding).toBeNull();
    expect(faults.total).toBe(1);
  });

  it('fits one answer, however much is wrong and however long the names are', async () => {
    const long = 'n'.repeat(180);
    const many = Object.fromEntries(
      Array.from({ length: 120 }, (_, at): [string, string] => [
        `${long}/${long} ${at}.md`,
        at % 3 === 0 ? '' : at % 3 === 1 ? `---\na: [ ${long}\n---\n` : `[[${long} x${at}]] `.repeat(20),
      ]),
    );
    await open(many);
    const { found, findings_total } = await diagnose({ limit: 100 });
    expect(found.map(({ kind, total }: Loose) => [kind, total])).toEqual([
      ['broken_frontmatter', 40],
      ['broken_links', 40],
      ['empty_notes', 40],
      ['orphans', 120],
    ]);
    expect(findings_total).toBe(240);
  });
});

for (const name of ['kepano', 'logseq'])
  describeWithData(`vault_status diagnostics of ${name}`, `vaults/${name}`, (folder) => {
    it('names calls that write_note takes, and that mend links and frontmatter', async () => {
      await open({});
      await cp(folder, vault.folder.root, { recursive: true });
      await vault.opened.vault.reconcile();
      const { found } = await diagnose({ limit: 100 });
      for (const { findings: list } of found)
        for (const { call } of list) if (call !== undefined) operationOf('write_note').parse(call);
      for (const kind of ['broken_links', 'broken_frontmatter'] as const)
        for (const { path, why, call } of (await findings(kind)).slice(0, 8)) {
          const before = await findings(kind, { path });
          // What another call made may have mended this as well.
          if (call === undefined || !before.some((one) => one.why === why)) continue;
          await vault.ok('write_note', call);
          const left = await findings(kind, { path });
          expect(left.map((one) => one.why)).not.toContain(why);
        }
    });
  });
