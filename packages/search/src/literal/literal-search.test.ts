import { isGroveError } from '@grove/core';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ask, type NoteFolder, openNoteFolder, paths } from '../testing/note-folder.ts';

describe('text and regex', () => {
  let folder: NoteFolder;

  beforeAll(async () => {
    folder = await openNoteFolder({
      'a.md': '---\nstatus: active\n---\nunREADable line\nan area of interest\n',
      'b.md': 'read me\nREAD me\nre-read\n',
      'c.md': Array.from({ length: 30 }, (_, at) => `row ${at} => done`).join('\n'),
      'd.md': `${'a'.repeat(50_000)}!`,
    });
  });
  afterAll(() => folder.close());

  it('text finds every part as a substring, case aside, whole words first', async () => {
    const answer = await ask(folder, 'read', { type: 'text' });
    expect(paths(answer)).toEqual(['b.md', 'a.md']);
    expect(answer.hits[0]!.lines.map(({ line, text }) => [line, text])).toEqual([
      [1, 'read me'],
      [2, 'READ me'],
      [3, 're-read'],
    ]);
    expect(paths(await ask(folder, 'read area', { type: 'text' }))).toEqual(['a.md']);
    expect(paths(await ask(folder, '"read me"', { type: 'text' }))).toEqual(['b.md']);
    expect(paths(await ask(folder, 'status: active', { type: 'text' }))).toEqual(['a.md']);
  });

  it('shows the first ten lines of those that match', async () => {
    const [hit] = (await ask(folder, '=> done', { type: 'text' })).hits;
    expect([hit!.lines.length, hit!.lineCount]).toEqual([10, 30]);
  });

  it('regex counts matching lines, most first', async () => {
    const answer = await ask(folder, '(?i)^re', { type: 'regex' });
    expect(answer.hits.map(({ row, lineCount }) => [row.path, lineCount])).toEqual([['b.md', 3]]);
    expect(paths(await ask(folder, 'r[eo]', { type: 'regex' }))).toEqual(['c.md', 'b.md', 'a.md']);
  });

  it('pages through the hits and keeps the total', async () => {
    const page = await ask(folder, 'r[eo]', { type: 'regex', limit: 1, offset: 1 });
    expect([paths(page), page.total]).toEqual([['b.md'], 3]);
  });

  it('a bad expression is one coded error with the reason', async () => {
    await expect(ask(folder, '(unclosed', { type: 'regex' })).rejects.toMatchObject({
      code: 'bad_regex',
      status: 422,
    });
    await expect(ask(folder, 'a(?=b)', { type: 'regex' })).rejects.toMatchObject({ code: 'bad_regex' });
  });

  it('any expression answers or is that error', async () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '(',
        ')',
        '[',
        ']',
        '*',
        '+',
        '?',
        '{9}',
        '{1000}',
        '|',
        '\\',
        '^',
        '$',
        'a',
        '.',
        '\ud800',
      ),
      fc.string({ unit: 'binary', maxLength: 3 }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 10 }), async (pieces) => {
        const answer = await ask(folder, pieces.join(''), { type: 'regex' }).catch((error: unknown) => {
          if (isGroveError(error, 'bad_regex')) return null;
          throw error;
        });
        if (answer !== null) expect(answer.total).toBeLessThanOrEqual(4);
      }),
      { numRuns: 200 },
    );
  });

  it('a pathological regex returns', async () => {
    const answer = await ask(folder, '^(a+)+$', { type: 'regex' });
    expect(paths(answer)).toEqual([]);
    expect((await ask(folder, '(a|a)*!', { type: 'regex' })).total).toBeGreaterThan(0);
  });

  it('is restricted to the ids it is given', async () => {
    const within = Uint32Array.of(idOf(folder, 'a.md'));
    expect(paths(await ask(folder, 'read', { type: 'text', within }))).toEqual(['a.md']);
    expect(paths(await ask(folder, 'READ', { type: 'regex', within }))).toEqual(['a.md']);
    expect(paths(await ask(folder, 'read', { type: 'text', within: new Uint32Array() }))).toEqual([]);
  });
});

function idOf(folder: NoteFolder, path: string): number {
  return folder.vault
    .ownerView()
    .notes()
    .find((row) => row.path === path)!.id;
}
