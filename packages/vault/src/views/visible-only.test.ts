import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import type { Resolution, View, ViewRules } from '../view.ts';
import { allowAll, parsePathRule, readableBy } from './path-rule.ts';

const FOLDERS = ['', 'A/', 'A/B/', 'C/', 'c d/'];
const NAMES = ['one', 'Two', 'two', 'three', 'Vier', 'one.sync-conflict-20260101-101010-ABCDEFG'];
const PATHS = FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}${name}.md`));
const TARGETS = [
  'one',
  'two',
  'Two.md',
  'A/one',
  'B/two',
  '../one',
  './Vier',
  '/three',
  'c d/one',
  'alias',
  'gone',
  '',
];
const REFERENCES = [
  ...TARGETS,
  ...PATHS.slice(0, 12),
  'TWO',
  '[[one]]',
  'Title of A',
  '2026-11-30',
  'a/b/ONE.md',
];

const link = fc
  .tuple(fc.constantFrom(...TARGETS), fc.constantFrom('wiki', 'embed', 'markdown'))
  .map(([target, kind]) => {
    if (kind === 'markdown') return `[x](<${target === '' ? '#top' : target}>)`;
    return `${kind === 'embed' ? '!' : ''}[[${target === '' ? '#top' : target}]]`;
  });
const note = fc
  .tuple(
    fc.constantFrom('', '---\naliases: [alias]\n---\n', '---\ntitle: Title of A\n---\n'),
    fc.array(link, { maxLength: 5 }),
  )
  .map(([front, links]) => `${front}${links.join(' ')}\n`);
const files = fc.dictionary(fc.constantFrom(...PATHS), note, { minKeys: 1, maxKeys: 14 });
const rule = fc.constantFrom('A', 'A/B', 'C', 'c d', '**/two.md', 'A/*', 'one.md', '*.md', 'none');
const policy = fc.record({ read: fc.array(rule, { maxLength: 2 }), deny: fc.array(rule, { maxLength: 2 }) });
const dialect = fc.constantFrom('.obsidian/app.json', 'logseq/config.edn', '.foam/x', 'plain.txt');

function compile({ read, deny }: { read: string[]; deny: string[] }): ViewRules {
  return { ...allowAll, readPaths: read.map(parsePathRule), denyPaths: deny.map(parsePathRule) };
}

function short(resolution: Resolution): unknown {
  if (resolution.kind === 'found') return [resolution.step, resolution.row.path];
  if (resolution.kind === 'none') return resolution;
  return [resolution.step, resolution.candidates.map((row) => row.path)];
}

function paths(view: View, ids: readonly number[]): unknown[] {
  return ids.map((id) => view.byId(id)?.path).sort();
}

/** Everything that a View answers, without ids and times. */
function answers(view: View): unknown {
  const notes = view.notes();
  return {
    size: view.size,
    ids: view.ids().length,
    folders: view.folders(),
    resolved: REFERENCES.map((reference) => short(view.resolve(reference))),
    notes: notes.map((row) => ({
      path: row.path,
      title: row.title,
      aliases: row.aliases,
      hash: row.contentHash,
      got: view.get(row.path) === row,
      details: view.details(row),
      links: view
        .links(row)
        .map(({ link: written, from, to }) => [written.target, from.path, to?.path ?? null]),
      targets: paths(view, view.targetIds(row)),
      sources: paths(view, view.sourceIds(row)),
      missing: view.missingTargets(row).map(({ kind, target }) => [kind, target]),
      backlinks: view
        .backlinks(row)
        .map(({ link: written, from, to }) => [written.start, from.path, to?.path]),
    })),
  };
}

describe('a View', () => {
  it('answers as a vault that holds only its notes', async () => {
    await fc.assert(
      fc.asyncProperty(dialect, files, policy, policy, async (marker, all, processPolicy, rules) => {
        const mayRead = (path: string) =>
          readableBy(compile(processPolicy))(path) && readableBy(compile(rules))(path);
        const visible = Object.fromEntries(Object.entries(all).filter(([path]) => mayRead(path)));
        await using whole = await temporaryVault({ ...all, [marker]: '' });
        await using part = await temporaryVault({ ...visible, [marker]: '' });
        const vault = await whole.open({ poll: true, policy: compile(processPolicy) });
        const other = await part.open({ poll: true });
        expect(answers(vault.view(compile(rules)))).toEqual(answers(other.ownerView()));
      }),
      { numRuns: 40 },
    );
  });

  it('answers after changes as one made anew would', async () => {
    const change = fc.tuple(fc.constantFrom(...PATHS), fc.option(note));
    await fc.assert(
      fc.asyncProperty(
        dialect,
        files,
        policy,
        fc.array(fc.array(change, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 4 }),
        async (marker, before, rules, rounds) => {
          await using folder = await temporaryVault({ ...before, [marker]: '' });
          const vault = await folder.open({ poll: true });
          const view = vault.view(compile(rules));
          const now: Record<string, string> = { ...before };
          answers(view);
          for (const round of rounds) {
            const { generation } = view;
            const old = JSON.stringify(view.notes().map((row) => [row.path, row.contentHash]));
            for (const [path, text] of round) {
              if (text !== null) await folder.write(path, text);
              else if (now[path] !== undefined) await folder.remove(path);
              if (text === null) delete now[path];
              else now[path] = text;
            }
            await vault.reconcile(round.map(([path]) => path));
            const isSame = old === JSON.stringify(view.notes().map((row) => [row.path, row.contentHash]));
            if (!isSame) expect(view.generation).toBeGreaterThan(generation);
          }
          await using fresh = await temporaryVault({ ...now, [marker]: '' });
          const other = await fresh.open({ poll: true });
          expect(answers(view)).toEqual(answers(other.view(compile(rules))));
        },
      ),
      { numRuns: 40 },
    );
  });

  it('hides conflict copies from everyone', async () => {
    const copies = [
      'Note.sync-conflict-20260101-101010-ABCDEFG.md',
      'Note (conflict 2026-01-01 10.10).md',
      'Note (conflict 2026-11-30 origin 2).md',
      "Note (Ann's conflicted copy 2026-01-01).md",
    ];
    const notes = ['My conflict (with Bob).md', 'Note.md', 'Talk (conflict in teams).md'];
    await using folder = await temporaryVault(
      Object.fromEntries([...notes, ...copies].map((name) => [name, '[[Note]]'])),
    );
    const vault = await folder.open({ poll: true });
    const view = vault.ownerView();
    expect(view.notes().map((row) => row.path)).toEqual(notes);
    expect(view.resolve(copies[0]!).kind).toBe('none');
    expect(view.backlinks(view.notes()[1]!)).toHaveLength(2);
    expect(vault.health().notes).toBe(7);
  });

  it('lists conflict copies for the owner alone, as they come and go', async () => {
    const copy = 'A/Note.sync-conflict-20260101-101010-ABCDEFG.md';
    await using folder = await temporaryVault({ 'A/Note.md': 'ours', [copy]: 'theirs' });
    const vault = await folder.open({ poll: true });
    const view = vault.ownerView();
    const [row] = view.conflictCopies();
    expect(row?.path).toBe(copy);
    expect((await view.read(row!)).note.text).toBe('theirs');
    const narrow = vault.view(compile({ read: ['A'], deny: [] }));
    expect(narrow.conflictCopies()).toEqual([]);
    await expect(narrow.read(row!)).rejects.toMatchObject({ code: 'note_not_found' });
    await folder.remove(copy);
    await vault.reconcile();
    expect(view.conflictCopies()).toEqual([]);
  });

  it('is shared by equal rules, and tells different ones apart', async () => {
    await using folder = await temporaryVault({ 'A/1.md': '', 'B/2.md': '' });
    const vault = await folder.open({ poll: true });
    const a = vault.view(compile({ read: ['A', 'B'], deny: [] }));
    expect(vault.view(compile({ read: ['B', 'A'], deny: [] }))).toBe(a);
    expect(vault.view(compile({ read: ['A'], deny: [] })).fingerprint).not.toBe(a.fingerprint);
    expect(vault.view({ ...allowAll, readOnly: true }).fingerprint).not.toBe(vault.ownerView().fingerprint);
    expect(vault.view(allowAll)).toBe(vault.ownerView());
    expect([vault.ownerView().isOwner, a.isOwner]).toEqual([true, false]);
    await vault.close();
    const again = await folder.open({ poll: true });
    expect(again.view(compile({ read: ['A', 'B'], deny: [] })).fingerprint).toBe(a.fingerprint);
  });

  it('treats a hidden note as an absent one, also when handed its row', async () => {
    await using folder = await temporaryVault({ 'A/Open.md': '[[Hidden]]', 'B/Hidden.md': '[[Open]]' });
    const vault = await folder.open({ poll: true });
    const hidden = vault.ownerView().notes()[1]!;
    const view = vault.view(compile({ read: ['A'], deny: [] }));
    const open = view.notes()[0]!;
    expect(view.links(open)[0]?.to).toBeNull();
    expect(view.backlinks(open)).toEqual([]);
    for (const ask of [() => view.details(hidden), () => view.links(hidden), () => view.times(hidden)]) {
      expect(ask).toThrow(expect.objectContaining({ code: 'note_not_found' }));
    }
    await expect(view.read(hidden)).rejects.toMatchObject({
      code: 'note_not_found',
      data: { path: 'B/Hidden.md' },
    });
    expect([view.get(hidden.path), view.byId(hidden.id)]).toEqual([null, null]);
  });

  it('keeps its ids array while its generation stands', async () => {
    await using folder = await temporaryVault({ 'A.md': 'a', 'B.md': 'b' });
    const vault = await folder.open({ poll: true });
    const view = vault.ownerView();
    const ids = view.ids();
    expect(view.ids()).toBe(ids);
    expect([...ids]).toEqual([...ids].sort((left, right) => left - right));
    await vault.reconcile();
    expect(view.ids()).toBe(ids);
    await folder.write('C.md', 'c');
    await vault.reconcile(['C.md']);
    expect(view.ids()).toHaveLength(3);
  });
});
