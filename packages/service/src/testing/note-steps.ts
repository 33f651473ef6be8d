import fc from 'fast-check';
import { expect } from 'vitest';

const LINE_ENDS = ['\n', '\r\n'];

/** Texts in which every part has a name of its own, so that what an operation named can be told from the rest. */
export const noteText = fc
  .record({
    bom: fc.boolean(),
    end: fc.constantFrom(...LINE_ENDS),
    front: fc.boolean(),
    sections: fc.integer({ min: 0, max: 3 }),
    lastEnd: fc.boolean(),
    odd: fc.constantFrom(
      '',
      '\t- [ ]  odd   spaces  ',
      '```\n# no heading\n```',
      '| a | b |\n|---|---|',
      '👩‍👩‍👧 é',
      '%% hidden %%',
    ),
  })
  .map(({ bom, end, front, sections, lastEnd, odd }) => {
    const lines = [
      ...(front
        ? ['---', "key0: 'one' # why", 'key1:   [1,  2]', 'key2: >-', '  folded', '  text', '---']
        : []),
      '# Title',
      '',
      'Word0 stands here.',
      ...Array.from({ length: sections }, (_, at) =>
        ['', `## Part ${at}`, '', `Word${at + 1} stands there.`, odd].join('\n'),
      ),
    ];
    const text = lines.join('\n').replaceAll('\n', end);
    return `${bom ? '\ufeff' : ''}${text}${lastEnd ? end : ''}`;
  });

export type Step = {
  readonly note: number;
  readonly kind: string;
  readonly at: number;
  readonly words: string;
};

export const anyStep: fc.Arbitrary<Step> = fc.record({
  note: fc.integer({ min: 0, max: 2 }),
  kind: fc.constantFrom(
    'append',
    'prepend',
    'section',
    'replace',
    'edit',
    'set',
    'unset',
    'tags',
    'write',
    'fail',
    'stale',
    'dry',
  ),
  at: fc.integer({ min: 0, max: 3 }),
  words: fc.constantFrom('plain words', '- item', '漢字 and 🙂', 'two\n\nparagraphs', '$& $1 \\1'),
});

/** The call that a step stands for, less its path. */
export function callOf({ kind, at, words }: Step): object {
  switch (kind) {
    case 'append':
    case 'prepend':
      return { action: kind, content: words, repeat: true };
    case 'section':
      return { action: 'append', section: `Part ${at}`, content: words, repeat: true };
    case 'replace':
      return { action: 'replace', section: `Part ${at}`, content: words, if_hash: '*' };
    case 'edit':
      return {
        action: 'edit',
        edits: [{ find: `Word${at} stands`, replace: editedWords(at, words) }],
      };
    case 'set':
      return { action: 'frontmatter', set: { [`key${at}`]: words } };
    case 'unset':
      return { action: 'frontmatter', unset: [`key${at}`] };
    case 'tags':
      return { action: 'tags', add: [`tag${at}`] };
    case 'write':
      return { content: `# Anew\n\nWord${at} stands here.\n\n${words}\n`, if_hash: '*', overwrite: true };
    case 'fail':
      return {
        action: 'edit',
        edits: [
          { find: 'Word', replace: 'x', all: true },
          { find: 'no such words', replace: 'y' },
        ],
      };
    case 'stale':
      return { action: 'append', content: words, if_hash: 'ffffffffffffffff' };
    default:
      return { action: 'append', content: words, repeat: true, dry_run: true };
  }
}

/** The lines without their breaks, which a change at the end of a file may have to add, and without its mark. */
const lines = (text: string): string[] => text.replace(/^\ufeff/, '').split(/\r?\n/);

/** True when `part` is what is left of `whole` after taking out some of its lines. */
function isPartOf(part: readonly string[], whole: readonly string[]): boolean {
  let at = 0;
  for (const line of whole) if (at < part.length && part[at] === line) at += 1;
  return at === part.length;
}

/** Whether a change touched only what its step named. */
const ORACLES: Readonly<Record<string, (step: Step, before: string, after: string) => void>> = {
  append: (_, before, after) => expect(isPartOf(lines(before), lines(after)), after).toBe(true),
  edit: ({ at, words }, before, after) =>
    expect(after).toBe(before.replace(`Word${at} stands`, () => editedWords(at, words))),
  set: (_, before, after) => {
    const others = lines(before).filter((line) => !/^(?:key\d|tags)\b|^ {2}|^---$/.test(line));
    expect(isPartOf(others, lines(after)), after).toBe(true);
    expect(bodyOf(after)).toBe(bodyOf(before));
  },
  replace: ({ at }, before, after) => {
    const heading = lines(before).indexOf(`## Part ${at}`);
    expect(lines(after).slice(0, heading + 1)).toEqual(lines(before).slice(0, heading + 1));
  },
  write: (_, before, after) => expect(after.startsWith('\ufeff')).toBe(before.startsWith('\ufeff')),
};

const ORACLE_OF: Readonly<Record<string, string>> = {
  prepend: 'append',
  section: 'append',
  unset: 'set',
  tags: 'set',
};

/** Fails where bytes changed that the step did not name: all of them, when nothing was written. */
export function expectOnlyNamed(step: Step, before: string, after: string, written: boolean): void {
  const oracle = ORACLES[ORACLE_OF[step.kind] ?? step.kind];
  if (!written || oracle === undefined) expect(after).toBe(before);
  else oracle(step, before, after);
}

function bodyOf(text: string): string {
  return text.replace(/^\ufeff?(?:---\r?\n[\s\S]*?\n---(?:\r?\n|$))?/, '');
}

function editedWords(at: number, words: string): string {
  return `Word${at} stands, ${words.split('\n')[0]}, and stands`;
}
