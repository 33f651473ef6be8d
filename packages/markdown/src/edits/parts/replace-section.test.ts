import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Dialect } from '../../model.ts';
import { findSection } from '../../sections/find.ts';
import {
  codeOf,
  content,
  failureOf,
  headingsOf,
  longestBlankRun,
  noteText,
  orRefused,
  RUNS,
  read,
} from '../testing/random-notes.ts';
import { type Replacement, replaceSection } from './replace-section.ts';

const replace = (
  text: string,
  section: string,
  body: string,
  change: Partial<Replacement> = {},
  dialect: Dialect = 'obsidian',
) =>
  replaceSection(read(text, dialect), { section, content: body, subsections: null, path: 'a.md', ...change });
const textOf = (...call: Parameters<typeof replace>) => replace(...call).text;

describe('a heading', () => {
  it.each([
    ['# A\n\nold\n\n# B\n', 'new', '# A\n\nnew\n\n# B\n'],
    ['# A\nold\n# B\n', 'new', '# A\nnew\n# B\n'],
    ['# A\n# B\n', 'new', '# A\n\nnew\n\n# B\n'],
    ['# A\n\n# B\n', 'new', '# A\n\nnew\n\n# B\n'],
    ['# A', 'new', '# A\n\nnew'],
    ['# A\n\nold', 'new\n', '# A\n\nnew'],
    ['# A\n\nold\n\n\n', 'new', '# A\n\nnew\n\n\n'],
    ['A\n===\r\n\r\nold\r\n\r\n# B\r\n', 'new\nline', 'A\n===\r\n\r\nnew\r\nline\r\n\r\n# B\r\n'],
    ['x\n\n# A #\n\nold\n\n\n\n# B', '\n\nnew\n\n', 'x\n\n# A #\n\nnew\n\n\n\n# B'],
    ['# A\n\nold\n\n# B\n', '', '# A\n\n# B\n'],
    ['# A\n\nold\n', '', '# A\n'],
    ['# A\n\n| `## x` | b |\n|---|---|\n\n# B\n', 'new', '# A\n\nnew\n\n# B\n'],
    ['# A\n\n```\n# no\n```\n\n# B\n', 'new', '# A\n\nnew\n\n# B\n'],
  ])('%j with %j becomes %j', (before, body, after) => {
    expect(textOf(before, 'A', body)).toBe(after);
    let text = after;
    for (let time = 0; time < 4; time += 1) text = textOf(text, 'A', body);
    expect(text).toBe(after);
    expect(replace(after, 'A', body).alreadyThere).toBe(true);
  });

  it.each(['# A\n\nnew', '## a\n\nnew\n', '\n# **A**\nnew', 'A\n===\nnew'])(
    'is not doubled by content that opens with it: %j',
    (body) => {
      expect(textOf('## A\n\nold\n\n## B\n', 'A', body)).toBe('## A\n\nnew\n\n## B\n');
    },
  );

  it('keeps its level and says so', () => {
    expect(replace('## A\n\nold\n', 'A', '# A\n\nnew').remarks).toHaveLength(1);
    expect(textOf('# A\n\nold\n', 'A', '## A\n\nnew')).toBe('# A\n\n## A\n\nnew\n');
  });

  it('among equal ones is named, or nothing is written', () => {
    const text = '# A\n\n## T\n\n1\n\n# B\n\n## T\n\n2\n';
    const { code, data } = failureOf(() => replace(text, 'T', 'new'));
    expect([code, (data.candidates as { address: string }[]).map(({ address }) => address)]).toEqual([
      'section_ambiguous',
      ['T@1', 'T@2'],
    ]);
    expect(textOf(text, 'T@2', 'new')).toBe('# A\n\n## T\n\n1\n\n# B\n\n## T\n\nnew\n');
    expect(textOf(text, 'A#T', 'new')).toBe('# A\n\n## T\n\nnew\n\n# B\n\n## T\n\n2\n');
  });

  it('that is missing is not made up', () => {
    const { code, data } = failureOf(() => replace('# Goals\n', 'Gaols', 'new'));
    expect([code, data.nearest]).toEqual(['section_not_found', ['Goals']]);
  });
});

