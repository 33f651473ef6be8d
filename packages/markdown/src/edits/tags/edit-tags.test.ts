import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../model.ts';
import { codeOf, headingsOf, noteText, orRefused, RUNS, read } from '../testing/random-notes.ts';
import { editTags, type TagChange } from './edit-tags.ts';

const edit = (text: string, change: Partial<TagChange>, dialect: Dialect = 'obsidian') =>
  editTags(read(text, dialect), { add: [], remove: [], location: 'frontmatter', path: 'a.md', ...change });
const textOf = (...call: Parameters<typeof edit>) => edit(...call).text;
const inBlock = (yaml: string) => `---\n${yaml}\n---\nBody #a\n`;

describe('tags of the frontmatter', () => {
  it('keeps those that a merge key brings when another is added, and does not take them away', () => {
    const merged = 'd: &d {tags: [a, 2]}\n<<: *d';
    expect(textOf(inBlock(merged), { add: ['New'] })).toBe(
      inBlock(`${merged}\ntags:\n  - a\n  - 2\n  - New`),
    );
    const { text, skipped } = edit(inBlock(merged), { remove: ['a'] });
    expect([text, skipped.map(({ reason }) => reason)]).toEqual([inBlock(merged), ['cannot_change']]);
  });

  it.each([
    ['tags: [a, b]', 'tags: [a, b, New]', 'tags: [b]'],
    ['tags: [a]', 'tags: [a, New]', 'tags: []'],
    ['tags: []', 'tags: [New]', 'tags: []'],
    ['tags: [b, a, ]', 'tags: [b, a, New, ]', 'tags: [b, ]'],
    ['tags: [\n  a, # one\n  b\n]', 'tags: [\n  a, # one\n  b, New\n]', 'tags: [\n  b\n]'],
    ['tags: ["A", \'b\'] # c', 'tags: ["A", \'b\', New] # c', "tags: ['b'] # c"],
    ['tags:\n  - a\n  - b', 'tags:\n  - a\n  - b\n  - New', 'tags:\n  - b'],
    ['tags:\n- b # k\n- a # j\nz: 1', 'tags:\n- b # k\n- a # j\n- New\nz: 1', 'tags:\n- b # k\nz: 1'],
    [
      'tags:\n  -   b\n  # why a\n  -   a\n# end',
      'tags:\n  -   b\n  # why a\n  -   a\n  -   New\n# end',
      'tags:\n  -   b\n  # why a\n# end',
    ],
    ['tags:\n  - a', 'tags:\n  - a\n  - New', 'tags: []'],
    [
      'tags:\n  - a\n  - 2024\n  - {x: 1}\n  - [q]\n  - null',
      'tags:\n  - a\n  - 2024\n  - {x: 1}\n  - [q]\n  - null\n  - New',
      'tags:\n  - 2024\n  - {x: 1}\n  - [q]\n  - null',
    ],
    ['tags: a', 'tags:\n  - a\n  - New', 'tags: []'],
    ['tags: a, b', 'tags: a, b, New', 'tags: b'],
    ['tags: b, a # c', 'tags: b, a, New # c', 'tags: b # c'],
    ['tags: "b, A, c"', 'tags: "b, A, c, New"', 'tags: "b, c"'],
    ['tag: b a', 'tag: b a New', 'tag: b'],
    ['tags:', 'tags:\n  - New', 'tags:'],
    ['tags: null', 'tags:\n  - New', 'tags: null'],
    ['tags: "#a"', 'tags:\n  - "#a"\n  - New', 'tags: []'],
    ['x: 1', 'x: 1\ntags:\n  - New', 'x: 1'],
  ])('%j', (before, added, removed) => {
    expect(textOf(inBlock(before), { add: ['#New'] })).toBe(inBlock(added));
    expect(textOf(inBlock(before), { remove: ['a'] })).toBe(inBlock(removed));
  });

  it('are made where there are none', () => {
    expect(textOf('x\r\n', { add: ['a', 'b/c'] })).toBe('---\r\ntags:\r\n  - a\r\n  - b/c\r\n---\r\nx\r\n');
  });

  it('are compared without case, and a nested tag is one of its own', () => {
    const result = edit(inBlock('tags: [Plan/2026]'), { add: ['plan/2026', 'plan'], remove: ['Plan/2027'] });
    expect(result.text).toBe(inBlock('tags: [Plan/2026, plan]'));
    expect(result.applied).toEqual([{ tag: 'plan', action: 'add', location: 'frontmatter' }]);
    expect(result.skipped.map(({ tag, reason }) => [tag, reason])).toEqual([
      ['Plan/2027', 'not_there'],
      ['plan/2026', 'already_there'],
    ]);
  });

  it('go from both `tags` and `tag`', () => {
    expect(textOf(inBlock('tags: [a, b]\ntag: a c'), { remove: ['a'] })).toBe(inBlock('tags: [b]\ntag: c'));
  });

  it('that are no list of tags stay', () => {
    for (const yaml of ['tags: {a: 1}', 'x: &t [a]\ntags: *t']) {
      const { text, skipped } = edit(inBlock(yaml), { add: ['New'] });
      expect([text, skipped.map(({ reason }) => reason)]).toEqual([inBlock(yaml), ['cannot_change']]);
    }
  });

  it('that cannot be read are not touched', () => {
    expect(codeOf(() => edit('---\ntags: [\n---\n', { add: ['a'] }))).toBe('frontmatter_broken');
    expect(textOf('---\ntags: [\n---\nx #a\n', { remove: ['a'], location: 'inline' })).toBe(
      '---\ntags: [\n---\nx\n',
    );
  });
});

