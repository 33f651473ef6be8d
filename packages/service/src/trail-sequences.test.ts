import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { contentHash } from '@grove/core';
import { parseTrailRules, trailViewRules } from '@grove/trails';
import type { NoteRow } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Principal, Scope } from './contract.ts';
import { canary } from './testing/canary.ts';
import { openTestVault, type TestVault } from './testing/opened.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_guest', name: 'Guest', trail: 't_guest' };
const RULES = trailViewRules(
  parseTrailRules({ allowTags: ['club'], denyTypes: ['salary'], denyPaths: ['Shut'] }),
);

/** What a note may become, whether a trail may show that, and how it is written around its one word. */
const FORMS = {
  open: [true, (word: string) => `---\ntags: [club]\n---\nMet ${word} there.\n`],
  inline: [true, (word: string) => `#club met ${word}.\n`],
  nested: [true, (word: string) => `---\ntags: club/books\nprivate: false\n---\n${word}\n`],
  private: [false, (word: string) => `---\ntags: [club]\nprivate: true\n---\nMet ${word} there.\n`],
  untagged: [false, (word: string) => `Met ${word} there, of no club.\n`],
  typed: [false, (word: string) => `---\ntags: [club]\ntype: Salary\n---\n${word}\n`],
  broken: [false, (word: string) => `---\ntags: [club\n---\n#club ${word}\n`],
  unclosed: [false, (word: string) => `---\ntags: [club]\n\n#club ${word}\n`],
  // As programs do that write a file anew; what it says then, nobody knows.
  empty: [false, () => ''],
} as const satisfies Record<string, readonly [boolean, (word: string) => string]>;

type Form = keyof typeof FORMS;

const NAMES = ['One', 'Two', 'Three'];
const FOLDERS = ['Club', 'Club/Deep', 'Shut'];

const note = fc.constantFrom(...NAMES);
const change = fc.oneof(
  fc.record({
    do: fc.constant('write' as const),
    note,
    form: fc.constantFrom(...(Object.keys(FORMS) as Form[])),
  }),
  fc.record({ do: fc.constant('move' as const), note, folder: fc.constantFrom(...FOLDERS) }),
  fc.record({ do: fc.constant('delete' as const), note }),
);
type Change = typeof change extends fc.Arbitrary<infer T> ? T : never;

/** Some changes: what is called while they are made, and whether Grove is told of them afterwards. */
const step = fc.record({
  changes: fc.array(change, { maxLength: 3 }),
  during: fc.boolean(),
  told: fc.boolean(),
  ask: fc.nat({ max: 1_000 }),
});

/** The folder beside the vault that its test writes, and every word that it ever put somewhere. */
class World {
  readonly #root: string;
  readonly #at = new Map<string, { readonly path: string; readonly form: Form }>();
  #versions = 0;
  /** Words of texts that a trail may show. */
  readonly shown = new Set<string>();
  /** Words of texts that it may not. */
  readonly hidden = new Set<string>();
  /** Content hashes with paths at which a trail may show them. */
  readonly admitted = new Set<string>();
  /** Paths at which there ever was something to see. */
  readonly seen = new Set<string>();

  constructor(root: string) {
    this.#root = root;
  }

