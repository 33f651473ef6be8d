import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { GARDEN } from '../testing/garden.ts';
import { type Loose, openTestVault, type TestVault } from '../testing/opened.ts';

const LOG = Object.fromEntries(
  Array.from({ length: 70 }, (_, i) => [
    `Log/${String(i).padStart(3, '0')}.md`,
    `# ${i}\n\n${'word '.repeat(200)}\n`,
  ]),
);

let vault: TestVault;
beforeAll(async () => {
  vault = await openTestVault({
    ...GARDEN,
    ...LOG,
    'Huge.md': 'x'.repeat(200_000),
    'Quotes.md': '"\n'.repeat(9_000),
  });
});
afterAll(() => vault.close());

const multiGet = (input: object): Promise<Loose> => vault.ok('multi_get', input);
const paths = (answer: Loose): string[] => answer.notes.map((note: Loose) => note.path);

describe('multi_get', () => {
  it.each([[['Tomatoes.md', 'Compost']], ['Tomatoes.md, Compost'], ['["Tomatoes.md","Compost"]']])(
    'takes a list as %j',
    async (list) => {
      expect(paths(await multiGet({ paths: list }))).toEqual(['Tomatoes.md', 'Compost.md']);
    },
  );

  it('tries a whole string as one path first', async () => {
    expect(paths(await multiGet({ paths: 'Plans, 2026.md' }))).toEqual(['Plans, 2026.md']);
    expect(paths(await multiGet({ paths: '[x].md' }))).toEqual(['[x].md']);
  });

  it('takes globs, also among names, and shows each note once', async () => {
    expect(paths(await multiGet({ paths: 'Beds/*.md' }))).toEqual(['Beds/Bed 1.md', 'Beds/Bed 2.md']);
    expect(paths(await multiGet({ paths: ['Bed 2', 'beds/*'] }))).toEqual(['Beds/Bed 2.md', 'Beds/Bed 1.md']);
    expect(paths(await multiGet({ paths: '{People,Journal}/**' }))).toEqual([
      'Journal/2026-11-29.md',
      'People/Ada.md',
    ]);
  });

  it('says that a glob fits nothing, and where it would', async () => {
    const answer = await multiGet({ paths: 'Bed*.md' });
    expect(answer).toMatchObject({ notes: [], total: 0 });
    expect(answer.remarks.join()).toContain('**/Bed*.md');
  });

  it('answers the notes that are there and an error for each that is not', async () => {
    const answer = await multiGet({ paths: ['Compost', 'Nobody', 'Same', '../x.md'] });
    expect(paths(answer)).toEqual(['Compost.md']);
    expect(answer.errors.map((failure: Loose) => [failure.asked, failure.error.code])).toEqual([
      ['Nobody', 'note_not_found'],
      ['Same', 'note_ambiguous'],
      ['../x.md', 'note_not_found'],
    ]);
  });

  it('gives hashes for whole notes only', async () => {
    const [full] = (await multiGet({ paths: 'Compost' })).notes;
    const [summary] = (await multiGet({ paths: 'Compost', format: 'summary' })).notes;
    expect(full.content_hash).toBe((await vault.ok('get', { path: 'Compost' })).content_hash);
    expect(summary).not.toHaveProperty('content_hash');
    expect(summary.summary).toContain('Turn it every month');
  });

  it('gives outlines in format map', async () => {
    const [note] = (await multiGet({ paths: 'Tomatoes', format: 'map' })).notes;
    expect(note.outline.map((entry: Loose) => entry.text)).toContain('Feeding');
    expect(note).not.toHaveProperty('content');
  });

  it('fills the budget with whole notes, names the rest with sizes, and goes on', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    let calls = 0;
    do {
      const answer: Loose = await multiGet({ paths: 'Log/*', ...(cursor === undefined ? {} : { cursor }) });
      for (const note of answer.notes) expect(note.content.endsWith('word \n')).toBe(true);
      seen.push(...paths(answer));
      if (answer.cursor !== undefined)
        expect(answer.rest[0]).toEqual({ path: expect.any(String), size: expect.any(Number) });
      cursor = answer.cursor;
      calls += 1;
    } while (cursor !== undefined);
    expect(seen).toEqual(Object.keys(LOG));
    expect(calls).toBeGreaterThan(2);
  });

  it('names a note that fits no answer, and goes on behind it', async () => {
    const answer = await multiGet({ paths: ['Huge', 'Compost'] });
    expect(answer.notes[0]).toMatchObject({ path: 'Huge.md', too_large: true, size: 200_000 });
    expect(answer.notes[0]).not.toHaveProperty('content');
    expect(answer.notes[1].content).toContain('Worms');
  });

  it('keeps the limit where characters grow in JSON', async () => {
    const answer = await multiGet({ paths: ['Quotes', 'Compost'] });
    expect(paths(answer)).toContain('Compost.md');
  });

  it('does not speak of texts where there are none', async () => {
    const { text } = await vault.call('multi_get', { paths: 'Nothing*' });
    expect(text).toBe('0 notes of 0.\nNothing fits "Nothing*".');
  });

  it('keeps to max_chars', async () => {
    const answer = await multiGet({ paths: 'Log/*', max_chars: 2500 });
    expect(answer.notes).toHaveLength(2);
  });

  it('counts properties and headings against max_chars where they stand for the text', async () => {
    await vault.folder.write(
      Object.fromEntries(
        [1, 2, 3].map((i) => [
          `Wide/${i}.md`,
          `---\nabout: ${'word '.repeat(60)}\n---\n${`# ${'Heading '.repeat(18)}\n`.repeat(3)}`,
        ]),
      ),
    );
    await vault.opened.vault.reconcile();
    for (const format of ['summary', 'map']) {
      const answer = await multiGet({ paths: 'Wide/*', format, max_chars: 700 });
      expect(answer.notes).toHaveLength(1);
      expect(answer.cursor).toBeDefined();
    }
  });

  it('refuses more than fifty names, and none', async () => {
    const many = Array.from({ length: 51 }, (_, i) => `n${i}`);
    expect((await vault.fail('multi_get', { paths: many })).message).toContain('at most 50');
    expect((await vault.fail('multi_get', { paths: [] })).code).toBe('bad_input');
  });
});