describe('subsections', () => {
  const text = '# A\n\nold\n\n## S\n\ns\n\n### T\n\nt\n\n# B\n';

  it('that the content lacks are dropped only when told to', () => {
    const { code, data } = failureOf(() => replace(text, 'A', 'new\n\n### T\n\nt'));
    expect([code, data.missing]).toEqual(['would_drop_subsections', [{ address: 'S', line: 5 }]]);
    expect(textOf(text, 'A', 'new', { subsections: true })).toBe('# A\n\nnew\n\n# B\n');
  });

  it('that the content has are written', () => {
    expect(textOf(text, 'A', 'new\n\n## S\n\n### *T*')).toBe('# A\n\nnew\n\n## S\n\n### *T*\n\n# B\n');
  });

  it('stay when only the text above them is meant', () => {
    expect(textOf(text, 'A', 'new', { subsections: false })).toBe(text.replace('old', 'new'));
    expect(codeOf(() => replace(text, 'A', 'new\n\n## U', { subsections: false }))).toBe('section_overrun');
  });

  it('are counted: one of two equal ones may not vanish', () => {
    const twice = '# A\n\n## S\n\n1\n\n## S\n\n2\n';
    expect(codeOf(() => replace(twice, 'A', '## S\n\n1'))).toBe('would_drop_subsections');
  });
});

describe('content', () => {
  it('stays inside its section', () => {
    const { code, data } = failureOf(() => replace('# A\n\n# B\n', 'A', 'x\n\n# C\n\ny'));
    expect([code, data.reason]).toEqual(['section_overrun', 'its heading "C" of level 1 ends the section']);
    expect(codeOf(() => replace('## A\n\nx\n\n## B\n', 'A', 'a\n\n## A\n\nb'))).toBe('section_overrun');
  });

  it('opens no fence that takes in what follows', () => {
    expect(codeOf(() => replace('# A\n\nx\n\n# B\n', 'A', '```\ny'))).toBe('unclosed_block');
    expect(codeOf(() => replace('# A\n\nx\n\n# B\n', 'A', 'y\n\n%% z'))).toBe('unclosed_block');
    expect(textOf('# A\n\nx\n', 'A', '```\ny')).toBe('# A\n\n```\ny\n');
  });

  it('that goes on until a blank line gets one where a heading is close', () => {
    expect(textOf('# A\nx\n# B\n', 'A', '<div>\ny\n</div>')).toBe('# A\n<div>\ny\n</div>\n\n# B\n');
  });

  it('with frontmatter, NUL or half a surrogate pair is refused', () => {
    expect(codeOf(() => replace('# A\n', 'A', '---\na: 1\n---\nx'))).toBe('second_frontmatter');
    expect(codeOf(() => replace('# A\n', 'A', 'a\0'))).toBe('bad_input');
    expect(codeOf(() => replace('# A\n', 'A', '\udf32'))).toBe('bad_input');
  });

  it('that stands for text left out is refused, unless it stood there or is meant', () => {
    const elided = 'x\n\n... rest unchanged ...';
    expect(codeOf(() => replace('# A\n\nx\n', 'A', elided))).toBe('elided_content');
    expect(textOf('# A\n\nx\n', 'A', elided, { overwrite: true })).toContain('rest unchanged');
    expect(textOf(`# A\n\n${elided}\n`, 'A', `y\n\n${elided}`)).toBe(`# A\n\ny\n\n${elided}\n`);
  });
});

