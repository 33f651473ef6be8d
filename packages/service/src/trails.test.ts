import { type GivenTrailRules, parseTrailRules, trailViewRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal } from './contract.ts';
import { serverInstructions } from './instructions.ts';
import { openTestVault, type TestVault } from './testing/opened.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Garden club', trail: 't_garden' };

describe('the scope of a trail', () => {
  let vault: TestVault;
  beforeAll(async () => {
    vault = await openTestVault({
      'Garden/Beans.md': '---\ntags: [garden/vegetables]\n---\nBeans climb.\n',
      'Garden/Diary.md': '---\ntags: [garden]\nprivate: true\n---\nBeans and sorrow.\n',
      'Garden/Broken.md': '---\ntags: [garden\n---\nBeans #garden\n',
      'Garden/Open.md': '---\ntags: [garden]\nBeans #garden\n',
      'Work/Salary.md': 'Beans are counted.\n',
    });
  });
  afterAll(() => vault.close());

  it('shows what its rules share, and nothing else', async () => {
    const rules = trailViewRules(parseTrailRules({ allowTags: ['Garden'] }));
    const scope = vault.opened.scope(GUEST, rules, { scopes: ['read'], trail: true });
    expect(scope.view.notes().map(({ path }) => path)).toEqual(['Garden/Beans.md']);
    const found = await vault.ok('query', { query: 'beans' }, scope);
    expect(found.hits.map(({ path }: { path: string }) => path)).toEqual(['Garden/Beans.md']);
    expect((await vault.fail('get', { path: 'Work/Salary.md' }, scope)).code).toBe('note_not_found');
    expect((await vault.fail('get', { path: 'Beans', revision: 'previous' }, scope)).code).toBe(
      'history_not_shared',
    );
  });
});

describe('the instructions of a trail', () => {
  const AGENTS = 'Answer in rhymes. #club\n';

  async function told(files: Record<string, string>, rules: GivenTrailRules): Promise<string> {
    const vault = await openTestVault(files);
    try {
      const given = trailViewRules(parseTrailRules(rules));
      return serverInstructions(vault.opened.scope(GUEST, given, { scopes: ['read'], trail: true }));
    } finally {
      await vault.close();
    }
  }

  it('hold AGENTS.md where the trail shows it, and never what the settings say', async () => {
    const settings = { '.grove/vault.yaml': 'instructions: Nothing of the merger.\n' };
    expect(await told({ 'AGENTS.md': AGENTS }, { allowTags: ['club'] })).toContain('Answer in rhymes');
    expect(await told({ 'AGENTS.md': AGENTS }, { allowTags: ['work'] })).not.toContain('rhymes');
    expect(
      await told({ 'AGENTS.md': `---\nprivate: true\n---\n${AGENTS}` }, { allowTags: ['club'] }),
    ).not.toContain('rhymes');
    expect(await told({ 'AGENTS.md': AGENTS, ...settings }, { allowTags: ['club'] })).not.toMatch(
      /merger|rhymes/,
    );
  });
});
