import { NO_TRAIL_RULES, trailViewRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Loose, openTestVault, STDIO, type TestVault } from '../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    '.obsidian/app.json': '{}',
    'Projects/Roof.md': [
      '---\ntype: project\nstatus: active\nlist: ["- [ ] no task"]\n---',
      '- [ ] Call the roofer 📅 2026-12-05',
      '  - [/] Measure the beams [due:: 2026-12-01]',
      '- [x] Buy nails',
      '- [-] Paint it',
      '```\n- [ ] in code\n```',
      '%%\n- [ ] in a comment\n%%\n',
    ].join('\n'),
    'Garden.md': '#garden\n\n- [ ] Sow ⏳ 2026-11-01\n- [?] Ask about the **hedge**\n',
    'Empty.md': 'nothing to do\n',
    'Private/Secret.md': '---\nprivate: true\n---\n- [ ] hidden\n',
    'Many.md': Array.from({ length: 500 }, (_, index) => `- [x] number ${index}`).join('\n'),
    'Long.md': `- [x] ${'word '.repeat(5_000)}\n`,
  });
});
afterAll(() => vault.close());

const list = (input: object = {}): Promise<Loose> => vault.ok('list_notes', { of: 'tasks', ...input });
const texts = (answer: Loose): string[] => answer.tasks.map(({ text }: Loose) => text);

