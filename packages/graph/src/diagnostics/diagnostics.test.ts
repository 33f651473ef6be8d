import { allowAll, PLAIN_GARDEN, parsePathRule, type View } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openNotes } from '../testing/open-notes.ts';
import { plainGraph } from '../testing/plain-graph.ts';
import { brokenLinks } from './broken-links.ts';
import { conflictCopies } from './conflict-copies.ts';
import { duplicateTitles, isFreeTitle } from './duplicate-titles.ts';
import { emptyNotes, unreadableProperties } from './empty-notes.ts';
import { hubNear, orphanNotes } from './orphans.ts';
import { staleInbox } from './stale-inbox.ts';

const FOLDERS = ['', 'Wood/', 'Wood/Deep/', 'Inbox/'];
const NAMES = ['Ash', 'ash', 'Birch', 'Elm', 'Fir.tree'];
const PATHS = FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}${name}.md`));
const TARGETS = [
  ...NAMES,
  'ELM',
  'Elm.md',
  'Wood/Ash',
  'Deep/Birch',
  'Other/Ash',
  'Nobody',
  'nobody',
  'Wood/Nobody.md',
];

const NOW = Date.parse('2026-12-01T12:00:00Z');

/**
 * Whether a wikilink finds a note as Obsidian does (https://help.obsidian.md/links): a name wherever it lies, a path
 * from the top or the end of one, upper and lower case alike.
 */
function isAnswered(paths: readonly string[], target: string): boolean {
  const wanted = target.toLowerCase().replace(/\.md$/, '');
  return paths.some((path) => {
    const plain = path.toLowerCase().replace(/\.md$/, '');
    return plain === wanted || plain.endsWith(`/${wanted}`);
  });
}

/** The text of each note by its path: a heading, links, or nothing. */
const note = fc
  .record({
    heading: fc.option(fc.constantFrom('Ash', 'Of trees', 'ASH')),
    title: fc.option(fc.constantFrom('Elm', 'Trees')),
    targets: fc.array(fc.constantFrom(...TARGETS), { maxLength: 4 }),
    isBroken: fc.boolean(),
    age: fc.constantFrom(0, 13, 14, 200),
  })
  .map(({ heading, title, targets, isBroken, age }) => {
    const day = new Date(NOW - age * 86_400_000).toISOString().slice(0, 19);
    const properties =
      isBroken && age === 0 ? 'x: [\n' : `modified: ${day}Z\n${title === null ? '' : `title: ${title}\n`}`;
    const links = targets.map((target) => `[[${target}]]`).join(' ');
    return {
      heading,
      title,
      targets,
      isBroken: isBroken && age === 0,
      age,
      text: `---\n${properties}---\n${heading === null ? '' : `# ${heading}\n`}${links}\n`,
    };
  });
const notes = fc.dictionary(fc.constantFrom(...PATHS), note, { minKeys: 1, maxKeys: 12 });

type Note = {
  heading: string | null;
  title: string | null;
  targets: string[];
  isBroken: boolean;
  age: number;
};

function expectAsPlain(view: View, all: Readonly<Record<string, Note>>): void {
  const paths = view.notes().map(({ path }) => path as string);
  const of = (path: string): Note => all[path]!;
  const missing = paths.flatMap((path) => {
    const asked = of(path).targets.filter((target) => !isAnswered(paths, target));
    const once = new Set(asked.map((target) => target.toLowerCase().replace(/\.md$/, '')));
    return [...once].map((target) => `${path} ${target}`);
  });
  expect(
    brokenLinks(view)
      .map(({ from, target }) => `${from.path} ${target.toLowerCase()}`)
      .sort(),
  ).toEqual(missing.sort());
  const titleOf = (path: string): string => {
    const { isBroken, title, heading } = of(path);
    const name = path.slice(path.lastIndexOf('/') + 1, -3);
    return ((isBroken ? null : title) ?? heading ?? name).toLowerCase();
  };
  const twins = paths.map((path) => paths.filter((other) => titleOf(other) === titleOf(path)));
  expect(duplicateTitles(view).map((rows) => rows.map(({ path }) => path as string))).toEqual(
    twins.filter((group, at) => group.length > 1 && group[0] === paths[at]),
  );
  for (const path of paths) expect(isFreeTitle(view, titleOf(path).toUpperCase())).toBe(false);
  expect(unreadableProperties(view).map(({ path }) => path)).toEqual(
    paths.filter((path) => of(path).isBroken),
  );
  expect(emptyNotes(view).map(({ path }) => path)).toEqual(
    paths.filter((path) => !of(path).isBroken && of(path).heading === null && of(path).targets.length === 0),
  );
  const { links, near } = plainGraph(view);
  expect(orphanNotes(view).map(({ path }) => path)).toEqual(
    paths.filter((path) => near.get(path)!.size === 0),
  );
  const degree = (path: string): number =>
    links.get(path)!.size + paths.filter((other) => links.get(other)!.has(path)).length;
  for (const row of view.notes()) {
    const folder = (path: string): string => path.slice(0, Math.max(0, path.lastIndexOf('/')));
    const beside = paths.filter((path) => folder(path) === folder(row.path));
    const [hub] = [beside, paths].flatMap((some) =>
      some.filter((path) => degree(path) > 0).sort((a, b) => degree(b) - degree(a)),
    );
    expect(hubNear(view, row)?.path).toBe(hub);
  }
  const waiting = paths.filter(
    (path) => path.startsWith('Inbox/') && !of(path).isBroken && of(path).age >= 14,
  );
  expect(
    staleInbox(view, NOW, PLAIN_GARDEN)
      .map(({ row }) => row.path as string)
      .filter((path) => !of(path).isBroken)
      .sort(),
  ).toEqual(waiting);
}

describe('what is wrong with the notes of a View', () => {
  it('broken links are those that Obsidian cannot follow; and all is as plain loops find it', async () => {
    await fc.assert(
      fc.asyncProperty(notes, async (all) => {
        const files = Object.fromEntries(Object.entries(all).map(([path, { text }]) => [path, text]));
        await using opened = await openNotes({ '.obsidian/app.json': '{}', ...files });
        expectAsPlain(opened.view, all);
        expectAsPlain(opened.vault.view({ ...allowAll, denyPaths: [parsePathRule('Wood')] }), all);
      }),
      { numRuns: 60, seed: 31 },
    );
  });

  it('every entry of a list in the frontmatter is a link that can be broken', async () => {
    await using opened = await openNotes({
      '.obsidian/app.json': '{}',
      'A.md': '---\nrelated: ["[[B]]", "[[C]]", "[[D]]"]\nup: "[[E]]"\ntags: a\n---\nText.\n',
      'C.md': 'Text.\n',
    });
    expect(brokenLinks(opened.view).map(({ target }) => target)).toEqual(['B', 'D', 'E']);
    await opened.change('D.md', 'Text.\n');
    expect(brokenLinks(opened.view).map(({ target }) => target)).toEqual(['B', 'E']);
  });

  it('knows a copy by what sync tools put into its name', async () => {
    const copies = {
      'A/Note.sync-conflict-20260101-101010-ABCDEFG.md': 'A/Note.md',
      "Note (Ann's conflicted copy 2026-01-01).md": 'Note.md',
      'Note (conflicted copy 2026-01-01 101010).md': 'Note.md',
      'Note (case conflict 1).md': 'Note.md',
      'Gone (conflict 2026-01-01 10.10).md': null,
    };
    const files = ['Note.md', 'A/Note.md', ...Object.keys(copies)].map((path) => [path, 'x\n']);
    await using opened = await openNotes(Object.fromEntries(files));
    expect(
      Object.fromEntries(conflictCopies(opened.view).map(({ copy, of }) => [copy.path, of?.path ?? null])),
    ).toEqual(copies);
    expect(conflictCopies(opened.vault.view({ ...allowAll, denyPaths: [parsePathRule('B')] }))).toEqual([]);
  });

  it.each([
    ['garden:\n  inbox: Drop\n  inbox_days: 3\n', ['Drop/a.md']],
    ['garden:\n  inbox: ["*.md"]\n  inbox_days: 3\n', ['c.md']],
    ['garden:\n  leave_out: 01 - Inbox\n', []],
    ['', ['01 - Inbox/b.md']],
  ])('takes the inbox that the owner names, else one called so: %j', async (settings, paths) => {
    const old = '---\nmodified: 2026-01-01\n---\nText.\n';
    await using opened = await openNotes({
      ...(settings === '' ? {} : { '.grove/vault.yaml': settings }),
      'Drop/a.md': old,
      '01 - Inbox/b.md': old,
      'Inboxes/d.md': old,
      'c.md': old,
    });
    const found = staleInbox(opened.view, NOW, opened.vault.garden);
    expect(found.map(({ row }) => row.path)).toEqual(paths);
  });
});
