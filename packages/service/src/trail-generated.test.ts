import { parseTrailRules, trailViewRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal, Scope } from './contract.ts';
import { filesOf, GENERATED_TRAILS, generateNotes, isShownByOracle } from './testing/generated-vault.ts';
import { type Loose, openTestVault, type TestVault } from './testing/opened.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Guest', trail: 't_guest' };
const NOTES = generateNotes(1_000);

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault(filesOf(NOTES));
});
afterAll(() => vault.close());

/** What a paged call answers on all of its pages. */
async function allOf(name: string, input: object, scope: Scope, list: string): Promise<string[]> {
  const paths: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const page: Loose = await vault.ok(
      name,
      { ...input, ...(cursor === undefined ? {} : { cursor }) },
      scope,
    );
    paths.push(...page[list].map(({ path }: Loose) => path));
    cursor = page.cursor;
    if (cursor === undefined) return paths.sort();
  }
}

describe.each(GENERATED_TRAILS.map((given) => [JSON.stringify(given), given] as const))(
  'a trail of %s over a thousand generated notes',
  (_, given) => {
    const shown = NOTES.filter((note) => isShownByOracle(given, note)).map(({ path }) => path);
    const hidden = NOTES.filter((note) => !isShownByOracle(given, note)).map(({ path }) => path);

    it('shows what the oracle says, and nothing else', { timeout: 240_000 }, async () => {
      const rules = parseTrailRules(given);
      const scope = vault.opened.scope(GUEST, trailViewRules(rules), { scopes: ['read'], trail: true });
      const wanted = [...shown].sort();
      expect(await allOf('list_notes', { limit: 200 }, scope, 'notes')).toEqual(wanted);
      expect(await allOf('query', { query: 'common', limit: 50, max_chars: 500 }, scope, 'hits')).toEqual(
        wanted,
      );
      const literal = { searches: [{ type: 'text', query: 'common' }], limit: 5 };
      expect((await vault.ok('query', literal, scope)).total).toBe(wanted.length);
      expect((await vault.ok('vault_status', {}, scope)).notes).toBe(wanted.length);
      expect(
        vault.opened
          .preview(rules)
          .visible.map(({ path }) => path)
          .sort(),
      ).toEqual(wanted);
      for (const path of wanted.filter((_path, at) => at % 31 === 0)) {
        const {
          links = [],
          backlinks = [],
          mentions = [],
        } = await vault.ok('get', { path, include: ['links', 'backlinks', 'mentions'] }, scope);
        for (const { to = null } of links) if (to !== null) expect(shown).toContain(to);
        for (const { path: from } of [...backlinks, ...mentions]) expect(shown).toContain(from);
      }
      for (const path of hidden.filter((_path, at) => at % 31 === 0)) {
        expect((await vault.fail('get', { path }, scope)).code).toBe('note_not_found');
        expect(vault.opened.preview(rules).verdictOf(path)?.visible).toBe(false);
      }
    });
  },
);
