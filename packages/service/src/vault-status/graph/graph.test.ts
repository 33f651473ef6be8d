import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../../testing/opened.ts';

const FILES = {
  '.obsidian/app.json': '{}',
  'Compost.md': 'From [[Kitchen waste]] and [[Soil]]. See [[Worms]] and [[Heap]].\n',
  'Kitchen waste.md': '---\ntitle: What the kitchen leaves\n---\n[[Compost]]\n',
  'Soil.md': '[[Beds]] [[Worms]]\n',
  'Beds.md': '[[Soil]] [[Beds]] [[Rain]]\n',
  'Private/Debts.md': '[[Compost]] [[Alone]] [[Worms]] [[Secret]]\n',
  'Alone.md': 'Nothing.\n',
};

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(FILES, { writes: true });
});
afterAll(() => vault.close());

const narrow = () =>
  vault.opened.scope(STDIO, {
    readPaths: [],
    writePaths: [],
    denyPaths: [parsePathRule('Private')],
    readOnly: false,
  });

const graph = (input: object = {}, scope = vault.scope) =>
  vault.ok('vault_status', { mode: 'graph', ...input }, scope);

describe('vault_status graph', () => {
  it('tells of the whole', async () => {
    const answer = await graph();
    expect(answer).toMatchObject({
      mode: 'graph',
      notes: 6,
      links: 7,
      density: 7 / 30,
      orphans: [],
      orphans_total: 0,
      components_total: 1,
      bridges: {
        state: 'exact',
        notes: [
          { path: 'Compost.md', share: 0.8 },
          { path: 'Private/Debts.md', share: 0.4 },
          { path: 'Soil.md', share: 0.4 },
        ],
      },
      unresolved: [
        { target: 'Worms', asked_by: 3, examples: ['Compost.md', 'Private/Debts.md', 'Soil.md'] },
        { target: 'Heap', asked_by: 1, examples: ['Compost.md'] },
        { target: 'Rain', asked_by: 1 },
        { target: 'Secret', asked_by: 1 },
      ],
      unresolved_total: 4,
    });
    expect(answer.most_connected[0]).toMatchObject({ path: 'Compost.md', links: 2, backlinks: 2 });
    expect(answer.most_connected[0].link).toContain('obsidian://');
  });

  it('is text that stands alone', async () => {
    const { text } = await vault.call('vault_status', { mode: 'graph', limit: 2 });
    expect(text.split('\n')).toEqual([
      'Vault "Garden" as a graph: 6 notes, 7 links, density 0.23.',
      'Most connected:',
      '- Compost.md: 2 backlinks, 2 links',
      '- Soil.md: 2 backlinks, 1 link',
      'Bridges (share of shortest ways that lead through):',
      '- Compost.md: 80 %',
      '- Private/Debts.md: 40 %',
      '- and 1 more',
      'Groups that hang together: 1',
      '- 6 notes, such as Alone.md, Beds.md, Compost.md',
      'Linked to and not there: 4',
      '- Worms: asked for by 3 notes, such as Compost.md, Private/Debts.md, Soil.md',
      '- Heap: asked for by 1 note, such as Compost.md',
      '- and 2 more',
    ]);
  });

  it('tells a narrower View only of its own notes', async () => {
    const answer = await graph({}, narrow());
    expect(answer).toMatchObject({ notes: 5, links: 5, orphans: ['Alone.md'], unresolved_total: 3 });
    expect(answer.unresolved[0]).toEqual({
      target: 'Worms',
      asked_by: 2,
      examples: ['Compost.md', 'Soil.md'],
    });
    expect(JSON.stringify(answer)).not.toMatch(/Debts|Secret/);
    expect((await vault.fail('vault_status', { mode: 'graph', path: 'Debts' }, narrow())).code).toBe(
      'note_not_found',
    );
  });

  it('tells what is near a note, and how it was reached', async () => {
    const near = await graph({ path: 'beds', depth: 2 });
    expect(near.center).toMatchObject({ path: 'Beds.md', links: 1, backlinks: 1 });
    expect(near.neighbours).toMatchObject([
      { path: 'Soil.md', distance: 1, via: 'Beds.md', way: 'both' },
      { path: 'Compost.md', distance: 2, via: 'Soil.md', way: 'from' },
    ]);
    expect(near).not.toHaveProperty('most_connected');
    const { text } = await vault.call('vault_status', { mode: 'graph', path: 'Compost', limit: 2 });
    expect(text.split('\n').slice(1)).toEqual([
      'Compost.md: 2 backlinks, 2 links.',
      '- 1 · Soil.md: linked from Compost.md',
      '- 1 · Kitchen waste.md (What the kitchen leaves): linked both ways with Compost.md',
      '- and 1 more: a higher limit shows more of them, a smaller depth fewer',
    ]);
  });

  it('tells a shortest way between two notes, links followed either way', async () => {
    const { route } = await graph({ path: 'Alone', to: 'Beds' });
    expect(route).toMatchObject([
      { path: 'Alone.md' },
      { path: 'Private/Debts.md', way: 'from' },
      { path: 'Compost.md', way: 'to' },
      { path: 'Soil.md', way: 'to' },
      { path: 'Beds.md', way: 'both' },
    ]);
    expect((await vault.call('vault_status', { mode: 'graph', path: 'Alone', to: 'Beds' })).text).toContain(
      '4 links apart (→ links to, ← is linked from, ↔ both):\n- Alone.md\n- ← Private/Debts.md\n- → Compost.md',
    );
    expect((await graph({ path: 'Soil', to: 'Soil' })).route).toHaveLength(1);
    const none = await vault.call('vault_status', { mode: 'graph', path: 'Alone', to: 'Beds' }, narrow());
    expect(none.structured).toMatchObject({ route: null });
    expect(none.text).toContain('No links lead from one to the other.');
  });

  it('names near notes where a name fits none, and refuses what a mode does not take', async () => {
    for (const input of [{ path: 'Compos' }, { path: 'Soil', to: 'Compos' }])
      expect(await vault.fail('vault_status', { mode: 'graph', ...input })).toMatchObject({
        code: 'note_not_found',
        nearest: expect.arrayContaining(['Compost.md']),
      });
    for (const [input, words] of [
      [{ mode: 'graph', to: 'Soil' }, '"to" needs "path"'],
      [{ mode: 'graph', depth: 2 }, '"depth" needs "path"'],
      [{ mode: 'graph', path: 'Soil', to: 'Beds', depth: 2 }, 'send "to"'],
      [{ mode: 'graph', cursor: 'x' }, '"cursor" is for mode history'],
      [{ depth: 2, path: 'Soil' }, '"depth" is for mode graph'],
      [{ limit: 2 }, '"limit" is for mode history or graph or digest or diagnostics'],
      [{ mode: 'graph', path: 'Soil', depth: 11 }, 'depth'],
    ] as const)
      expect(await vault.fail('vault_status', input)).toMatchObject({
        code: 'bad_input',
        message: expect.stringContaining(words),
      });
  });

  it('shows what was just written', async () => {
    await vault.ok('write_note', { path: 'Worms.md', content: 'They make [[Soil]] from [[Compost]].\n' });
    const { links, unresolved } = await graph();
    expect([links, unresolved[0].target]).toEqual([12, 'Heap']);
    const { source_hash: if_hash } = await vault.ok('get', { path: 'Worms.md' });
    await vault.ok('write_note', { path: 'Worms.md', action: 'delete', if_hash });
    expect((await graph()).links).toBe(7);
  });

  it('stays within its bounds where names are long and one note links to 5,000', async () => {
    const long = (at: number) => `${'a rather long name '.repeat(8)}${at}`;
    const many = await openTestVault({
      ...Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`${long(at)}.md`, '[[Hub]]\n'])),
      ...Object.fromEntries(
        Array.from({ length: 300 }, (_, at) => [`${'deep/'.repeat(30)}c${at}.md`, `[[c${at + 1}]]\n`]),
      ),
      'Hub.md': Array.from({ length: 5_000 }, (_, at) => `[[${long(at)}]]`).join('\n'),
    });
    try {
      const whole = await many.ok('vault_status', { mode: 'graph', limit: 100 });
      expect(whole.unresolved_total).toBe(4_701);
      const near = await many.ok('vault_status', { mode: 'graph', path: 'Hub', depth: 10, limit: 100 });
      expect(near.neighbours_total).toBe(300);
      expect(near.neighbours.length).toBeLessThan(100);
      const end = await many.call('vault_status', { mode: 'graph', path: 'c0', to: 'c299' });
      expect(end.structured.route_total).toBe(300);
      expect(end.text).toMatch(/\n299 links apart [\s\S]*\n- and \d+ more$/);
    } finally {
      await many.close();
    }
  });
});
