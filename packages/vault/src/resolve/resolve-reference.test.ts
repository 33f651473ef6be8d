import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { temporaryVault } from '../testing/temporary-vault.ts';
import type { Resolution } from '../view.ts';

/** November 30, 2026, 23:30 in Berlin. */
const clock = { now: () => Date.parse('2026-11-30T22:30:00Z') };

function short(resolution: Resolution): string {
  if (resolution.kind === 'found') return `${resolution.step} ${resolution.row.path}`;
  if (resolution.kind === 'none') return `none ${resolution.journal ?? ''}`.trim();
  return `${resolution.step}? ${resolution.candidates.map((row) => row.path).join(' ')}`;
}

const FILES = {
  '.obsidian/daily-notes.json': '{"folder": "Journal/", "format": "YYYY/MM/YYYY-MM-DD"}',
  '.obsidian/plugins/periodic-notes/data.json':
    '{"weekly": {"enabled": true, "folder": "Weeks", "format": "GGGG-[W]WW"}, "monthly": {"enabled": false, "folder": "x"}}',
  '.grove/vault.yaml': 'zone: Europe/Berlin\n',
  'Grove.md': '---\naliases: [The Copse, Über Wald]\n---\n',
  'Projects/Grove plan.md': '# Planning the grove\n',
  'Projects/Deep/Readme.md': '',
  'Ideas/Readme.md': '---\ntitle: All ideas\n---\n',
  'C#.md': '',
  'a.md.md': '',
  'Journal/2026/11/2026-11-30.md': '',
  'Old/2026-11-29.md': '',
  'Weeks/2026-W49.md': '',
  'Caf\u00e9/Men\u00fc.md': '',
  'Notes/Inner.md': '',
};

describe('resolve', () => {
  it('finds a note by its path, with or without .md, in either Unicode form', async () => {
    await using folder = await temporaryVault(FILES);
    const view = (await folder.open({ clock, poll: true })).ownerView();
    const cases = {
      'Projects/Grove plan.md': 'path Projects/Grove plan.md',
      'Projects/Grove plan': 'path Projects/Grove plan.md',
      ' Grove ': 'path Grove.md',
      'C#': 'path C#.md',
      'a.md': 'path a.md.md',
      'a.md.md': 'path a.md.md',
      'Cafe\u0301/Menu\u0308': 'path Caf\u00e9/Men\u00fc.md',
    };
    for (const [reference, answer] of Object.entries(cases))
      expect(short(view.resolve(reference))).toBe(answer);
  });

  it('takes known wrappings off', async () => {
    await using folder = await temporaryVault(FILES);
    const view = (await folder.open({ clock, poll: true })).ownerView();
    const cases = {
      '/Projects/Grove plan.md': 'prefix Projects/Grove plan.md',
      './Grove': 'prefix Grove.md',
      '[[Grove]]': 'prefix Grove.md',
      '![[Grove|shown]]': 'prefix Grove.md',
      'Notes/Grove': 'prefix Grove.md',
      'notes/Inner': 'name Notes/Inner.md',
      'Notes/Inner': 'path Notes/Inner.md',
      'vault://note/Projects/Grove%20plan.md': 'prefix Projects/Grove plan.md',
      'obsidian://open?vault=Notes&file=Projects%2FGrove%20plan': 'prefix Projects/Grove plan.md',
      'obsidian://vault/Notes/Projects/Grove%20plan': 'prefix Projects/Grove plan.md',
      'Projects/Grove%20plan': 'prefix Projects/Grove plan.md',
      '[[readme]]': 'name? Ideas/Readme.md Projects/Deep/Readme.md',
    };
    for (const [reference, answer] of Object.entries(cases))
      expect(short(view.resolve(reference))).toBe(answer);
  });

  it('finds periodic notes by the vault’s patterns, or says where they would be', async () => {
    await using folder = await temporaryVault(FILES);
    const view = (await folder.open({ clock, poll: true })).ownerView();
    const cases = {
      today: 'journal Journal/2026/11/2026-11-30.md',
      '2026-11-30': 'journal Journal/2026/11/2026-11-30.md',
      yesterday: 'journal Old/2026-11-29.md',
      tomorrow: 'none Journal/2026/12/2026-12-01.md',
      'weekly:2026-W49': 'journal Weeks/2026-W49.md',
      'weekly:2026-W50': 'none Weeks/2026-W50.md',
      'monthly:2026-11': 'none 2026-11.md',
      '2026-13-45': 'none',
    };
    for (const [reference, answer] of Object.entries(cases))
      expect(short(view.resolve(reference))).toBe(answer);
  });

  it('finds a note by its name or the end of its path, ignoring case', async () => {
    await using folder = await temporaryVault(FILES);
    const view = (await folder.open({ clock, poll: true })).ownerView();
    const cases = {
      'grove PLAN': 'name Projects/Grove plan.md',
      'grove plan.MD': 'name Projects/Grove plan.md',
      'deep/readme': 'name Projects/Deep/Readme.md',
      'eep/readme': 'none',
      'projects/deep/README.md': 'name Projects/Deep/Readme.md',
      Readme: 'name? Ideas/Readme.md Projects/Deep/Readme.md',
    };
    for (const [reference, answer] of Object.entries(cases))
      expect(short(view.resolve(reference))).toBe(answer);
  });

  it('finds a note by an alias, then by its title', async () => {
    await using folder = await temporaryVault({
      ...FILES,
      'Titled.md': '---\ntitle: The  copse\n---\n',
    });
    const view = (await folder.open({ clock, poll: true })).ownerView();
    const cases = {
      'the copse': 'alias Grove.md',
      'ÜBER wald': 'alias Grove.md',
      'All Ideas': 'alias Ideas/Readme.md',
      'planning the grove': 'alias Projects/Grove plan.md',
      nothing: 'none',
    };
    for (const [reference, answer] of Object.entries(cases))
      expect(short(view.resolve(reference))).toBe(answer);
  });

  it('answers any string, and what it finds is a member', async () => {
    await using folder = await temporaryVault(FILES);
    const view = (await folder.open({ clock, poll: true })).ownerView();
    const parts = [
      '[[',
      ']]',
      '/',
      '..',
      './',
      '%',
      '%2F',
      '%FF',
      'obsidian://',
      'open?file=',
      'vault://note/',
      '.md',
    ];
    const hostile = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: 'grapheme', maxLength: 200 }),
      fc
        .array(fc.constantFrom(...parts, 'Grove', 'weekly:', '\u0000', '\ud800', '2026-11-30'), {
          maxLength: 12,
        })
        .map((pieces) => pieces.join('')),
    );
    fc.assert(
      fc.property(hostile, (reference) => {
        const resolution = view.resolve(reference);
        const rows = resolution.kind === 'found' ? [resolution.row] : [];
        if (resolution.kind === 'ambiguous') rows.push(...resolution.candidates);
        for (const row of rows) expect(view.byId(row.id)).toBe(row);
      }),
      { numRuns: 2_000 },
    );
    expect(view.resolve('x'.repeat(1_000_000)).kind).toBe('none');
    expect(view.resolve('[['.repeat(2_000)).kind).toBe('none');
  });
});
