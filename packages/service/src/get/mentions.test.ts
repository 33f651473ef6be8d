import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';
import { get, getWhole } from './operation.ts';

const LONG = `${'Of many other things. '.repeat(300)}compost ${'and so on '.repeat(300)}`;
const MANY = 3_000;

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    '.obsidian/app.json': '{}',
    'Compost.md':
      '---\naliases: [Humus, "the \\"black\\" gold"]\n---\n# Compost heap\n\nCompost of compost.\n',
    'Prose.md': 'First line.\n\n  Turn   the COMPOST, then the compost heap.\n',
    'Alias.md': 'Good humus.\n',
    'Quoted.md': 'It is the "black" gold of all.\n',
    'Table.md': '| a | b |\n| --- | --- |\n| humus | x |\n',
    'Long line.md': LONG,
    'Late.md': `${'A line of six words here.\n'.repeat(2_000)}At last, humus.\n`,
    'Linked.md': 'The compost, see [[Compost]].\n',
    'No prose.md':
      '---\nabout: compost\n---\n## Compost\n\n`compost` <!-- compost --> #compost [compost](https://x.org)\n\n```\ncompost\n```\n',
    'Parts.md': 'Composted, decompost, compost.md, compost_x.\n',
    'Private/Diary.md': 'More humus.\n',
    'a.md': 'One letter.\n',
    'A/Twice.md': '',
    'B/Twice.md': '',
    'Names.md': 'Here is a word, and twice.\n',
    '園芸日記.md': '',
    '今日.md': '今日は園芸日記を書く。\n',
    'Templates/Daily log.md': '',
    '.obsidian/templates.json': '{"folder": "Templates"}',
    'Uses.md': 'A daily log.\n',
    'Fennel.md': 'A herb.\n',
    ...Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`Days/${i}.md`, `Fennel, day ${i}.\n`])),
  });
});
afterAll(() => vault.close());

const mentionsOf = (path: string, scope = vault.scope) =>
  vault.ok('get', { path, include: 'mentions' }, scope);
const pathsOf = ({ mentions }: { mentions: { path: string }[] }) => mentions.map(({ path }) => path).sort();

const NAMING = [
  'Alias.md',
  'Late.md',
  'Long line.md',
  'Private/Diary.md',
  'Prose.md',
  'Quoted.md',
  'Table.md',
];

describe('get with mentions', () => {
  it('lists the notes that name this one and do not link to it, where they first do', async () => {
    const answer = await mentionsOf('Compost');
    expect(pathsOf(answer)).toEqual(NAMING);
    expect(answer.mentions_total).toBe(NAMING.length);
    expect(answer.remarks).toEqual([]);
    expect(answer.mentions).toContainEqual({
      path: 'Prose.md',
      link: 'obsidian://open?vault=Garden&file=Prose',
      line: 3,
      context: 'Turn the COMPOST, then the compost heap.',
      text: 'COMPOST',
      replace: '[[Compost|COMPOST]]',
    });
    const of = (path: string) => answer.mentions.find((mention: { path: string }) => mention.path === path);
    expect(of('Quoted.md').replace).toBe('[[Compost|the "black" gold]]');
    expect(of('Table.md').replace).toBe('[[Compost\\|humus]]');
    expect(of('Late.md').line).toBe(2_001);
    expect(of('Long line.md').context).toMatch(/^….{0,80}\bcompost and so on .*…$/);
    expect(of('Long line.md').context.length).toBeLessThanOrEqual(202);
  });

  it('shows them as text', async () => {
    const { text } = await vault.call('get', { path: 'Compost', include: ['mentions'] });
    expect(text).toContain(`Mentioned without a link: ${NAMING.length}\n`);
    expect(text).toContain('- Alias.md, line 1: Good humus. ("humus" could be [[Compost|humus]])\n');
  });

  it.each([
    ['a.md', 'name of several notes: "a".'],
    ['A/Twice.md', 'name of several notes: "Twice".'],
    ['Templates/Daily log.md', 'name of several notes: "Daily log".'],
  ])('looks for no name that means nothing: %s', async (path, remark) => {
    const answer = await mentionsOf(path);
    expect(answer).toMatchObject({ mentions: [], mentions_total: 0 });
    expect(answer.remarks.join()).toContain(remark);
  });

  it('finds names in scripts without spaces', async () => {
    const { mentions } = await mentionsOf('園芸日記');
    expect(mentions).toMatchObject([{ path: '今日.md', line: 1, replace: '[[園芸日記]]' }]);
  });

  it('reads so many notes and no more, and says what it knows', async () => {
    const answer = await mentionsOf('Fennel');
    expect(answer.mentions.length).toBeGreaterThan(5);
    expect(answer).not.toHaveProperty('mentions_total');
    expect(answer.remarks).toEqual([
      'At least 40 notes mention it without a link: of at least 3,000 notes that hold a name of it, 40 were read.',
    ]);
    const whole = await getWhole(vault.scope, get.parse({ path: 'Fennel', include: ['mentions'] }));
    expect(whole.mentions).toHaveLength(500);
    expect(whole.remarks.join()).toContain('500 were read');
  });

  it('knows the notes of the View alone', async () => {
    const rules = { readPaths: [], writePaths: [], denyPaths: [parsePathRule('Private')], readOnly: false };
    const answer = await mentionsOf('Compost', vault.opened.scope(STDIO, rules, { scopes: ['read'] }));
    expect(pathsOf(answer)).toEqual(NAMING.filter((path) => !path.startsWith('Private')));
    const twins = { ...rules, denyPaths: [parsePathRule('B')] };
    const one = await mentionsOf('Twice', vault.opened.scope(STDIO, twins, { scopes: ['read'] }));
    expect(pathsOf(one)).toEqual(['Names.md']);
  });

  it('is of now only', async () => {
    const error = await vault.fail('get', { path: 'Compost', include: 'mentions', revision: 'previous' });
    expect(error).toMatchObject({ code: 'bad_input', name: 'include' });
    expect(error.message).toContain('"mentions"');
  });

  it('follows what notes say now', async () => {
    await vault.folder.write({ 'Alias.md': 'Good [[Compost|humus]].\n' });
    await vault.opened.vault.reconcile();
    expect(pathsOf(await mentionsOf('Compost'))).toEqual(NAMING.filter((path) => path !== 'Alias.md'));
    expect((await vault.ok('get', { path: 'Compost', include: 'backlinks' })).backlinks).toHaveLength(2);
  });
});

