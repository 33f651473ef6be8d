import { parseNote } from '@grove/markdown';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { findWrittenTarget, writeTarget } from './written-target.ts';

const read = (text: string, dialect: 'obsidian' | 'logseq' = 'obsidian') =>
  parseNote(text, { dialect, path: 'Note.md' });

/** The text with the targets of all its links written anew. */
function rewritten(text: string, target: string, dialect: 'obsidian' | 'logseq' = 'obsidian'): string {
  const found = read(text, dialect).links.flatMap((link) => findWrittenTarget(text, link, dialect) ?? []);
  let after = text;
  for (const one of found.sort((a, b) => b.start - a.start)) {
    const source = writeTarget(target, text.slice(one.start, one.end), one);
    after = after.slice(0, one.start) + source + after.slice(one.end);
  }
  return after;
}

describe('the target of a link', () => {
  it.each([
    ['[[Old]]', '[[New note]]'],
    ['![[ Old ]]', '![[ New note ]]'],
    ['[[Old#A#B|x]]', '[[New note#A#B|x]]'],
    ['[[Old|]]', '[[New note|]]'],
    ['[a [b] c](Old.md)', '[a [b] c](New%20note)'],
    ['[x](Old.md "a ](b) c")', '[x](New%20note "a ](b) c")'],
    ["[x]( Old_(1).md 't' )", "[x]( New%20note 't' )"],
    ['[x](Old%20a.md#H%20x)', '[x](New%20note#H%20x)'],
    ['[x](<Old a.md#H>)', '[x](<New note#H>)'],
    ['[![p](Old.md)](Old.md)', '[![p](New%20note)](New%20note)'],
    ['![p](Old.md)', '![p](New%20note)'],
    ['[ref]: Old.md "t"', '[ref]: New%20note "t"'],
    ['[ref]: <Old.md>', '[ref]: <New note>'],
    ['`[[Old]]` [x](https://a.b/Old.md)', '`[[Old]]` [x](https://a.b/Old.md)'],
    ['---\na: "[[Old|x]]"\n---\n', '---\na: "[[New note|x]]"\n---\n'],
    ['---\na: ["[[Old]]", \'[[Old#h]]\']\n---\n', '---\na: ["[[New note]]", \'[[New note#h]]\']\n---\n'],
    ['---\na: "[t](Old.md)"\n---\n', '---\na: "[t](New%20note)"\n---\n'],
  ])('in %j', (before, after) => {
    expect(rewritten(before, 'New note')).toBe(after);
  });

  it('is not written at a use of a reference', () => {
    expect(rewritten('[text][ref] and [ref]\n\n[ref]: Old.md\n', 'New')).toBe(
      '[text][ref] and [ref]\n\n[ref]: New\n',
    );
  });

  it('is all between the brackets in Logseq', () => {
    expect(rewritten('- [[Old#x|y]] [label]([[Old]])', 'New/Page', 'logseq')).toBe(
      '- [[New/Page]] [label]([[New/Page]])',
    );
  });

  it('keeps quotes and backslashes of YAML as they must be', () => {
    expect(rewritten("---\na: '[[Old]]'\n---\n", "Ada's")).toBe("---\na: '[[Ada''s]]'\n---\n");
    expect(read(rewritten("---\na: '[[Old]]'\n---\n", "Ada's")).links[0]?.target).toBe("Ada's");
  });

  it('writes letters of other scripts as the link did', () => {
    expect(rewritten('[x](%C3%BC.md)', 'ä b.md')).toBe('[x](%C3%A4%20b.md)');
    expect(rewritten('[x](ü.md)', 'ä b.md')).toBe('[x](ä%20b.md)');
  });

  it('reads back as it was meant, whatever a file may be called', () => {
    const name = fc
      .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
      .filter(
        (text) =>
          text === text.trim() && !/[/\\\u0000-\u001f\u007f\u00a0]/.test(text) && !/^\.|^[a-z]+:/i.test(text),
      );
    fc.assert(
      fc.property(
        fc.array(name, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.md`),
        fc.constantFrom(
          '[x](Old.md)',
          '![x](Old%20a.md "t")',
          '[x](<Old.md#H>)',
          '[ref]: Old.md',
          '[x](%C3%BC.md)',
        ),
        (target, link) => {
          const after = rewritten(`before ${link === '[ref]: Old.md' ? '\n\n' : ''}${link}\n`, target);
          const links = read(after).links;
          expect(
            links.map((one) => one.target),
            after,
          ).toEqual([target]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
