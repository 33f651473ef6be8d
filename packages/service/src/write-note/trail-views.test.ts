import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TrailRules, trailViewRules } from '@grove/trails';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Principal, Scope } from '../contract.ts';
import { openTestVault, type TestVault } from '../testing/opened.ts';
import { anyTrail, anyVault, SHARE_ALL } from '../testing/policies.ts';
import type { Files } from '../testing/vault-folder.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Guest', trail: 't_guest' };
/** Every folder of these vaults, so that what stands in the way of a write is what the note says. */
const WRITE_FOLDERS = ['Open', 'Private', 'Mixed', 'Écrits'];

const NAMES = [
  'Ash',
  'ash',
  'Birch',
  'Oak tree',
  'Heron',
  'Wolf',
  'Open/Ash.md',
  'Private/Birch.md',
  'Mixed/Heron.md',
  'Nobody',
];
const name = fc.constantFrom(...NAMES);
const words = fc.constantFrom('a fox came', 'see [[Ash]] and [[Birch]]', '#a of the heron', '#hidden/deep');

/** One call on a note that may be shown, hidden or missing. */
const call = fc.oneof(
  fc.record({ action: fc.constantFrom('append', 'prepend'), path: name, content: words }),
  fc.record({
    action: fc.constant('edit'),
    path: name,
    edits: fc.constant([{ find: 'fox', replace: 'vixen', all: true }]),
  }),
  fc.record({
    action: fc.constant('edit'),
    path: name,
    edits: fc.constant([{ find: 'no such words', replace: 'x' }]),
  }),
  fc.record({
    action: fc.constant('tags'),
    path: name,
    add: fc.constantFrom(['a'], ['only']),
    remove: fc.constantFrom([], ['b']),
  }),
  fc.record({
    action: fc.constant('frontmatter'),
    path: name,
    set: fc.constantFrom({ status: 'done' }, { private: true }, { type: 'tree' }),
  }),
  fc.record({
    action: fc.constant('write'),
    path: fc.constantFrom('Open/New.md', 'Mixed/New too.md'),
    content: fc.constantFrom('---\ntags: [a, b/c]\ntype: bird\n---\nNew, of [[Ash]].\n', 'Untagged.\n'),
    if_hash: fc.constant('*'),
    overwrite: fc.constant(true),
  }),
  fc.record({
    action: fc.constant('move'),
    path: name,
    to: fc.constantFrom('Open/Moved.md', 'Mixed/Sub/Moved.md'),
    if_hash: fc.constant('*'),
  }),
  fc.record({ action: fc.constant('delete'), path: name, if_hash: fc.constant('*') }),
);

function guestOf({ opened }: TestVault, rules: TrailRules): Scope {
  const given = trailViewRules({ ...rules, writeFolders: WRITE_FOLDERS });
  return opened.scope(GUEST, given, { scopes: ['write'], trail: true });
}

/** Notes of which a call comes to each of the outcomes, whatever else is tried. */
const KNOWN: [Files, TrailRules, object[]] = [
  {
    '.obsidian/app.json': '{}',
    'Open/Ash.md': '---\ntags: [a]\n---\nA fox.\n',
    'Oak tree.md': '---\ntags: [a]\n---\nA fox.\n',
  },
  { ...SHARE_ALL, allowTags: ['a'] },
  ['Open/Ash.md', 'Oak tree.md', 'Nobody'].map((path) => ({ action: 'tags', path, add: ['b'], remove: [] })),
];

/** How often calls came to what. */
const outcomes = new Map<string, number>();

/** What is told, without the ids of commits, which are of all that a vault holds. */
async function told(vault: TestVault, scope: Scope, input: object): Promise<unknown> {
  const { text, structured, error } = await vault.call('write_note', input, scope);
  outcomes.set(error?.code ?? 'done', (outcomes.get(error?.code ?? 'done') ?? 0) + 1);
  const known = JSON.stringify({ input, text, structured });
  return JSON.parse(
    known.replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT').replaceAll(/commit [0-9a-f]{7,12}\b/g, 'COMMIT'),
  );
}

describe('what a trail writes', () => {
  it('is answered as in a vault of nothing but the notes that it shows', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(
        anyVault,
        anyTrail,
        fc.array(call, { minLength: 1, maxLength: 8 }),
        async (files, rules, calls) => {
          const whole = await openTestVault(files, { writes: true });
          const guest = guestOf(whole, rules);
          const shown = guest.view.notes().map(({ diskPath }) => diskPath);
          const hidden = new Set(Object.keys(files).filter((path) => !shown.includes(path)));
          const visible: Files = {
            '.obsidian/app.json': '{}',
            ...Object.fromEntries(shown.map((path) => [path, files[path] ?? ''])),
          };
          const only = await openTestVault(visible, { writes: true });
          const other = guestOf(only, rules);
          try {
            for (const input of calls) {
              // A note cannot be made where a hidden one lies: that is told, and is the one thing that is.
              if (hidden.has(input.path) && (input.action === 'append' || input.action === 'prepend'))
                continue;
              expect(await told(whole, guest, input)).toEqual(await told(only, other, input));
            }
            const wasMoved = calls.some(({ action }) => action === 'move');
            // Behind a move the links of notes that a guest may not write are mended as the owner's, to whom a name may
            // mean a hidden note.
            const isCompared = (path: string): boolean =>
              !wasMoved || WRITE_FOLDERS.some((folder) => path.startsWith(`${folder}/`));
            const texts = (vault: TestVault, scope: Scope): string[][] =>
              scope.view
                .notes()
                .filter(({ path }) => isCompared(path))
                .map(({ path, diskPath }) => [path, readFileSync(join(vault.folder.root, diskPath), 'utf8')]);
            expect(texts(whole, guest)).toEqual(texts(only, other));
            // Grove mends links to a moved note in hidden notes too; of their own words nothing changes.
            for (const path of wasMoved ? [] : hidden)
              expect(readFileSync(join(whole.folder.root, path), 'utf8')).toBe(files[path]);
          } finally {
            await whole.close();
            await only.close();
          }
        },
      ),
      { numRuns: Number(process.env.GROVE_TEST_RUNS ?? 12), endOnFailure: true, examples: [KNOWN] },
    );
    // Calls that are all refused would prove little.
    for (const code of ['done', 'note_not_found', 'not_writable'])
      expect(outcomes.get(code) ?? 0).toBeGreaterThan(0);
  });
});
