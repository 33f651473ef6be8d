import { parseTrailRules, trailViewRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../../testing/opened.ts';

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    'Hub.md':
      '---\ntype: map\nplan: {owner: {name: Ada}, steps: [1, 2]}\n---\n[[Leaf]] [[Secret]] [[Nobody]] [[Nobody.md]]\n',
    'Leaf.md': '---\ntags: [a/b]\nstatus: [open]\n---\nBack to [[Hub]]. ![[leaf.png]]\n',
    'Private/Secret.md': '---\nprivate: true\n---\nthe word [[Leaf]]\n',
    'Broken.md': '---\nstatus: [\n---\nx\n',
  });
  await vault.folder.write({ 'Old.md': 'old\n' }, new Date('2020-05-01T10:00:00Z'));
  await vault.opened.vault.reconcile();
});
afterAll(() => vault.close());

const found = async (where: unknown, more: object = {}): Promise<string[]> =>
  (await vault.ok('list_notes', { where, sort: 'path', ...more })).notes.map(
    ({ path }: { path: string }) => path,
  );

describe('"where" of JSONLogic', () => {
  it.each<[unknown, readonly string[]]>([
    [{ '==': [{ var: 'type' }, 'map'] }, ['Hub.md']],
    [{ in: ['a/b', { var: 'tags' }] }, ['Leaf.md']],
    [{ '==': [{ var: 'frontmatter.plan.owner.name' }, 'Ada'] }, ['Hub.md']],
    [{ in: [2, { var: 'plan.steps' }] }, ['Hub.md']],
    [{ '!!': { var: 'frontmatter.plan' } }, ['Hub.md']],
    [{ some: [{ var: 'frontmatter' }, true] }, []],
    [{ '<': [{ var: 'created' }, '2021'] }, ['Old.md']],
    [{ '<': [{ var: 'stat.modified' }, '100d'] }, ['Old.md']],
    [{ '<': [{ '-': [{ var: 'modified' }, { var: 'created' }] }, 0] }, []],
    [{ '==': [{ substr: [{ var: 'modified' }, 0, 7] }, '2020-05'] }, ['Old.md']],
    [{ in: ['Nobody', { var: 'unresolved' }] }, ['Hub.md']],
    [{ '==': [{ var: 'unresolved.length' }, 1] }, ['Hub.md']],
    [{ '==': [{ var: ['frontmatter.nothing', 'else'] }, 'other'] }, []],
    [{ regexp: ['^Back', { var: 'content' }] }, ['Leaf.md']],
    [
      { and: [{ glob: ['**/S*', { var: 'path' }] }, { in: ['word', { var: 'content' }] }] },
      ['Private/Secret.md'],
    ],
    [{ '==': [{ var: 'stage' }, 'mature'] }, []],
    [{ '>': [{ max: [{ var: 'size' }, 5] }, 70] }, ['Hub.md']],
  ])('%j', async (where, expected) => expect(await found(where)).toEqual(expected));

  it.each<[object, readonly string[]]>([
    [{ links: 'Leaf.md' }, ['Hub.md', 'Private/Secret.md']],
    [{ backlinks: { contains: 'Hub.md' } }, ['Leaf.md', 'Private/Secret.md']],
    [{ unresolved: { exists: true }, type: 'map' }, ['Hub.md']],
    [{ unresolved: 'nobody' }, ['Hub.md']],
    [{ unresolved: { exists: true } }, ['Hub.md']],
    [{ links: null }, ['Broken.md', 'Old.md']],
    [{ tags: { exists: true } }, ['Leaf.md']],
    [{ stage: ['seed', 'sprout'], type: 'map' }, ['Hub.md']],
    [{ content: { contains: 'back to' } }, ['Leaf.md']],
  ])('field comparisons know the links, the stage and the text: %j', async (where, expected) =>
    expect(await found(where)).toEqual(expected),
  );

  it('narrows searches, and says what left a note out', async () => {
    const where = { in: ['Hub.md', { var: 'links' }] };
    const answer = await vault.ok('query', { query: 'hub', where, why: 'Hub' });
    expect(answer.hits.map(({ path }: { path: string }) => path)).toEqual(['Leaf.md']);
    expect(answer.why.reason).toContain('"where"');
  });

  it('knows the text as it was last seen on disk', async () => {
    const where = { in: ['word', { var: 'content' }] };
    await vault.folder.write({ 'Fresh.md': 'nothing yet\n' });
    await vault.opened.vault.reconcile();
    expect(await found(where)).toEqual(['Private/Secret.md']);
    await vault.folder.write({ 'Fresh.md': 'the other word\n' });
    await vault.opened.vault.reconcile();
    expect(await found(where)).toEqual(['Fresh.md', 'Private/Secret.md']);
    await vault.folder.write({ 'Fresh.md': '---\nthe: word\n---\nnothing\n' });
    await vault.opened.vault.reconcile();
    expect(await found(where)).toEqual(['Private/Secret.md']);
  });

  it('knows nothing of hidden notes', async () => {
    const trail = parseTrailRules({ allowPaths: ['**'] });
    const guest = { ...STDIO, kind: 'trail' as const };
    const scope = vault.opened.scope(guest, trailViewRules(trail), { scopes: ['read'], trail: true });
    const asked = async (where: unknown): Promise<string[]> =>
      (await vault.ok('list_notes', { where, sort: 'path' }, scope)).notes.map(
        ({ path }: { path: string }) => path,
      );
    expect(await asked({ in: ['Secret', { var: 'unresolved' }] })).toEqual(['Hub.md']);
    expect(await asked({ in: ['Private/Secret.md', { var: 'links' }] })).toEqual([]);
    expect(await asked({ in: ['Private/Secret.md', { var: 'backlinks' }] })).toEqual([]);
    expect(await asked({ backlinks: ['Private/Secret.md', 'Hub.md'] })).toEqual(['Leaf.md']);
    expect(await asked({ in: ['the word', { var: 'content' }] })).toEqual([]);
  });

  it('names the field that no note has', async () => {
    const { remarks } = await vault.ok('list_notes', { where: { '>': [{ var: 'frontmatter.colour' }, 3] } });
    expect(remarks).toEqual(['No note has the field "frontmatter.colour".']);
  });
});
