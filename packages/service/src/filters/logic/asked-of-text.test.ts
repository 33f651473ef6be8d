import type { NoteRow } from '@grove/vault';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { parseMoment } from '../dates.ts';
import type { NoteFields } from '../fields.ts';
import type { AskedOfText, TrueOfText } from './asked-of-text.ts';
import { checkLogic } from './compile.ts';
import { Interpreter } from './interpreter.ts';
import { AskedNote } from './names.ts';
import { COMPARISONS } from './operators.ts';
import { PatternVerdicts } from './pattern-verdicts.ts';

import { isTrue, type Moments } from './values.ts';
import { Work } from './work.ts';

const MOMENTS: Moments = {
  read: (text) => parseMoment(text, { now: Date.UTC(2026, 11, 1), zone: 'UTC' }),
  write: (millis) => new Date(millis).toISOString(),
};

const NAMES = [
  'path',
  'tags',
  'links',
  'words',
  'modified',
  'created.x',
  'content',
  'frontmatter',
  'key',
  'a.b',
];
const ITEM_NAMES = ['', 'b', '0', 'current', 'accumulator', 'length'];

const value = fc.oneof(
  fc.constantFrom(null, true, false, 0, 1, 2, -1.5, '', '7', 'a', 'A/n.md', '2026-11-30', 'fox'),
  fc.array(fc.constantFrom(null, 1, 'a', 'fox'), { maxLength: 3 }),
);

/** Trees of every operator, `lists` lists deep. */
function trees(levels: number, lists: number): fc.Arbitrary<unknown> {
  const outer = '../../'.repeat(lists);
  const names = lists === 0 ? NAMES : [...ITEM_NAMES, ...NAMES.map((name) => `${outer}${name}`)];
  const variable = fc
    .tuple(fc.constantFrom(...names), fc.option(fc.constantFrom(1, 'a', null), { nil: undefined }))
    .map(([name, otherwise]) => ({ var: otherwise === undefined ? name : [name, otherwise] }));
  if (levels === 0) return fc.oneof(value, variable);
  const part = trees(levels - 1, lists);
  const operation = (operators: readonly string[], least: number, most: number) =>
    fc
      .tuple(fc.constantFrom(...operators), fc.array(part, { minLength: least, maxLength: most }))
      .map(([operator, args]) => ({ [operator]: args }));
  const list = fc.oneof(fc.constantFrom<unknown>({ var: `${outer}links` }, [1, 'a']), part);
  const over = fc
    .tuple(fc.constantFrom('map', 'filter', 'some', 'none', 'all'), list, trees(levels - 1, lists + 1))
    .map(([operator, list, each]) => ({ [operator]: [list, each] }));
  const reduce = fc
    .tuple(list, trees(levels - 1, lists + 1), fc.array(part, { minLength: 1, maxLength: 1 }))
    .map(([list, each, start]) => ({ reduce: [list, each, ...start] }));
  const pattern = fc
    .tuple(fc.constantFrom('glob', 'regexp'), fc.constantFrom('A/*', '^a', 'fox', '.'), part)
    .map(([operator, text, asked]) => ({ [operator]: [text, asked] }));
  const ofText = fc
    .tuple(
      fc.constantFrom('in', 'regexp', '<', '=='),
      fc.constantFrom<string | number>('fox', '^fox', '', 'a.*x'),
    )
    .map(([operator, wanted]) => ({ [operator]: [wanted, { var: `${outer}content` }] }));
  return fc.oneof(
    variable,
    ofText,
    { arbitrary: over, weight: 3 },
    reduce,
    pattern,
    fc.array(part, { maxLength: 2 }),
    operation(['and', 'or', 'if', '?:'], 0, 5),
    operation(['!', '!!', 'merge', 'cat', '+', '-', '*', '/', 'min', 'max'], 0, 3),
    operation([...Object.keys(COMPARISONS), '!=', '!==', 'in', '%'], 2, 3),
    operation(['substr'], 1, 3),
    fc
      .array(fc.constantFrom(...names.filter((name) => name !== '')), { minLength: 1, maxLength: 3 })
      .chain((some) => fc.constantFrom<unknown>({ missing: some }, { missing_some: [1, some] })),
  );
}

const notes = fc.record({
  words: fc.constantFrom(0, 2, 7),
  tags: fc.subarray(['a', 'b', 'fox']),
  links: fc.subarray(['A/n.md', 'B/n.md', 'fox']),
  modified: fc.constantFrom(0, Date.UTC(2026, 10, 30)),
  content: fc.constantFrom('', 'a fox', 'lynx\nfox'),
  key: value,
  a: fc.constantFrom({ b: 1 }, { b: [1, 'a'] }, null),
});

function asked(facts: Readonly<Record<string, unknown>>): AskedNote {
  const row = { path: 'A/n.md', tags: facts.tags, words: facts.words, size: 10 } as unknown as NoteRow;
  const frontmatter = { key: facts.key, a: facts.a };
  const fields: Partial<NoteFields> = {
    property: (_, key) => (key === 'a.b' ? (facts.a as { b?: unknown } | null)?.b : frontmatter.key),
    properties: () => frontmatter,
    times: () => ({ created: 0, modified: facts.modified as number }),
    links: () => facts.links as string[],
    content: () => facts.content,
    says: (of, question) => question.ask(facts.content as string, of, fields as NoteFields),
  };
  return new AskedNote(row, fields as NoteFields);
}

/** What is answered or thrown, and the steps it took. */
function outcome(run: (work: Work) => unknown): unknown {
  const work = new Work();
  work.begin('A/n.md');
  try {
    const answer = run(work);
    return { answer, spent: work.spent };
  } catch (cause) {
    return { message: String(cause) };
  }
}

/** Asks nothing of a text apart from the rest of the tree. */
class AsWritten extends Interpreter {
  readonly #steps: Work;
  readonly #moments: Moments;

  constructor(work: Work, moments: Moments) {
    super(work, moments);
    this.#steps = work;
    this.#moments = moments;
  }

  protected override askedOfText(asked: AskedOfText, note: AskedNote): boolean {
    // The steps go by the size of the file, whether its text is read or not.
    this.#steps.spend(asked.stepsFor(note));
    return isTrue(new Interpreter(new Work(), this.#moments).run(asked.written, note));
  }

  protected override trueOfText({ written }: TrueOfText, note: AskedNote): boolean {
    return isTrue(this.run(written, note));
  }
}

it('asks of texts what the tree says as it is written, in as many steps', async () => {
  await fc.assert(
    fc.asyncProperty(trees(3, 0), notes, async (tree, facts) => {
      const { checked } = await checkLogic(tree, MOMENTS, new PatternVerdicts()).catch(() => ({
        checked: null,
      }));
      fc.pre(checked !== null);
      const note = asked(facts);
      const apart = outcome((work) => isTrue(new Interpreter(work, MOMENTS).run(checked, note)));
      const asWritten = outcome((work) => isTrue(new AsWritten(work, MOMENTS).run(checked, note)));
      expect(apart).toEqual(asWritten);
    }),
    { numRuns: 2_000 },
  );
});
