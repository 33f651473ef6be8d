import { parseTrailRules, trailViewRules } from '@grove/trails';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Principal, Scope } from './contract.ts';
import { openTestVault, type TestVault } from './testing/opened.ts';
import { type RecordedCalls, recordCalls } from './testing/recorded-calls.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Guest', trail: 't_guest' };
/** As long as each other, and like no name of a note that is shown. */
const [HIDDEN, ABSENT, SHOWN] = ['zqhidden', 'zqabsent', 'zqvisibl'];
const CLUB = '---\ntags: [club]\n---\n';

let vault: TestVault;
let guest: Scope;
let record: RecordedCalls;
beforeAll(async () => {
  vault = await openTestVault(
    {
      [`Club/${SHOWN}.md`]: `${CLUB}Words, and a link to [[${HIDDEN}]] and [[${ABSENT}]].\n`,
      'Club/Other.md': `${CLUB}More words.\n`,
      [`Club/${HIDDEN}.md`]: `---\ntags: [club]\naliases: [${HIDDEN} too]\nprivate: true\n---\n# ${HIDDEN}\n\nSecret.\n`,
    },
    { writes: true, poll: 3_600_000 },
  );
  const rules = parseTrailRules({ allowTags: ['club'], writeFolders: ['Club'] });
  guest = vault.opened.scope(GUEST, trailViewRules(rules), { scopes: ['write'], trail: true });
  // Settings and git are glanced at from time to time, whatever is asked.
  record = recordCalls(vault.folder.root, (path) =>
    /^\.(?:git|grove|obsidian|foam|vscode)|^logseq/.test(path),
  );
});
afterAll(async () => {
  record[Symbol.dispose]();
  await vault.close();
});

const CALLS: readonly (readonly [tool: string, input: (name: string) => object])[] = [
  ['get', (name) => ({ path: `Club/${name}.md` })],
  ['get', (name) => ({ path: name })],
  ['get', (name) => ({ path: `${name}#${name}` })],
  ['get', (name) => ({ path: `${name} too` })],
  ['get', (name) => ({ path: `Club/${name}.md`, format: 'map' })],
  ['get', (name) => ({ path: `Club/${name}.md`, include: ['links', 'backlinks', 'history'] })],
  ['get', (name) => ({ path: `Club/${name}.md`, revision: 'previous' })],
  ['multi_get', (name) => ({ paths: [`Club/${name}.md`, name, `${name} too`] })],
  ['multi_get', (name) => ({ paths: `Club/${name}*` })],
  ['query', (name) => ({ query: name, explain: true })],
  ['query', (name) => ({ query: `title:${name}` })],
  ['query', (name) => ({ query: `"${name}"`, return: 'passages' })],
  ['query', (name) => ({ query: 'words', why: `Club/${name}.md` })],
  ['query', (name) => ({ searches: [{ type: 'like', query: `Club/${name}.md` }] })],
  ['query', (name) => ({ searches: [{ type: 'text', query: name }] })],
  ['query', (name) => ({ searches: [{ type: 'regex', query: name }] })],
  ['list_notes', (name) => ({ glob: `**/${name}.md` })],
  ['list_notes', (name) => ({ match: name })],
  ['vault_status', (name) => ({ path: `Club/${name}.md` })],
  ['vault_status', (name) => ({ path: name })],
  [
    'write_note',
    (name) => ({ action: 'edit', path: `Club/${name}.md`, edits: [{ find: 'a', replace: 'b' }] }),
  ],
  ['write_note', (name) => ({ action: 'replace', path: name, section: name, content: 'x', if_hash: '*' })],
  ['write_note', (name) => ({ action: 'tags', path: name, add: ['x'] })],
  ['write_note', (name) => ({ action: 'move', path: `Club/${name}.md`, to: 'Club/There.md', if_hash: '*' })],
  ['write_note', (name) => ({ action: 'delete', path: `Club/${name}.md`, if_hash: '*' })],
];

async function callsFor(tool: string, input: object, name: string): Promise<unknown> {
  record.take();
  const { text, structured } = await vault.call(tool, input, guest);
  const said = JSON.stringify({ calls: record.take(), text, structured });
  // The shown note links to both.
  return JSON.parse(said.replaceAll(name, 'NAME').replaceAll(HIDDEN, 'NAME').replaceAll(ABSENT, 'NAME'));
}

describe('what is done for a note that is hidden', () => {
  it.each(CALLS.map(([tool, input]) => [tool, JSON.stringify(input('NAME')), input] as const))(
    'is what is done for one that is not there: %s %s',
    async (tool, _, input) => {
      // Once for what is made when it is first asked for, such as the links of the View.
      await vault.call(tool, input(ABSENT), guest);
      const absent = await callsFor(tool, input(ABSENT), ABSENT);
      expect(await callsFor(tool, input(HIDDEN), HIDDEN)).toEqual(absent);
    },
  );

  it('is so by a record that sees what is done for one that is shown', async () => {
    const read = (await callsFor('get', { path: SHOWN }, SHOWN)) as { calls: string[] };
    expect(read.calls).toEqual(expect.arrayContaining(['lstatSync Club/NAME.md', 'openSync Club/NAME.md']));
    const searched = (await callsFor('query', { query: SHOWN }, SHOWN)) as { calls: string[] };
    expect(searched.calls.join()).toContain('engine.search');
    expect(searched.calls.join()).toContain('promises.lstat Club/NAME.md');
  });
});
