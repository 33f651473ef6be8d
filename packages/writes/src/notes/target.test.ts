import { GroveError } from '@grove/core';
import { parsePathRule } from '@grove/vault';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { WriteAction } from './contract.ts';
import { findTarget } from './target.ts';
import { NOW, type OpenNotes, openNotes } from './testing/open-notes.ts';

const FILES = {
  '.obsidian/daily-notes.json': '{"folder": "Journal", "template": "Templates/Day"}',
  'Templates/Day.md': '# {{date}}\n',
  'Tomatoes.md': '---\naliases: [Love apples]\ntitle: All about tomatoes\n---\n# Tomatoes\n## Care\n',
  'Archive/Ideas.md': 'old\n',
  'Archive/Deep/Plan.md': 'deep\n',
  'One/Same.md': '1\n',
  'Two/Same.md': '2\n',
  'C#.md': 'language\n',
};

let notes: OpenNotes;
beforeAll(async () => {
  notes = await openNotes(FILES);
});
afterAll(() => notes.close());

const target = (reference: string, action: WriteAction = 'append', made: string[] = []) =>
  findTarget(reference, action, {
    view: notes.vault.ownerView(),
    nearest: () => ['Near.md'],
    now: NOW,
    zone: 'utc',
    made: new Set(made) as never,
  });

const refusal = (reference: string, action: WriteAction = 'append'): GroveError => {
  try {
    target(reference, action);
  } catch (error) {
    if (error instanceof GroveError) return error;
    throw error;
  }
  throw new Error(`${reference} was taken`);
};

describe('the note that a write is for', () => {
  it.each([
    ['Tomatoes.md', 'Tomatoes.md'],
    ['Tomatoes', 'Tomatoes.md'],
    ['[[Tomatoes]]', 'Tomatoes.md'],
    ['Love apples', 'Tomatoes.md'],
    ['Ideas', 'Archive/Ideas.md'],
    ['C#', 'C#.md'],
  ])('%s is %s', (reference, path) => {
    expect(target(reference)).toMatchObject({ path, section: null, periodic: null });
    expect(target(reference).row?.path).toBe(path);
  });

  it('may be named with its heading', () => {
    expect(target('Tomatoes#Care')).toMatchObject({ path: 'Tomatoes.md', section: 'Care' });
    expect(target('Tomatoes.md#Care', 'replace')).toMatchObject({ path: 'Tomatoes.md', section: 'Care' });
  });

  it('is never one with such a title, such words, or such an end of its path', () => {
    const error = refusal('All about tomatoes');
    expect(error.code).toBe('note_not_found');
    expect(error.data.nearest).toEqual(['Tomatoes.md', 'Near.md']);
    expect(refusal('deep').code).toBe('note_not_found');
    expect(refusal('Deep/Plan', 'edit').code).toBe('note_not_found');
  });

  it('is never one of several', () => {
    const error = refusal('Same', 'write');
    expect(error.code).toBe('note_ambiguous');
    expect(error.data.candidates).toEqual([{ path: 'One/Same.md' }, { path: 'Two/Same.md' }]);
  });

  it('is a new one where a path is given and the action can make it', () => {
    expect(target('Deep/Plan', 'write')).toMatchObject({ path: 'Deep/Plan.md', row: null });
    expect(target('New.md')).toMatchObject({ path: 'New.md', row: null, remarks: [] });
    expect(target('Ideas.md', 'write')).toMatchObject({
      path: 'Ideas.md',
      row: null,
      remarks: ['There is another note of that name: Archive/Ideas.md.'],
    });
    for (const action of ['edit', 'replace', 'frontmatter', 'tags'] as const)
      expect(refusal('New.md', action).code).toBe('note_not_found');
    // An action that makes no note may take the file's name for the one note that has it.
    expect(target('Ideas.md', 'edit').path).toBe('Archive/Ideas.md');
  });

  it('needs a path to be new', () => {
    const error = refusal('Brand new');
    expect(error.code).toBe('note_not_found');
    expect(error.hint).toContain('"Brand new.md"');
  });

  it('may be one that the same batch makes', () => {
    expect(target('Fresh', 'edit', ['Box/Fresh.md']).path).toBe('Box/Fresh.md');
    expect(target('Box/Fresh', 'edit', ['Box/Fresh.md']).path).toBe('Box/Fresh.md');
  });

  it.each(['today', '2026-11-30', 'Today'])('is the daily note for %s, with its template', (reference) => {
    expect(target(reference)).toMatchObject({
      path: 'Journal/2026-11-30.md',
      row: null,
      periodic: { date: '2026-11-30', template: 'Templates/Day.md' },
    });
  });

  it('keeps the day of a daily note', () => {
    expect(target('tomorrow').periodic?.date).toBe('2026-12-01');
  });

  it.each([
    '../outside.md',
    '..\\outside.md',
    'a/../../outside.md',
    '/etc/passwd.md',
    '.git/config.md',
    '.obsidian/x.md',
    'a\u0000b.md',
    'C:/x.md',
    'con.md',
    'x.md:stream.md',
    'a//b.md',
  ])('is never %j', (reference) => {
    for (const action of ['write', 'append', 'edit'] as const) {
      const { code } = refusal(reference, action);
      expect(['bad_path', 'note_not_found']).toContain(code);
    }
    expect(refusal(reference, 'write').code).toBe('bad_path');
  });

  it('is no longer name made of a path with a space or a dot behind its ending', () => {
    for (const slip of ['New/Note.md ', 'New/Note.md.', 'New/Note.MD. '])
      expect(refusal(slip, 'write').code).toBe('bad_path');
    expect(target('New/Vol. 2.', 'write').path).toBe('New/Vol. 2..md');
  });

  it('may be a page of Logseq by its name, which holds slashes', async () => {
    const graph = await openNotes({
      'logseq/config.edn': '{:file/name-format :triple-lowbar}',
      'pages/Projects___Grove.md': '- a page\n',
      'journals/2026_11_29.md': '- a day\n',
    });
    try {
      const scope = {
        view: graph.vault.ownerView(),
        nearest: () => [],
        now: NOW,
        zone: 'utc',
        made: new Set<never>(),
      };
      expect(findTarget('Projects/Grove', 'append', scope).path).toBe('pages/Projects___Grove.md');
      expect(findTarget('today', 'append', scope).path).toBe('journals/2026_11_30.md');
      expect(findTarget('Projects/New', 'append', scope).path).toBe('pages/Projects___New.md');
      expect(findTarget('pages/New.md', 'append', scope).path).toBe('pages/New.md');
    } finally {
      await graph.close();
    }
  });

  it('is only one that the View shows', () => {
    const view = notes.vault.view({
      readPaths: [],
      writePaths: [],
      denyPaths: [parsePathRule('Archive'), parsePathRule('Templates'), parsePathRule('Two')],
      readOnly: false,
    });
    const scope = { view, nearest: () => [], now: NOW, zone: 'utc', made: new Set<never>() };
    expect(() => findTarget('Ideas', 'append', scope)).toThrow(/No note answers/);
    expect(findTarget('Same', 'append', scope).path).toBe('One/Same.md');
    expect(findTarget('Ideas.md', 'write', scope).remarks).toEqual([]);
    expect(findTarget('today', 'append', scope).periodic?.template).toBeNull();
  });
});