  make(made: Change): void {
    const now = this.#at.get(made.note);
    if (made.do === 'delete') {
      if (now !== undefined) rmSync(join(this.#root, now.path));
      this.#at.delete(made.note);
    } else if (made.do === 'move') {
      if (now === undefined) return;
      const path = `${made.folder}/${made.note}.md`;
      mkdirSync(dirname(join(this.#root, path)), { recursive: true });
      // Read anew on the way: a text that moves out of a shared folder is hidden from then on, and was not before.
      this.#write(made.note, path, now.form, now.path);
    } else this.#write(made.note, now?.path ?? `Club/${made.note}.md`, made.form, null);
  }

  #write(name: string, path: string, form: Form, from: string | null): void {
    const [isShown, textOf] = FORMS[form];
    this.#versions += 1;
    const word = canary(`${this.#versions} ${name}`);
    const text = textOf(word);
    const isOpen = isShown && !path.startsWith('Shut/');
    (isOpen ? this.shown : this.hidden).add(word);
    if (isOpen) this.admitted.add(`${path} ${contentHash(Buffer.from(text))}`);
    // What has been empty for long is no secret.
    if (isOpen || (form === 'empty' && !path.startsWith('Shut/'))) this.seen.add(path);
    mkdirSync(dirname(join(this.#root, path)), { recursive: true });
    if (from !== null && from !== path) renameSync(join(this.#root, from), join(this.#root, path));
    writeFileSync(join(this.#root, path), text);
    this.#at.set(name, { path, form });
  }

  /** True for what a trail may be shown. */
  mayShow({ path, contentHash: hash }: NoteRow): boolean {
    return this.admitted.has(`${path} ${hash}`);
  }
}

function callsOf(world: World): [string, object][] {
  const words = [...world.hidden].slice(-3).concat([...world.shown].slice(-2));
  return [
    ...words.flatMap((word): [string, object][] => [
      ['query', { query: word, explain: true }],
      ['query', { query: `met ${word}`, return: 'passages' }],
      ['query', { searches: [{ type: 'text', query: word.slice(2) }] }],
      ['query', { searches: [{ type: 'regex', query: word.slice(3) }] }],
    ]),
    ['query', { query: 'met there', limit: 50 }],
    ...NAMES.flatMap((name): [string, object][] => [
      ['get', { path: name, include: ['links', 'backlinks'] }],
      ['get', { path: `Club/${name}.md`, format: 'raw' }],
      ['get', { path: `Shut/${name}.md` }],
      ['query', { searches: [{ type: 'like', query: name }] }],
      ['vault_status', { path: name }],
      ['query', { query: 'met', why: `Club/${name}.md` }],
    ]),
    ['multi_get', { paths: '**/*.md' }],
    ['list_notes', { fields: ['tags', 'type', 'private'] }],
    ['list_notes', { of: 'folders' }],
    ['vault_status', {}],
  ];
}

/** Asks, and looks for words that only what is hidden holds. */
async function expectNothingHidden(
  vault: TestVault,
  guest: Scope,
  world: World,
  call: [string, object],
): Promise<void> {
  const [name, input] = call;
  const answer = await vault.call(name, input, guest);
  const said = JSON.stringify([answer.text, answer.structured]);
  const asked = JSON.stringify(input);
  for (const word of world.hidden) if (!asked.includes(word)) expect(said, asked).not.toContain(word);
  const { hits = [], passages = [] } = answer.structured as { hits?: unknown[]; passages?: unknown[] };
  const isAskingHidden = 'query' in input && world.hidden.has(String(input.query));
  if (isAskingHidden) expect([...hits, ...passages], asked).toEqual([]);
}

describe('a trail while notes turn private, move, break and come back', () => {
  it('never shows a text that is not for it', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 10 }), async (steps) => {
        // Nobody tells Grove of a change but the test: what a call meets, it finds out itself.
        const vault = await openTestVault({ 'Other.md': '#club and more\n' }, { poll: 3_600_000 });
        const guest = vault.opened.scope(GUEST, RULES, { scopes: ['read'], trail: true });
        const world = new World(vault.folder.root);
        world.seen.add('Other.md');
        const heard: string[] = [];
        const stop = guest.view.onChange((changes) => {
          for (const { before, after } of changes)
            heard.push(...[before, after].flatMap((row) => row?.path ?? []));
          for (const { after } of changes)
            if (after !== null && after.path !== 'Other.md' && after.size > 0)
              expect(world.mayShow(after), after.path).toBe(true);
        });
        try {
          for (const { changes, during, told, ask } of steps) {
            const calls = callsOf(world);
            const [call] = calls.slice(ask % calls.length);
            const running =
              during && call !== undefined ? expectNothingHidden(vault, guest, world, call) : null;
            for (const one of changes) world.make(one);
            await running;
            if (told) await vault.opened.vault.reconcile();
            if (call !== undefined) await expectNothingHidden(vault, guest, world, call);
          }
          for (const call of callsOf(world)) await expectNothingHidden(vault, guest, world, call);
          expect(heard.filter((path) => !world.seen.has(path))).toEqual([]);
        } finally {
          stop();
          await vault.close();
        }
      }),
      { numRuns: Number(process.env.GROVE_TEST_RUNS ?? 20), endOnFailure: true },
    );
  });
});
