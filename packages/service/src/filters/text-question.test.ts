import { findFences } from '@grove/markdown';
import { LinearRegex } from '@grove/native';
import type { NoteRow } from '@grove/vault';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textPattern } from '../notes/name-pattern.ts';
import type { NoteFields, TextQuestion } from './fields.ts';
import { holdsText, matchesRegex, passes } from './text-question.ts';
import { containsValue } from './values.ts';

const contains = (wanted: unknown): TextQuestion =>
  passes('contains', wanted, (value) => containsValue(value, wanted, 'value'));

/** True where the index would let the note go unread. */
async function isLeftOut({ needs }: TextQuestion, text: string): Promise<boolean> {
  if (needs === null) return false;
  const needed = await LinearRegex.compile(needs, { multiLine: true });
  return !needed.test(text);
}

const [ROW, FIELDS] = [{} as NoteRow, {} as NoteFields];
const answerOf = (question: TextQuestion, content: string): boolean =>
  question.ask(content, ROW, FIELDS).isYes;
const bodyOf = (text: string): string => text.slice(findFences(text).bodyStart);

/** Whole files, with all that may stand before a body. */
const files = fc
  .tuple(
    fc.constantFrom('', '\ufeff'),
    fc.constantFrom('', '---\n---', '---\na: b\n---\n', '---\r\na\r\n...\r\n', '---\na', '---\nA\n--- '),
    fc.array(
      fc.constantFrom(
        'a',
        'B',
        'İ',
        'e\u0301',
        'ſ',
        'K',
        '\u037e',
        '.',
        '-',
        '\n',
        '\r\n',
        ' ',
        '\ufeff',
        '😀',
      ),
    ),
  )
  .map(([mark, frontmatter, body]) => `${mark}${frontmatter}${body.join('')}`);

const pieces = fc.constantFrom(
  ...[
    'a',
    'B',
    'i',
    'k',
    's',
    ';',
    '.',
    '\\.',
    '^',
    '$',
    '\\b',
    '\\B',
    '\\A',
    '\\z',
    '|',
    '(?i)',
    '(?-m)',
    '(?m:^)',
  ],
  ...[
    '(?s).',
    '(?R)',
    '\\n',
    '\\w',
    '[^a]',
    'a*',
    '-',
    'é',
    '\\x{FEFF}',
    '()',
    '(?s-m:^)',
    '\\b{start}',
    '\\b{end-half}',
  ],
);

describe('where the index finds nothing of what a question needs, the answer is no', () => {
  it('of texts that are held', () =>
    fc.assert(
      fc.asyncProperty(
        files,
        fc.string({ maxLength: 3, unit: 'grapheme' }),
        fc.nat(),
        async (text, other, at) => {
          const body = bodyOf(text);
          for (const wanted of [other, body.slice(at % (body.length + 1)).slice(0, 3), '\ud83d']) {
            const question = holdsText(wanted);
            if (await isLeftOut(question, text)) expect(answerOf(question, body)).toBe(false);
          }
        },
      ),
      { numRuns: 500 },
    ));

  it('of regular expressions', () =>
    fc.assert(
      fc.asyncProperty(files, fc.array(pieces, { minLength: 1, maxLength: 4 }), async (text, parts) => {
        const regex = parts.join('');
        const matches = await textPattern(regex).catch(() => null);
        fc.pre(matches !== null);
        const question = matchesRegex(regex, matches!);
        if (await isLeftOut(question, text)) expect(matches!(bodyOf(text))).toBe(false);
      }),
      {
        numRuns: 3_000,
        examples: [
          ['\ufeffa', ['^', 'a']],
          ['---\na: b\n---', ['^', '$']],
        ],
      },
    ));

  it('of texts that are held whatever their case, by every character', () => {
    const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code));
    const questions = ascii.map(contains).filter(({ needs }) => needs !== null);
    const needs = questions.map((question) => new LinearRegex(question.needs!, { multiLine: true }));
    expect(questions.length).toBeGreaterThan(90);
    for (let code = 0x80; code <= 0x10ffff; code += 1) {
      if (code >= 0xd800 && code <= 0xdfff) continue;
      const character = String.fromCodePoint(code);
      const folded = character.normalize('NFC').toLowerCase().normalize('NFC');
      if (!/[\u0000-\u007f]/.test(folded)) continue;
      for (const [at, question] of questions.entries())
        if (answerOf(question, character))
          expect([character, needs[at]!.test(character)]).toEqual([character, true]);
    }
  });

  it('of longer texts that are held whatever their case', () =>
    fc.assert(
      fc.asyncProperty(files, fc.nat(), fc.integer({ min: 1, max: 4 }), async (text, at, length) => {
        const body = bodyOf(text);
        const start = at % (body.length + 1);
        for (const wanted of [
          body.slice(start, start + length),
          body.slice(start, start + length).toUpperCase(),
        ]) {
          const question = contains(wanted);
          if (await isLeftOut(question, text)) expect(answerOf(question, body)).toBe(false);
        }
      }),
      { numRuns: 1_000 },
    ));
});

it('needs something of what is mostly asked', () => {
  const asked = [holdsText('swap (chain)'), contains('Für Elise'), contains(7)];
  expect(asked.map(({ needs }) => needs)).toEqual(['swap \\(chain\\)', '(?i)r el[i\u0130]se', '(?i)7']);
  expect(matchesRegex('^- \\[', () => false).needs).toBe('(?:^- \\[)|\\A\\x{FEFF}');
});