const ODD = [
  'Über Wald',
  'Well-being',
  "Ada's plan",
  'C++ notes',
  'snake_case name',
  'Straße 12',
  'The of and to',
  'Plan (old) B',
  'R&D notes',
  'v1.2 notes',
  'ΣΟΦΟΣ λόγος',
  'İstanbul',
  'ห้องสมุด',
  '日記 2026 メモ帳',
  '한국어 노트',
  'Naïve—garden',
  'नमस्ते दुनिया',
  'running dogs',
];
const SPELT: ((name: string) => string)[] = [
  (name) => name,
  (name) => name.toLowerCase(),
  (name) => name.toUpperCase(),
  (name) => name.normalize('NFD'),
  (name) => name.replaceAll(' ', '  '),
];

it('misses no note in which the rules find a name', async () => {
  const texts = ODD.flatMap((name, i) =>
    SPELT.map((spell, j): [string, string] => [`Texts/${i} ${j}.md`, `Word (${spell(name)}), word.\n`]),
  );
  await vault.folder.write({
    ...Object.fromEntries(ODD.map((name) => [`Odd/${name}.md`, ''])),
    ...Object.fromEntries(texts),
  });
  await vault.opened.vault.reconcile();
  const { view } = vault.scope;
  const missed: string[] = [];
  let found = 0;
  for (const name of ODD) {
    const path = `Odd/${name}.md`;
    const naming = texts.flatMap(([from, text]) => {
      const mentions = view.mentions(text, { start: 0, end: text.length });
      return mentions.some(({ notes }) => notes[0]?.path === path) ? [from] : [];
    });
    const shown = pathsOf((await getWhole(vault.scope, get.parse({ path, include: ['mentions'] }))) as never);
    found += naming.length;
    if (shown.join() !== naming.sort().join()) missed.push(`${name}: ${shown} not ${naming}`);
  }
  expect(missed).toEqual([]);
  expect(found).toBeGreaterThan(60);
});

it('lists of one answer share its room', async () => {
  const links = Array.from({ length: 300 }, (_, i) => `[[Missing note number ${i}]] and fennel`).join('\n');
  await vault.folder.write({ 'Full.md': `${links}\n` });
  await vault.opened.vault.reconcile();
  const alone = await vault.ok('get', { path: 'Full', include: ['links'] });
  const all = await vault.ok('get', { path: 'Full', include: ['links', 'backlinks', 'mentions', 'history'] });
  expect(all.links.length).toBeLessThan(alone.links.length);
  expect(all.links_total).toBe(300);
});

it('a context is the line, or the part of it around the link', async () => {
  await vault.folder.write({
    'Around.md': `${'🙂'.repeat(300)}[[Fennel]]${'🙂'.repeat(300)}\r\n\t- \t[[a]]\r\nfirst [[Fennel]] then [[Fennel|again]]`,
  });
  await vault.opened.vault.reconcile();
  const { links } = await vault.ok('get', { path: 'Around', include: 'links' });
  const [far, near] = links.map(({ context }: { context: string }) => context);
  expect(far).toMatch(/^…🙂+\[\[Fennel\]\]🙂+…$/u);
  expect(near).toBe('- [[a]]');
  const { backlinks } = await vault.ok('get', { path: 'Fennel', include: 'backlinks' });
  expect(backlinks.map(({ context }: { context: string }) => context)).toEqual([
    far,
    'first [[Fennel]] then [[Fennel|again]]',
  ]);
});