describe('inline tags', () => {
  it.each([
    ['x #a y\n', 'x y\n'],
    ['x  #a  y\n', 'x   y\n'],
    ['#a x\n', 'x\n'],
    ['x #A\n', 'x\n'],
    ['- #a x\n', '- x\n'],
    ['- [ ] #a\n', '- [ ] \n'],
    ['(#a)\n', '()\n'],
    ['x #a, y\n', 'x , y\n'],
    ['#a #a\n', '\n'],
    ['| #a | b |\n|---|---|\n', '| | b |\n|---|---|\n'],
    [
      'x #a/b #ab `#a` [#a](y) https://x.y/#a [[N#a]] \\#a\n',
      'x #a/b #ab `#a` [#a](y) https://x.y/#a [[N#a]] \\#a\n',
    ],
    ['```\n#a\n```\n\n%% #a %%\n', '```\n#a\n```\n\n%% #a %%\n'],
    ['x\n\n\n\ny   z #a\n', 'x\n\n\n\ny   z\n'],
    ['## Plan #a\n', '## Plan\n'],
  ])('%j becomes %j', (before, after) => {
    expect(textOf(before, { remove: ['a'], location: 'inline' })).toBe(after);
  });

  it('stay where the line would be something else without them', () => {
    for (const text of ['#a # b\n', '#a - b\n', '#a ```\nb\n']) {
      const { text: after, skipped } = edit(text, { remove: ['a'], location: 'inline' });
      expect([after, skipped.map(({ reason }) => reason)]).toEqual([text, ['cannot_change']]);
    }
    expect(edit('#a # b\n\nx #a\n', { remove: ['a'], location: 'inline' }).text).toBe('#a # b\n\nx\n');
  });

  it('are added to the tags at the end, else below the last block', () => {
    expect(textOf('x\n\n#a #b\n', { add: ['c/d'], location: 'inline' })).toBe('x\n\n#a #b #c/d\n');
    expect(textOf('x #a\n', { add: ['b'], location: 'inline' })).toBe('x #a\n\n#b\n');
    expect(textOf('', { add: ['a', 'b'], location: 'inline' })).toBe('#a #b\n');
    expect(textOf('```\n#a\n```\n', { add: ['a'], location: 'inline' })).toBe('```\n#a\n```\n\n#a\n');
  });

  it('are only added as what a tag can be', () => {
    const { skipped, applied } = edit('x\n', { add: ['1', 'a b', '', '##', 'a]', 'ok'], location: 'both' });
    expect(applied.map(({ tag }) => tag)).toEqual(['ok', 'ok']);
    expect(new Set(skipped.map(({ reason }) => reason))).toEqual(new Set(['not_a_tag']));
  });
});

