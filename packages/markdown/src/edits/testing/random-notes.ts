import { isGroveError } from '@grove/core';
import fc from 'fast-check';
import type { Dialect, NoteText } from '../../model.ts';
import { parseNote } from '../../parse.ts';

/** How many random notes a property is tried with; `GROVE_TEST_RUNS` asks for more. */
export const RUNS = Number(process.env.GROVE_TEST_RUNS ?? 300);

/** A note as tests read it. */
export function read(text: string, dialect: Dialect = 'obsidian'): NoteText {
  return parseNote(text, { dialect, path: 'a.md' });
}

/** The error code that a call fails with. Other errors than ours are thrown on. */
export function codeOf(call: () => unknown): string {
  return failureOf(call).code;
}

/** The error that a call fails with. */
export function failureOf(call: () => unknown) {
  try {
    call();
  } catch (error) {
    if (isGroveError(error)) return error;
    throw error;
  }
  throw new Error('nothing was refused');
}

/** The answer of a call, or null where it was refused. */
export function orRefused<T>(call: () => T): T | null {
  try {
    return call();
  } catch (error) {
    if (isGroveError(error)) return null;
    throw error;
  }
}

const word = fc.constantFrom(
  'tree',
  'moss',
  'fern 🌲',
  'café',
  '漢字',
  'e\u0301',
  'x',
  '[[Note]]',
  '`code`',
  '**b**',
);
const line = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '));

/** A block of Markdown, its lines parted by `\n`. */
export const block = fc.oneof(
  line,
  fc.array(line, { minLength: 2, maxLength: 3 }).map((lines) => lines.join('\n')),
  fc.array(line, { minLength: 1, maxLength: 4 }).map((lines) => lines.map((item) => `- ${item}`).join('\n')),
  fc
    .array(line, { minLength: 1, maxLength: 3 })
    .map((lines) => lines.map((item) => `* ${item}\n  - sub`).join('\n')),
  line.map((item) => `1. ${item}\n2. ${item}\n\n   more`),
  line.map((text) => `\`\`\`js\n## ${text}\n\n\n- no\n\`\`\``),
  line.map((text) => `~~~\n${text}\n~~~`),
  line.map((text) => `| a | b |\n| - | - |\n| ${text} | 2 |`),
  line.map((text) => `> ${text}\n> more`),
  line.map((text) => `%% ${text} %%`),
  line.map((text) => `<!-- ${text} -->`),
  line.map((text) => `    ${text}`),
  line.map((text) => `$$\n${text}\n$$`),
  fc.constantFrom(
    '---',
    '***',
    '#tag #a/b',
    'text #tag',
    '- [ ] task',
    '\u00a0',
    'trailing  ',
    '\\#no',
    '<div>\nx\n</div>',
  ),
);

/** A heading, its text one of a few so that equal ones occur. */
export const heading = fc
  .tuple(fc.integer({ min: 1, max: 4 }), fc.constantFrom('Plan', 'Log', 'Tasks', 'C# basics', 'Ende ✓'))
  .map(([level, text]) => `${'#'.repeat(level)} ${text}`);

const idBlock = fc
  .tuple(line, fc.constantFrom('one', 'two', 'three-3'), fc.boolean())
  .map(([text, id, own]) => (own ? `| ${text} |\n| - |\n\n^${id}` : `${text} ^${id}`));

const gap = fc.constantFrom('\n', '\n\n', '\n\n', '\n\n', '\n\n\n', '\n  \n', '\n\n\n\n');

/** A body: headings and blocks with all kinds of gaps, `\n` for line breaks. */
export const body = fc
  .tuple(
    fc.constantFrom('', '', '\n', '\n\n'),
    fc.array(fc.tuple(fc.oneof(block, heading, heading, idBlock), gap), { maxLength: 9 }),
    fc.constantFrom('', '', '\n', '\n\n'),
  )
  .map(([start, parts, end]) => {
    const text = parts.map(([part, after]) => part + after).join('');
    return start + text.trimEnd() + (text === '' ? '' : end);
  });

