import { type GivenTrailRules, parseTrailRules, trailViewRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import { countFor } from './count-for.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Garden club', trail: 't_garden' };

let vault: TestVault;
let guest: Scope;
beforeAll(async () => {
  vault = await openTestVault({
    'Garden/Beans.md': '---\ntags: [garden]\n---\nBeans climb poles.\n',
    'Garden/Peas.md': '---\ntags: [garden]\n---\nPeas climb too.\n',
    'Work/Salary.md': 'Beans are counted, and salaries climb.\n',
    'Work/Ladder.md': 'To climb it.\n',
  });
  guest = scopeOf({ allowTags: ['garden'] });
});
afterAll(() => vault.close());

function scopeOf(rules: GivenTrailRules): Scope {
  return vault.opened.scope(GUEST, trailViewRules(parseTrailRules(rules)), { scopes: ['read'], trail: true });
}

async function counted(tool: string, input: object, scope = guest): Promise<(number | null)[]> {
  const { structured } = await vault.call(tool, input, scope);
  const { found, later } = countFor(scope, tool, input, structured);
  return [found, await later()];
}

describe('what the audit keeps of a call', () => {
  it.each([
    ['query', { query: 'climb' }, [2, 2]],
    ['query', { query: 'beans' }, [1, 1]],
    ['query', { query: 'poles' }, [1, 0]],
    ['query', { query: 'climb', limit: 1 }, [1, 2]],
    ['query', { query: 'climb', return: 'passages' }, [2, 2]],
    ['query', { query: 'climb', folders: ['Garden'] }, [2, 0]],
    ['query', { query: 'climb', tags: ['-garden'] }, [0, 2]],
    ['query', { query: 'climb', where: { in: ['Garden/Peas.md', { var: 'links' }] } }, [0, 0]],
    ['query', { query: 'climb', where: { in: ['climb', { var: 'content' }] } }, [2, null]],
    ['query', { searches: [{ type: 'text', query: 'beans' }] }, [1, 1]],
    ['query', { searches: [{ type: 'regex', query: 'climb' }] }, [2, null]],
    ['query', { searches: [{ type: 'like', query: 'Garden/Peas.md' }] }, [1, null]],
    ['query', { query: 'climb', cursor: 'made up' }, [0, 2]],
    ['query', { limit: 3 }, [0, null]],
    ['get', { path: 'Garden/Beans.md' }, [1, 0]],
    ['get', { path: 'Work/Salary.md' }, [0, 1]],
    ['get', { path: 'salary' }, [0, 1]],
    ['get', { path: 'Nothing.md' }, [0, 0]],
    ['multi_get', { paths: ['Beans', 'Salary', 'Nothing'] }, [1, 1]],
    ['multi_get', { paths: '**/*.md' }, [2, 2]],
    ['list_notes', {}, [2, null]],
    ['list_notes', { of: 'tags' }, [null, null]],
    ['vault_status', {}, [null, null]],
  ])('%s %j: found and withheld', async (tool, input, counts) => {
    expect(await counted(tool, input)).toEqual(counts);
  });

  it('counts the tools of the search profile as what they stand for', async () => {
    const search = countFor(guest, 'search', { query: 'climb' }, { results: [{}, {}] });
    expect([search.found, await search.later()]).toEqual([2, 2]);
    const fetched = countFor(guest, 'fetch', { id: 'Salary' }, { error: { code: 'note_not_found' } });
    expect([fetched.found, await fetched.later()]).toEqual([0, 1]);
    const shown = countFor(guest, 'fetch', { id: 'Beans' }, { id: 'Garden/Beans.md' });
    expect([shown.found, await shown.later()]).toEqual([1, 0]);
  });

  it('counts nothing withheld of a caller that holds no trail, nor of what has no answer', async () => {
    expect(await counted('query', { query: 'climb' }, vault.scope)).toEqual([4, null]);
    const none = countFor(guest, 'query', undefined, null);
    expect([none.found, await none.later()]).toEqual([0, null]);
  });
});
