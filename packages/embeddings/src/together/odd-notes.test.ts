import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openOpenAiCompatible } from '../remote/openai-compatible.ts';
import { type EmbeddingServer, startEmbeddingServer } from '../testing/embedding-server.ts';
import { type MeaningVault, openMeaningVault } from '../testing/meaning-vault.ts';

const DIMENSIONS = 64;

let server: EmbeddingServer;
let folder: MeaningVault | null = null;
beforeEach(async () => {
  server = await startEmbeddingServer({ dimensions: DIMENSIONS, batch: 64 });
});
afterEach(async () => {
  await folder?.close();
  folder = null;
  await server.close();
});

async function open(notes: Readonly<Record<string, string>>): Promise<MeaningVault> {
  folder = await openMeaningVault(notes, {
    embedder: async () =>
      openOpenAiCompatible({ baseUrl: server.baseUrl, model: 'm', dimensions: DIMENSIONS }),
  });
  return folder;
}

const pathsOf = async (type: 'lex' | 'vec', query: string) =>
  (await folder!.ask([{ type, query }])).hits.map(({ row }) => row.path);

describe('notes of odd characters', () => {
  const NOTES = {
    'nul.md': 'before\0after capercaillie',
    // An emoji takes two units: one of the two lines has one across any place where a text is cut.
    'even.md': `${'🐦'.repeat(5_000)} dunnock`,
    'odd.md': `x${'🐦'.repeat(5_000)} bittern`,
    '🐦.md': '',
    'tags.md': `---\ntags: [a, ${Array.from({ length: 60 }, (_, at) => `🐦${'x'.repeat(at % 9)}${at}`).join(', ')}]\n---\nsiskin`,
  };

  it('are found by words and by meaning, and no half of a character is sent to the model', async () => {
    await open(NOTES);
    expect(await folder!.embedded()).toBe(true);
    expect(folder!.search.health().meaning).toMatchObject({ failed: 0 });
    for (const type of ['lex', 'vec'] as const) {
      expect((await pathsOf(type, 'capercaillie'))[0]).toBe('nul.md');
      expect((await pathsOf(type, 'siskin'))[0]).toBe('tags.md');
    }
    expect(await pathsOf('lex', 'dunnock')).toEqual(['even.md']);
    expect(await pathsOf('lex', 'bittern')).toEqual(['odd.md']);
    expect((await pathsOf('vec', '🐦')).toSorted()).toEqual(Object.keys(NOTES).toSorted());
    const sent = server.received.flatMap(({ body }) => body.input);
    expect(sent.length).toBeGreaterThan(Object.keys(NOTES).length);
    for (const text of sent) {
      expect(text.isWellFormed()).toBe(true);
      expect(text).not.toContain('\0');
      // What was cut through would have been replaced.
      expect(text).not.toContain('\ufffd');
    }
  });
});

describe('notes that go while they are embedded', () => {
  it('leave neither words nor vectors, and the rest is embedded', async () => {
    const release = server.hold(() => true);
    await open({ 'keep.md': 'A heron waits.', 'gone.md': 'A bittern booms.', 'old.md': 'A dunnock hides.' });
    await expect.poll(() => server.received.length, { timeout: 30_000 }).toBeGreaterThan(0);
    await folder!.remove('gone.md');
    await folder!.write({ 'old.md': 'A siskin sings.', 'new.md': 'A wheatear hops.' });
    release();
    expect(await folder!.embedded()).toBe(true);
    for (const type of ['lex', 'vec'] as const) {
      expect(await pathsOf(type, 'a bittern booms')).not.toContain('gone.md');
      expect((await pathsOf(type, 'heron'))[0]).toBe('keep.md');
      expect((await pathsOf(type, 'siskin'))[0]).toBe('old.md');
      expect((await pathsOf(type, 'wheatear'))[0]).toBe('new.md');
    }
    expect((await pathsOf('vec', 'heron')).toSorted()).toEqual(['keep.md', 'new.md', 'old.md']);
  });
});
