import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import type { Vault } from '../vault.ts';

/** Where each link of a note points, `-` for nowhere, by what is written between its brackets. */
function linksOf(vault: Vault, path: string): Record<string, string> {
  const view = vault.ownerView();
  const row = view.notes().find((note) => note.path === path)!;
  return Object.fromEntries(view.links(row).map(({ link, to }) => [link.target, to?.path ?? '-']));
}

const SAME_NAMES = {
  'Same.md': '',
  'A/Same.md': '',
  'A/Sub/Same.md': '',
  'B/Longer folder/Same.md': '',
  'A/Only here.md': '---\naliases: [Elsewhere]\n---\n',
  'B/Sub/Other.md': '',
};

describe('links in an Obsidian vault', () => {
  it('go to the same folder first, then below it, then along the shortest path', async () => {
    await using folder = await temporaryVault({
      '.obsidian/app.json': '{}',
      ...SAME_NAMES,
      'A/From.md': '[[Same]]',
      'A/Sub/From.md': '[[same.md]]',
      'B/From.md': '[[Same]]',
      'C/From.md': '[[Same]] [[A/Same]] [[Sub/Same]] [[Longer folder/Same]] [[ub/Same]]',
      'From.md': '[[Same]]',
    });
    const vault = await folder.open({ poll: true });
    expect(linksOf(vault, 'A/From.md')).toEqual({ Same: 'A/Same.md' });
    expect(linksOf(vault, 'A/Sub/From.md')).toEqual({ 'same.md': 'A/Sub/Same.md' });
    expect(linksOf(vault, 'B/From.md')).toEqual({ Same: 'B/Longer folder/Same.md' });
    expect(linksOf(vault, 'C/From.md')).toEqual({
      Same: 'Same.md',
      'A/Same': 'A/Same.md',
      'Sub/Same': 'A/Sub/Same.md',
      'Longer folder/Same': 'B/Longer folder/Same.md',
      'ub/Same': '-',
    });
    expect(linksOf(vault, 'From.md')).toEqual({ Same: 'Same.md' });
  });

  it('may be relative or absolute, never by alias, and `#Heading` is the note itself', async () => {
    await using folder = await temporaryVault({
      '.obsidian/app.json': '{}',
      ...SAME_NAMES,
      'A/From.md': '[[./Same]] [[../Same]] [[/Same]] [[/A/Sub/Same]] [[../../Same]] [[Elsewhere]] [[#Top]]\n',
    });
    expect(linksOf(await folder.open({ poll: true }), 'A/From.md')).toEqual({
      './Same': 'A/Same.md',
      '../Same': 'Same.md',
      '/Same': 'Same.md',
      '/A/Sub/Same': 'A/Sub/Same.md',
      '../../Same': '-',
      Elsewhere: '-',
      '': 'A/From.md',
    });
  });

  it('resolve bare names from every folder: a nested note does not make them relative', async () => {
    await using folder = await temporaryVault({
      '.obsidian/app.json': '{}',
      'Projects/Deep/Goal.md': '',
      'Ideas/From.md': '---\nup: "[[Goal]]"\nmore: ["[[Goal|g]]", "[[Missing]]"]\n---\n[[Goal]] ![[goal]]\n',
    });
    const vault = await folder.open({ poll: true });
    const view = vault.ownerView();
    const from = view.notes().find((row) => row.name === 'From')!;
    expect(view.links(from).map(({ link, to }) => `${link.kind} ${to?.path ?? '-'}`)).toEqual([
      'frontmatter Projects/Deep/Goal.md',
      'frontmatter Projects/Deep/Goal.md',
      'frontmatter -',
      'wikilink Projects/Deep/Goal.md',
      'embed Projects/Deep/Goal.md',
    ]);
  });

  it('written in Markdown are relative first, then as between brackets', async () => {
    await using folder = await temporaryVault({
      '.obsidian/app.json': '{}',
      ...SAME_NAMES,
      'B/From.md':
        '[a](Sub/Other.md) [b](Same.md) [c](../A/Only%20here.md) [d](<../A/Sub/Same.md>) [e](/Same.md)',
    });
    expect(linksOf(await folder.open({ poll: true }), 'B/From.md')).toEqual({
      'Sub/Other.md': 'B/Sub/Other.md',
      'Same.md': 'B/Longer folder/Same.md',
      '../A/Only here.md': 'A/Only here.md',
      '../A/Sub/Same.md': 'A/Sub/Same.md',
      '/Same.md': 'Same.md',
    });
  });

  it('break ties by the alphabet', async () => {
    await using folder = await temporaryVault({
      '.obsidian/app.json': '{}',
      'Y/Tie.md': '',
      'X/Tie.md': '',
      'Z/From.md': '[[Tie]]',
    });
    expect(linksOf(await folder.open({ poll: true }), 'Z/From.md')).toEqual({ Tie: 'X/Tie.md' });
  });
});