describe('list_notes of tasks', () => {
  it('lists what is not over, by the day it is due', async () => {
    const answer = await list();
    expect(answer).toMatchObject({ of: 'tasks', total: 5, notes_total: 6 });
    expect(answer.tasks[0]).toEqual({
      path: 'Projects/Roof.md',
      link: 'obsidian://open?vault=Garden&file=Projects%2FRoof',
      line: 7,
      text: 'Measure the beams [due:: 2026-12-01]',
      state: 'in_progress',
      mark: '/',
      due: '2026-12-01',
    });
    expect(answer.tasks.slice(1).map(({ path, line }: Loose) => `${path}:${line}`)).toEqual([
      'Projects/Roof.md:6',
      'Garden.md:3',
      'Garden.md:4',
      'Private/Secret.md:4',
    ]);
    expect(answer.tasks[2].scheduled).toBe('2026-11-01');
    expect(answer.remarks).toEqual(['503 more are done or cancelled: states "all" lists them too.']);
  });

  it('reads as a list of tasks', async () => {
    const { text } = await vault.call('list_notes', { of: 'tasks', folder: 'Projects', states: 'all' });
    expect(text.split('\n')).toEqual([
      '4 tasks among 1 note.',
      '- [/] Measure the beams [due:: 2026-12-01] · due 2026-12-01 · Projects/Roof.md, line 7',
      '- [ ] Call the roofer 📅 2026-12-05 · due 2026-12-05 · Projects/Roof.md, line 6',
      '- [x] Buy nails · Projects/Roof.md, line 8',
      '- [-] Paint it · Projects/Roof.md, line 9',
      expect.stringMatching(/^Links: /),
    ]);
  });

  it.each<[object, readonly string[]]>([
    [{ states: 'done', folder: 'Projects' }, ['Buy nails']],
    [{ states: ['canceled', 'In progress'] }, ['Measure the beams [due:: 2026-12-01]', 'Paint it']],
    [{ match: '^(sow|ask)\\b' }, ['Sow ⏳ 2026-11-01', 'Ask about the **hedge**']],
    [{ tags: 'garden', sort: 'path', match: 'hedge' }, ['Ask about the **hedge**']],
    [{ types: 'project', sort: '-due', states: 'open' }, ['Call the roofer 📅 2026-12-05']],
    [{ where: { status: 'active' }, match: 'roofer' }, ['Call the roofer 📅 2026-12-05']],
    [{ where: { '!': [{ var: 'type' }] }, folders: 'Private' }, ['hidden']],
    [{ glob: 'Empty*' }, []],
    [{ after: '2027' }, []],
  ])('narrows by %j', async (input, expected) => expect(texts(await list(input))).toEqual(expected));

  it('shows fields of their notes', async () => {
    const { tasks } = await list({ match: 'roofer', fields: ['status', 'type'] });
    expect(tasks[0].fields).toEqual({ status: 'active', type: 'project' });
  });

  it('pages to the end without losing or doubling one', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await list({ states: 'all', limit: 150, ...(cursor === undefined ? {} : { cursor }) });
      seen.push(...answer.tasks.map(({ path, line }: Loose) => `${path}:${line}`));
      expect(answer.total).toBe(508);
      cursor = answer.cursor;
    } while (cursor !== undefined);
    expect(new Set(seen).size).toBe(508);
    expect(seen).toHaveLength(508);
  });

  it('follows a note that changes', async () => {
    await vault.folder.write({ 'Changing.md': '- [ ] wombat\n' });
    await vault.opened.vault.reconcile();
    expect(texts(await list({ match: 'wombat' }))).toEqual(['wombat']);
    await vault.folder.write({ 'Changing.md': '- [x] wombat\n' }, new Date('2026-11-25T10:00:00Z'));
    await vault.opened.vault.reconcile();
    expect(texts(await list({ match: 'wombat' }))).toEqual([]);
    expect(texts(await list({ match: 'wombat', states: 'done' }))).toEqual(['wombat']);
  });

  it('judges the notes of its page again by what is on disk now', async () => {
    const trail = vault.opened.scope(STDIO, trailViewRules({ ...NO_TRAIL_RULES, allowPaths: ['Seen'] }));
    const seen = async (): Promise<string[]> => {
      const { tasks } = await vault.ok('list_notes', { of: 'tasks', sort: 'path' }, trail);
      const { notes } = await vault.ok('list_notes', { of: 'notes', sort: 'path' }, trail);
      return [...texts({ tasks }), ...notes.map(({ path }: Loose) => path)];
    };
    await vault.folder.write({ 'Seen/A.md': '- [ ] quokka\n', 'Seen/B.md': '- [ ] numbat\n' });
    await vault.opened.vault.reconcile();
    expect(await seen()).toEqual(['quokka', 'numbat', 'Seen/A.md', 'Seen/B.md']);
    const later = new Date('2026-11-26T10:00:00Z');
    await vault.folder.write({ 'Seen/A.md': '---\nprivate: true\n---\n- [ ] quokka\n' }, later);
    await vault.folder.write({ 'Seen/B.md': '- [ ] bilby\n' }, later);
    expect(await seen()).toEqual(['bilby', 'Seen/B.md']);
    await vault.folder.write({ 'Seen/B.md': '---\nprivate: true\n---\n- [ ] bilby\n' });
    expect((await vault.ok('list_notes', {}, trail)).total).toBe(0);
  });

  it.each([
    [{ states: 'opens' }, 'did you mean "open"'],
    [{ states: 'later' }, 'open, in_progress, done, cancelled or all'],
    [{ sort: 'count' }, 'due, modified'],
    [{ match: '(' }, 'regular expression'],
    [{ of: 'notes', states: 'open' }, 'of: tasks'],
    [{ of: 'notes', sort: 'due' }, 'modified'],
  ])('teaches what fits instead of %j', async (input, words) =>
    expect((await vault.fail('list_notes', { of: 'tasks', ...input })).message).toContain(words),
  );
});

it('reads the keywords and days of a Logseq graph', async () => {
  const graph = await openTestVault({
    'logseq/config.edn': '{}',
    'pages/Work.md':
      '- LATER Write\n  SCHEDULED: <2026-11-30 Mon>\n\t- NOW Think\n\t  DEADLINE: <2026-12-01 Tue>\n- DONE Rest\n',
  });
  try {
    const { tasks } = await graph.ok('list_notes', { of: 'tasks' });
    expect(tasks).toMatchObject([
      { text: 'Think', state: 'in_progress', mark: 'NOW', due: '2026-12-01' },
      { text: 'Write', state: 'open', mark: 'LATER', scheduled: '2026-11-30' },
    ]);
    expect((await graph.call('list_notes', { of: 'tasks' })).text).toContain('- NOW Think · due 2026-12-01');
  } finally {
    await graph.close();
  }
});