/** One property as frontmatter writes it. */
export const property = fc.constantFrom(
  'title: Old # why',
  'due: 2026-11-30',
  "quoted: 'it''s'",
  'double: "a: b"',
  'tags: [a, b] # two',
  'tags:\n  - a\n  - 2024\n  - {x: 1} # odd\n  - "b"',
  'tags: a, b',
  'aliases:\n- One\n- Two',
  'text: |\n  line\n\n  more',
  'folded: >-\n  one\n  two',
  'nested:\n  a: 1\n  # inside\n  b: [x,   y]',
  'empty:',
  'spaced  :   yes',
  'flow: {a: 1, b: [2]}',
  'link: "[[Note]]"',
  'bare: [[Note]]',
  'n: 007',
  'emoji: 🌲',
  '漢: 字',
);

const comment = fc.constantFrom('', '', '', '# note\n', '\n', '\n# about\n');

/** A frontmatter block of some properties with comments between, or ''. */
export const frontmatter = fc.oneof(
  fc.constant(''),
  fc
    .tuple(
      fc.uniqueArray(property, { maxLength: 6, selector: (text) => text.split(/\s*:/, 1)[0] }),
      fc.array(comment),
    )
    .map(([properties, comments]) => {
      const lines = properties.map((text, index) => `${comments[index] ?? ''}${text}\n`);
      return `---\n${lines.join('')}---\n`;
    }),
);

/** How a file is written: its line breaks, its byte order mark. */
const fileForm = fc.record({ crlf: fc.boolean(), bom: fc.boolean() });

/** A whole note of any of these. */
export const noteText = fc
  .tuple(frontmatter, body, fileForm)
  .map(
    ([head, text, { crlf, bom }]) =>
      (bom ? '\ufeff' : '') + (crlf ? (head + text).replaceAll('\n', '\r\n') : head + text),
  );

/** Content without headings, such as goes into a section. */
export const content = fc.array(block, { minLength: 1, maxLength: 3 }).map((blocks) => blocks.join('\n\n'));

const MARKS = [
  '---\n',
  '...\n',
  'tags: [a, b]\n',
  'a: [[b]]\n',
  'k: &x [*x]\n',
  '# ',
  '## H\n',
  '\n',
  '\r\n',
  '\r',
  '- ',
  '\t- ',
  '  - ',
  '1. ',
  '> ',
  '```',
  '~~~',
  '`',
  '$$',
  '%%',
  '<!--',
  '-->',
  '<b>',
  '[[',
  ']]',
  '|',
  '#',
  '^',
  '](',
  ']: x\n',
  '**',
  ' #tag',
  ' ^id',
  '^id\n',
  'a:: b\n',
  'id:: x\n',
  '((',
  'TODO ',
  '[ ] ',
  '://',
  '\\',
  '\ufeff',
  '🌲',
  '漢',
  'e\u0301',
  '\u200d',
  '\u2028',
  '| a |\n|---|\n',
  '===\n',
  '    ',
  'word ',
  'x',
];

/** Text of all marks in any order, as no one writes it. */
export const hostileText = fc.oneof(
  fc.array(fc.constantFrom(...MARKS), { maxLength: 40 }).map((marks) => marks.join('')),
  fc
    .array(fc.constantFrom(...MARKS), { maxLength: 20 })
    .map((marks) => `---\n${marks.join('')}\n---\n# H\n${marks.join('')}`),
);

/** The longest run of blank lines. */
export function longestBlankRun(text: string): number {
  let longest = 0;
  for (const run of text.match(/(?:^|\n)(?:[ \t]*\r?\n)+/g) ?? []) {
    const breaks = run.split('\n').length - 1;
    longest = Math.max(longest, run.startsWith('\n') ? breaks - 1 : breaks);
  }
  return longest;
}

/** True when `after` is `before` with one stretch put in. */
export function isInsertion(before: string, after: string): boolean {
  let head = 0;
  while (head < before.length && before[head] === after[head]) head += 1;
  let tail = 0;
  while (tail < before.length && before.at(-1 - tail) === after.at(-1 - tail)) tail += 1;
  return after.length >= before.length && head + tail >= before.length;
}

/** The headings of a note, as they are told apart. */
export function headingsOf(note: NoteText): string[] {
  return note.headings.map(({ level, text }) => `${level} ${text}`);
}