describe('links in a Logseq graph', () => {
  it('name pages by title, namespace, alias and journal date, and blocks by id', async () => {
    await using folder = await temporaryVault({
      'logseq/config.edn':
        '{:file/name-format :triple-lowbar ; not "this"\n :journal/page-title-format "EEEE, dd.MM.yyyy"}',
      'pages/Project___Grove.md': '- text\n  id:: 60531c23-238e-4748-9b19-27088f9c3771\n',
      'pages/What%3F.md': '',
      'pages/file.md': 'title:: A Page\nalias:: Seite, Leaf\n',
      'journals/2026_11_30.md': '- day',
      'pages/From.md':
        '- [[project/grove]] [[What?]] [[a page]] [[leaf]] [[Monday, 30.11.2026]] [[2026_11_30]] [[None]] [label]([[a page]])\n- ((60531c23-238e-4748-9b19-27088f9c3771))\n',
    });
    const vault = await folder.open({ poll: true });
    const view = vault.ownerView();
    const from = view.notes().find((row) => row.name === 'From')!;
    expect(view.links(from).map(({ to }) => to?.path ?? '-')).toEqual([
      'pages/Project___Grove.md',
      'pages/What%3F.md',
      'pages/file.md',
      'pages/file.md',
      'journals/2026_11_30.md',
      'journals/2026_11_30.md',
      '-',
      'pages/file.md',
      'pages/Project___Grove.md',
    ]);
    const grove = view.resolve('Project/Grove');
    expect(grove).toMatchObject({ kind: 'found', step: 'name', row: { name: 'Project/Grove' } });
    if (grove.kind === 'found') expect(view.backlinks(grove.row)).toHaveLength(2);
    expect(view.resolve('Sunday, 29.11.2026')).toEqual({
      kind: 'none',
      journal: 'journals/2026_11_29.md',
      template: null,
      page: null,
    });
    expect(view.resolve('2026-11-30')).toMatchObject({
      step: 'journal',
      row: { name: 'Monday, 30.11.2026' },
    });
  });
});

describe('links in a Foam or plain folder', () => {
  it('resolve identifiers by the end of the path, and definitions as paths', async () => {
    await using folder = await temporaryVault({
      '.vscode/settings.json': '{ // Foam\n "foam.edit.linkReferenceDefinitions": "withExtensions" }',
      'docs/todo.md': '',
      'tasks/todo.md': '',
      'notes/from.md': '[[tasks/todo]] [[todo]]\n\n[tasks/todo]: ../tasks/todo.md "Todo"\n',
    });
    const vault = await folder.open({ poll: true });
    expect(vault.dialect).toBe('foam');
    const view = vault.ownerView();
    const from = view.notes().find((row) => row.name === 'from')!;
    const found = view.links(from).map(({ link, to }) => `${link.kind} ${link.target} ${to?.path ?? '-'}`);
    expect(found).toContain('wikilink tasks/todo tasks/todo.md');
    expect(found).toContain('wikilink todo docs/todo.md');
    expect(found).toContain('definition ../tasks/todo.md tasks/todo.md');
  });

  it('are relative to the note first', async () => {
    await using folder = await temporaryVault({
      'a/target.md': '',
      'target.md': '',
      'a/from.md': '[x](target.md) [[target]] [y](other.md)',
      'b/other.md': '',
    });
    const vault = await folder.open({ poll: true });
    expect(vault.dialect).toBe('plain');
    expect(linksOf(vault, 'a/from.md')).toEqual({
      'target.md': 'a/target.md',
      target: 'a/target.md',
      'other.md': 'b/other.md',
    });
  });
});
