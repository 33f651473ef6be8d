import { openOpenAiCompatible, vectorStores } from '@grove/embeddings';
import { type EmbeddingServer, startEmbeddingServer } from '@grove/embeddings/testing';
import { makeFolder } from '@grove/testing';
import { parsePathRule, type ViewRules } from '@grove/vault';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openTestVault, STDIO, type TestVault } from '../testing/opened.ts';
import { anyRules, anyVault } from '../testing/policies.ts';
import type { Files } from '../testing/vault-folder.ts';
import type { Embedding } from './contract.ts';

/** Leaves out nothing, and is still not the owner's View. */
const ALL: ViewRules = {
  readPaths: [],
  writePaths: [],
  denyPaths: [parsePathRule('no such folder')],
  readOnly: false,
};

const CALLS: readonly (readonly [string, object])[] = [
  ...['fox', 'badger lynx running', '-fox heron', 'tag:a ash', '"ash fox"', '日本語'].map(
    (query): [string, object] => ['query', { query, explain: true, limit: 4 }],
  ),
  ...(['vec', 'hyde', 'like'] as const).flatMap((type) =>
    ['heron', 'Ash', 'Private/Ash', 'see Birch and fox'].map((query): [string, object] => [
      'query',
      { searches: [{ type, query }], explain: true, limit: 50 },
    ]),
  ),
  ['query', { query: 'fox', searches: [{ type: 'hyde', query: 'A heron and a lynx.' }], explain: true }],
  ['query', { query: 'running heron', return: 'passages', limit: 4 }],
  ['query', { query: 'fox', folders: ['Private', 'Open'], explain: true }],
  ['query', { query: 'heron', why: 'Private/Ash.md' }],
  ['query', { query: 'heron -fox "lynx"', why: 'Open/Ash.md' }],
  ['vault_status', {}],
];

let server: EmbeddingServer;
let embedding: Embedding;
let home: ReturnType<typeof makeFolder>;
beforeAll(async () => {
  home = makeFolder('views');
  server = await startEmbeddingServer({ dimensions: 64, batch: 64 });
  const stores = vectorStores(home.path);
  embedding = {
    embedder: openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: 64 }),
    openStore: stores.open,
    storeNote: stores.note,
    embeds: 'always',
    patienceMs: 60_000,
  };
});
afterAll(async () => {
  await embedding.embedder.close();
  await server.close();
  home.remove();
});

async function openEmbedded(files: Files): Promise<TestVault> {
  const vault = await openTestVault(files, { embedding: async () => embedding });
  expect(await vault.opened.search.embedded([...vault.opened.vault.ownerView().ids()])).toBe(true);
  return vault;
}

async function answersOf(vault: TestVault, rules: ViewRules): Promise<unknown[]> {
  const scope = vault.opened.scope(STDIO, rules);
  const answers: unknown[] = [];
  for (const [name, input] of CALLS) {
    const { text, structured } = await vault.call(name, input, scope);
    const { cursor = null } = structured as { cursor?: string };
    // Sealed cursors are random.
    const shown = cursor === null ? text : text.replaceAll(cursor, 'CURSOR');
    answers.push({
      call: [name, input],
      text: shown,
      structured: { ...structured, cursor: cursor !== null },
    });
  }
  return answers;
}

describe('a View of a vault that is embedded', () => {
  it('answers by meaning as a vault holding only its notes would', { timeout: 240_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(anyVault, anyRules, async (files, rules) => {
        const whole = await openEmbedded(files);
        const seen = whole.opened.scope(STDIO, rules).view.notes();
        const visible: Files = {
          '.obsidian/app.json': '{}',
          ...Object.fromEntries(seen.map(({ diskPath }) => [diskPath, files[diskPath] ?? ''])),
        };
        const only = await openEmbedded(visible);
        try {
          const narrowed = await answersOf(whole, rules);
          const alone = await answersOf(only, ALL);
          for (const [index, answer] of narrowed.entries()) expect(answer).toEqual(alone[index]);
        } finally {
          await whole.close();
          await only.close();
        }
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });
});