describe('block ids', () => {
  it('inside a section are kept where the content lacks them', () => {
    const text = '# A\n\nOne line. ^a\n\n- item ^b\n  - sub\n\n| t |\n|---|\n| 1 |\n\n^c\n\n# B\n';
    const { text: after, remarks } = replace(
      text,
      'A',
      '| t |\n|---|\n| 2 |\n\nOne line, changed.\n\n- item\n  - sub 2',
    );
    expect(after).toBe(
      '# A\n\n| t |\n|---|\n| 2 |\n\n^c\n\nOne line, changed. ^a\n\n- item ^b\n  - sub 2\n\n# B\n',
    );
    expect(remarks).toHaveLength(1);
    expect(replace(after, 'A', '| t |\n|---|\n| 2 |\n\nOne line, changed.\n\n- item\n  - sub 2').text).toBe(
      after,
    );
  });

  it('that cannot be kept are named', () => {
    const { text, remarks } = replace('# A\n\nx ^a\n', 'A', '');
    expect([text, remarks]).toEqual([
      '# A\n',
      ['The block ids ^a are gone: links to them lead nowhere now.'],
    ]);
  });

  it('are not added where the content has them', () => {
    expect(textOf('# A\n\nx ^a\n', 'A', 'y\n\nz ^A')).toBe('# A\n\ny\n\nz ^A\n');
  });
});

describe('a block that an id names', () => {
  it.each([
    ['a ^i\n\nb\n', 'new', 'new ^i\n\nb\n'],
    ['a ^i\n\nb\n', 'new ^i', 'new ^i\n\nb\n'],
    ['a\nb ^i\n', 'new\nline\n', 'new\nline ^i\n'],
    ['- a ^i\n  - k\n- b\n', '- new\n  - k2', '- new ^i\n  - k2\n- b\n'],
    ['| a |\n|---|\n\n^i\n\nb\n', '| b |\n|---|\n| c |', '| b |\n|---|\n| c |\n\n^i\n\nb\n'],
    ['```\na\n```\n\n^i\n', '```\nb\n```', '```\nb\n```\n\n^i\n'],
    ['a ^i\r\n\r\nb\r\n', 'x\ny', 'x\r\ny ^i\r\n\r\nb\r\n'],
    ['a ^i\n', '| b |\n|---|\n| c |', '| b |\n|---|\n| c |\n\n^i\n'],
    ['- x\n  - a ^i\n', '- new', '- x\n  - new ^i\n'],
  ])('%j with %j becomes %j, and the id still names it', (before, body, after) => {
    expect(textOf(before, '^i', body)).toBe(after);
    expect(textOf(after, '^i', body)).toBe(after);
    expect(findSection(read(after), '^i').kind).toBe('block');
  });

  it('is one block, and never empty', () => {
    expect(codeOf(() => replace('a ^i\n', '^i', 'b\n\nc'))).toBe('section_overrun');
    expect(codeOf(() => replace('a ^i\n', '^i', ' \n'))).toBe('bad_input');
  });
});

describe('a Logseq graph', () => {
  it.each([
    ['- ## G\n\t- a\n\t- b\n- c\n', 'G', '- x\n  - y\n\nz', '- ## G\n\t- x\n\t\t- y\n\t- z\n- c\n'],
    ['- ## G\n  k:: v\n\t- a\n- c\n', 'G', 'x', '- ## G\n  k:: v\n\t- x\n- c\n'],
    ['- p\n  - a\n- c\n', 'p', '- p\n  - q', '- p\n  - q\n- c\n'],
    ['- p\n\t- a\n- c\n', 'p', '', '- p\n- c\n'],
    ['- p\n- c\n', 'p', 'x', '- p\n\t- x\n- c\n'],
    ['- p', 'p', 'x', '- p\n\t- x'],
    ['- a\n  id:: 65f1\n\t- k\n- b\n', '^65f1', 'new\n\n', '- new\n  id:: 65f1\n- b\n'],
    [
      '- x\n\t- a\n\t  id:: 65f1\n- b\n',
      '^65f1',
      '- new\n  - k',
      '- x\n\t- new\n\t  id:: 65f1\n\t\t- k\n- b\n',
    ],
  ])('%j, %s with %j becomes %j', (before, section, body, after) => {
    expect(textOf(before, section, body, {}, 'logseq')).toBe(after);
    expect(textOf(after, section, body, {}, 'logseq')).toBe(after);
  });
});

