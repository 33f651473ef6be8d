import { describeWithData } from '@grove/testing';
import { allowAll, PLAIN_GARDEN, parsePathRule, type View } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { openNotes } from '../testing/open-notes.ts';
import { plainGraph } from '../testing/plain-graph.ts';
import { attentionOf } from './attention.ts';
import { digestOf } from './digest.ts';
import { stageOf } from './stage.ts';

const NOW = Date.parse('2026-12-01T12:00:00Z');
const DAY = 86_400_000;

/** The rules as they are written down, read from the bottom up: each takes notes from those below it. */
function expectedStages(view: View, now: number): Map<string, string> {
  const { paths, links } = plainGraph(view);
  return new Map(
    view.notes().map((row) => {
      const { created, modified } = view.times(row);
      const backlinks = paths.filter((path) => links.get(path)!.has(row.path)).length;
      const untouched = now - modified;
      let stage = 'growing';
      if (untouched >= 180 * DAY) stage = 'dormant';
      if (untouched >= 180 * DAY && backlinks < 2) stage = 'withering';
      if (now - created > 180 * DAY && backlinks >= 5 && untouched >= 30 * DAY) stage = 'mature';
      if (untouched < 30 * DAY || (now - created <= 90 * DAY && backlinks > 3)) stage = 'growing';
      if (now - created <= 30 * DAY && backlinks < 3) stage = 'sprout';
      if (now - created <= 7 * DAY && row.words < 200 && backlinks < 3) stage = 'seed';
      return [row.path as string, stage];
    }),
  );
}

function expectAsWritten(view: View, now: number): Set<string> {
  const expected = expectedStages(view, now);
  const { stages, leftOut } = digestOf(view, now, PLAIN_GARDEN);
  const told = stages.flatMap(({ stage, notes }) =>
    notes.map(({ row }) => [row.path as string, stage] as const),
  );
  expect(leftOut).toBe(0);
  expect(told).toHaveLength(view.size);
  expect(new Map(told)).toEqual(expected);
  for (const row of view.notes()) expect(stageOf(view, row, now, PLAIN_GARDEN)).toBe(expected.get(row.path));
  return new Set(expected.values());
}

const moment = (ago: number) => `${new Date(NOW - ago * DAY).toISOString().slice(0, 19)}Z`;
const day = (ago: number) => new Date(NOW - ago * DAY).toISOString().slice(0, 10);
const PATHS = Array.from({ length: 12 }, (_, at) => `${at % 3 === 0 ? 'Old/' : ''}n${at}.md`);
const ago = fc.constantFrom(0, 1, 6, 7, 8, 29, 30, 31, 90, 91, 179, 180, 181, 400);
const note = fc
  .record({
    created: ago,
    modified: ago,
    links: fc.subarray(PATHS, { maxLength: 8 }),
    words: fc.constantFrom(0, 150, 250),
  })
  .map(
    ({ created, modified, links, words }) =>
      `---\ncreated: ${day(created)}T12:00:00Z\nmodified: ${day(Math.min(created, modified))}T12:00:00Z\n---\n${links
        .map((path) => `[[${path}]]`)
        .join(' ')}\n${'word '.repeat(words)}\n`,
  );
const files = fc.dictionary(fc.constantFrom(...PATHS), note, { minKeys: 4, maxKeys: 12 });

describe('a digest', () => {
  it('stages notes as the rules say, and tells a narrower View only of its own', async () => {
    const met = new Set<string>();
    await fc.assert(
      fc.asyncProperty(files, async (all) => {
        await using notes = await openNotes(all);
        for (const stage of expectAsWritten(notes.view, NOW)) met.add(stage);
        expectAsWritten(notes.vault.view({ ...allowAll, denyPaths: [parsePathRule('Old')] }), NOW);
      }),
      { numRuns: 40, seed: 11 },
    );
    expect([...met].sort()).toEqual(['dormant', 'growing', 'mature', 'seed', 'sprout', 'withering']);
  });

  for (const vault of ['kepano', 'logseq'])
    describeWithData(`of ${vault}`, `vaults/${vault}`, (folder) => {
      it('is as the rules say, today and later', async () => {
        await using notes = await openNotes(folder);
        for (const later of [0, 10, 40, 100, 200]) expectAsWritten(notes.view, Date.now() + later * DAY);
      });
    });

  it('goes by the owner’s thresholds and leaves out what the owner names', async () => {
    await using notes = await openNotes({
      '.grove/vault.yaml':
        'garden:\n  leave_out: [Templates, "*.draft.md"]\n  seed: {age: 1}\n  sprout: {age: 1}\n',
      'Templates/Day.md': '',
      'x.draft.md': '',
      'A.md': `---\ncreated: ${day(3)}\n---\n`,
    });
    const { garden } = notes.vault;
    const { stages, leftOut } = digestOf(notes.view, NOW, garden);
    expect(leftOut).toBe(2);
    expect(stages.filter((group) => group.notes.length > 0).map(({ stage }) => stage)).toEqual(['growing']);
    expect(notes.view.notes().map((row) => stageOf(notes.view, row, NOW, garden))).toEqual([
      'growing',
      null,
      null,
    ]);
  });

  it('says what needs a look', async () => {
    const dated = (created: number, modified: number, text = ''): string =>
      `---\ncreated: ${moment(created)}\nmodified: ${moment(modified)}\n---\n${text}\n`;
    const fans = Object.fromEntries(
      Array.from({ length: 5 }, (_, at) => [`fan ${at}.md`, dated(200, 20, '[[Hub]] [[Wanted]]')]),
    );
    await using notes = await openNotes({
      ...fans,
      'Hub.md': dated(900, 400),
      'Ripe.md': dated(6, 6, '[[Hub]]'),
      'Riper.md': dated(6.9, 6, '[[Hub]]'),
      'Fresh.md': dated(1, 1),
      'Lone.md': dated(20, 20),
      'Faded.md': dated(900, 300),
      'More faded.md': dated(900, 500, '[[Hub]]'),
    });
    const paths = (list: readonly { readonly row: { readonly path: string } }[]) =>
      list.map(({ row }) => row.path);
    const attention = attentionOf(notes.view, digestOf(notes.view, NOW, PLAIN_GARDEN), PLAIN_GARDEN);
    expect(paths(attention.ripeSeeds)).toEqual(['Riper.md', 'Ripe.md']);
    expect(paths(attention.unlinked)).toEqual(['Fresh.md', 'Lone.md']);
    expect(attention.askedFor.map(({ target, askers }) => [target, askers.length])).toEqual([['Wanted', 5]]);
    expect(paths(attention.withering)).toEqual(['More faded.md', 'Faded.md']);
    expect(paths(attention.unreviewed)).toEqual(['Hub.md']);
  });
});