describe('both', () => {
  it('takes a tag out of frontmatter and text', () => {
    const result = edit(inBlock('tags: [a, b]'), { remove: ['#a'], location: 'both' });
    expect(result.text).toBe('---\ntags: [b]\n---\nBody\n');
    expect(result.applied).toHaveLength(2);
  });
});

describe('a Logseq page', () => {
  it.each([
    ['tags:: a, b\n\n- x #a\n', 'tags:: a, b, c d\n\n- x #a\n', 'tags:: b\n\n- x #a\n'],
    ['- x\n', 'tags:: c d\n\n- x\n', '- x\n'],
    ['tags:: [[a]]\n', 'tags:: [[a]], c d\n', 'tags::\n'],
    ['tags:: b, #a\n', 'tags:: b, #a, c d\n', 'tags:: b\n'],
  ])('has them as a property: %j', (before, added, removed) => {
    expect(textOf(before, { add: ['c d'] }, 'logseq')).toBe(added);
    expect(textOf(before, { remove: ['a'] }, 'logseq').replace(/ $/m, '')).toBe(removed);
  });

  it('has them inline, in brackets where they hold spaces', () => {
    expect(textOf('- x\n', { add: ['c d'], location: 'inline' }, 'logseq')).toBe('- x\n- #[[c d]]\n');
    expect(textOf('- x #[[c d]] y\n', { remove: ['C D'], location: 'inline' }, 'logseq')).toBe('- x y\n');
    expect(textOf('- x\n  tags:: a, b\n', { remove: ['a'], location: 'inline' }, 'logseq')).toBe(
      '- x\n  tags:: b\n',
    );
  });
});

describe('input', () => {
  it('that cannot be meant is refused', () => {
    for (const change of [
      {},
      { add: ['a'], remove: ['#A'] },
      { add: ['a\0'] },
      { add: Array.from({ length: 101 }, () => 'a') },
    ])
      expect(codeOf(() => edit('x\n', change))).toBe('bad_input');
  });
});

describe('any note', () => {
  const tag = fc.constantFrom('a', 'a/b', 'tag', 'b', '2024', 'new', 'fern');

  it('loses inline tags and at most one space for each, and nothing else', () => {
    fc.assert(
      fc.property(noteText, tag, (text, name) => {
        const before = read(text);
        const { text: after, skipped } = edit(text, { remove: [name], location: 'inline' });
        const uses = before.tags.filter(
          (found) => found.source === 'inline' && found.name.toLowerCase() === name,
        );
        const cut = text.length - after.length;
        if (skipped.length === 0) {
          expect(cut).toBeGreaterThanOrEqual(uses.length * (name.length + 1));
          expect(cut).toBeLessThanOrEqual(uses.length * (name.length + 2));
          expect(
            read(after).tags.some((found) => found.source === 'inline' && found.name.toLowerCase() === name),
          ).toBe(false);
        } else expect(cut).toBe(0);
        expect(text.replaceAll(/[# ]/g, '').replaceAll(name, '')).toBe(
          after.replaceAll(/[# ]/g, '').replaceAll(name, ''),
        );
        expect(headingsOf(read(after)).length).toBe(before.headings.length);
      }),
      { numRuns: RUNS },
    );
  });

  it('keeps other properties and the body where frontmatter is named, and has the tag afterwards', () => {
    fc.assert(
      fc.property(noteText, tag, tag, (text, add, remove) => {
        if (add === remove) return;
        const before = read(text);
        const result = orRefused(() => edit(text, { add: [add], remove: [remove] }));
        if (result === null) return;
        const after = read(result.text);
        expect(result.text.slice(after.bodyStart)).toBe(text.slice(before.bodyStart));
        const others = ({ frontmatter }: typeof before) =>
          Object.entries(frontmatter.data).filter(([key]) => key !== 'tags');
        expect(others(after)).toEqual(others(before));
        const names = after.tags
          .filter(({ source }) => source === 'frontmatter')
          .map(({ name }) => name.toLowerCase());
        if (!result.skipped.some(({ reason }) => reason === 'not_a_tag')) {
          expect(names).toContain(add);
          expect(names).not.toContain(remove);
        }
        expect(edit(result.text, { add: [add], remove: [remove] }).alreadyThere).toBe(true);
      }),
      { numRuns: RUNS },
    );
  });
});