describe('any note', () => {
  const section = fc.constantFrom('Plan', 'Log', 'Tasks', 'C# basics', 'Plan@1', 'Tasks@2', '^one', '^two');
  const subsections = fc.constantFrom(null, true, false);

  it('keeps every byte outside the section, and five equal calls leave equal bytes', () => {
    let done = 0;
    fc.assert(
      fc.property(noteText, section, content, subsections, (text, address, body, deep) => {
        const result = orRefused(() => replace(text, address, body, { subsections: deep }));
        if (result === null) return;
        done += 1;
        const note = read(text);
        const { content: old } = findSection(note, address, { subsections: deep ?? true });
        expect(result.text.startsWith(text.slice(0, old.start))).toBe(true);
        expect(result.text.endsWith(text.slice(old.end))).toBe(true);
        expect(longestBlankRun(result.text)).toBeLessThanOrEqual(
          Math.max(1, longestBlankRun(text), longestBlankRun(body)),
        );
        if (text.includes('\r\n')) expect(/(?<!\r)\n/.test(result.text)).toBe(false);
        let again = result.text;
        for (let time = 0; time < 4; time += 1) again = textOf(again, address, body, { subsections: deep });
        expect(again).toBe(result.text);
      }),
      { numRuns: RUNS },
    );
    expect(done).toBeGreaterThan(RUNS / 10);
  });

  it('keeps the headings outside the section, and every block id', () => {
    fc.assert(
      fc.property(noteText, section, content, subsections, (text, address, body, deep) => {
        const result = orRefused(() => replace(text, address, body, { subsections: deep }));
        if (result === null) return;
        const before = read(text);
        const after = read(result.text);
        const found = findSection(before, address, { subsections: deep ?? true });
        const outside = before.headings.filter(
          ({ start }) => start < found.content.start || start >= found.content.end,
        );
        if (found.kind === 'heading')
          expect(headingsOf(after)).toEqual(headingsOf({ ...before, headings: outside }));
        const ids = new Set(after.blocks.map(({ id }) => id));
        if (result.remarks.every((remark) => !remark.includes('gone')))
          for (const { id } of before.blocks) expect(ids.has(id)).toBe(true);
        expect(after.frontmatter).toEqual(before.frontmatter);
      }),
      { numRuns: RUNS },
    );
  });

  it('of Logseq keeps every byte outside the section', () => {
    const graph = fc
      .array(
        fc.tuple(
          fc.integer({ min: 0, max: 3 }),
          fc.constantFrom('a', 'p', '## G', 'TODO x', 'k\n  id:: 65f1'),
        ),
        {
          minLength: 1,
          maxLength: 8,
        },
      )
      .map((bullets) => {
        let depth = -1;
        return bullets
          .map(([wanted, text]) => {
            depth = Math.min(wanted, depth + 1);
            return `${'\t'.repeat(depth)}- ${text.replaceAll('\n', `\n${'\t'.repeat(depth)}`)}\n`;
          })
          .join('');
      });
    let done = 0;
    fc.assert(
      fc.property(graph, fc.constantFrom('p', 'G', 'p@2', '^65f1', 'a@1'), content, (text, address, body) => {
        const result = orRefused(() => replace(text, address, body, { subsections: true }, 'logseq'));
        if (result === null) return;
        done += 1;
        const { content: old } = findSection(read(text, 'logseq'), address);
        expect(result.text.startsWith(text.slice(0, old.start))).toBe(true);
        expect(result.text.endsWith(text.slice(old.end).trimStart())).toBe(true);
        expect(textOf(result.text, address, body, { subsections: true }, 'logseq')).toBe(result.text);
      }),
      { numRuns: RUNS },
    );
    expect(done).toBeGreaterThan(RUNS / 20);
  });
});
