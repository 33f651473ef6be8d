import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type FieldWeights,
  IdSet,
  type LexicalIndex,
  type NoteDocument,
  openLexicalIndex,
  type QueryNode,
} from './index.ts';
import { note, useIndices } from './testing/notes.ts';

const indices = useIndices();

const WORDS = [
  'river',
  'rivers',
  'running',
  'run',
  'ran',
  'stone',
  'stones',
  'C++',
  'c#',
  'café',
  'cafe',
  '東京都',
  '京都',
  '都',
  'поля',
  'поле',
  'don’t',
  'real-time',
  '1.0.21',
  '😀',
  'the',
  'of',
  'grove',
  'graves',
];
const PATHS = ['a', 'b', 'b/a', 'ä', 'Z', 'z', '0'];

const words = (most: number) =>
  fc.array(fc.constantFrom(...WORDS), { maxLength: most }).map((list) => list.join(' '));

interface Draft {
  readonly front: string;
  readonly body: string;
  readonly title: string;
  readonly aliases: string[];
  readonly headings: string[];
  readonly tags: string[];
}

const draft: fc.Arbitrary<Draft> = fc.record({
  front: words(3),
  body: fc.array(words(12), { maxLength: 6 }).map((lines) => lines.join('\n')),
  title: words(2),
  aliases: fc.array(words(2), { maxLength: 2 }),
  headings: fc.array(words(3), { maxLength: 2 }),
  tags: fc.array(fc.constantFrom('river', 'ai/ml', 'Grove'), { maxLength: 2 }),
});

function document(id: number, { front, body, ...parts }: Draft): NoteDocument {
  const head = front === '' ? '' : `---\nabout: ${front}\n---\n`;
  const path = `${PATHS[id % PATHS.length]}/${id % 3}-${id}.md`;
  return note(id, head + body, { ...parts, path, properties: front, bodyStart: head.length });
}

const fields: fc.Arbitrary<FieldWeights | undefined> = fc.option(
  fc.dictionary(
    fc.constantFrom(
      'title',
      'aliases',
      'headings',
      'tags',
      'path',
      'properties',
      'body',
      'title_exact',
      'body_exact',
    ),
    fc.constantFrom(0.5, 1, 2, 3),
    { minKeys: 1, maxKeys: 4 },
  ) as fc.Arbitrary<FieldWeights>,
  { nil: undefined },
);

const { node } = fc.letrec<{ node: QueryNode; leaf: QueryNode; bool: QueryNode }>((tie) => ({
  leaf: fc
    .record({
      kind: fc.constantFrom('word', 'word', 'phrase', 'prefix', 'fuzzy', 'all'),
      text: fc.oneof(words(2), fc.constantFrom('ru', 'r', 'rivre', 'stne', '東', '京', 'c', '')),
      fields,
      slop: fc.nat(2),
      distance: fc.constantFrom(1, 2),
      boost: fc.constantFrom(1, 1, 0.5, 2),
    })
    .map((raw) => raw as QueryNode),
  bool: fc
    .record({
      must: fc.array(tie('node') as fc.Arbitrary<QueryNode>, { maxLength: 2 }),
      should: fc.array(tie('node') as fc.Arbitrary<QueryNode>, { maxLength: 3 }),
      not: fc.array(tie('node') as fc.Arbitrary<QueryNode>, { maxLength: 1 }),
      boost: fc.constantFrom(1, 2),
    })
    .map((raw): QueryNode => ({ kind: 'bool', ...raw })),
  node: fc.oneof({ maxDepth: 2, depthIdentifier: 'query' }, tie('leaf'), tie('bool')),
}));

/** A history of changes: which notes are written (again), which removed, and where commits fall. */
const history = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: fc.tuple(fc.constant('write' as const), fc.nat(24), draft) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('remove' as const), fc.nat(24), fc.constant(null)) },
    { weight: 2, arbitrary: fc.tuple(fc.constant('commit' as const), fc.constant(0), fc.constant(null)) },
  ),
  { minLength: 1, maxLength: 60 },
);

/** Plays a history into the index and returns what is live in the end. */
async function play(index: LexicalIndex, steps: typeof history extends fc.Arbitrary<infer T> ? T : never) {
  const live = new Map<number, NoteDocument>();
  for (const [action, id, content] of steps) {
    if (action === 'write' && content !== null) {
      live.set(id, document(id, content));
      await index.add([document(id, content)]);
    } else if (action === 'remove') {
      live.delete(id);
      await index.remove(Uint32Array.of(id));
    } else await index.commit();
  }
  await index.commit();
  return live;
}

describe('a View', () => {
  it('answers as an index of only its notes does', async () => {
    await fc.assert(
      fc.asyncProperty(
        history,
        fc.array(fc.boolean(), { minLength: 25, maxLength: 25 }),
        fc.array(node, { minLength: 4, maxLength: 8 }),
        fc.nat(3),
        async (steps, visible, queries, offset) => {
          const large = await openLexicalIndex(indices.folder());
          const small = await openLexicalIndex(indices.folder());
          try {
            const live = await play(large, steps);
            const members = [...live.values()].filter(({ id }) => visible[id]);
            await small.add(members.toReversed());
            await small.commit();
            const view = IdSet.of(Uint32Array.from(members, ({ id }) => id));
            const filter = IdSet.of(Uint32Array.from({ length: 12 }, (_, at) => at * 2));
            for (const query of queries) {
              const shared = {
                query,
                limit: 5,
                offset,
                snippets: { chars: 40, perNote: 2, terms: 'stone of' },
              };
              const seen = await large.search({ ...shared, view });
              expect(seen).toEqual(await small.search({ ...shared, view: null }));
              expect(await large.search({ ...shared, view, filter })).toEqual(
                await small.search({ ...shared, view: null, filter }),
              );
            }
            const scan = { words: ['ri'], linesPerNote: 2, maxNotes: 3, after: 'b' };
            expect(await large.scan({ ...scan, view })).toEqual(await small.scan({ ...scan, view: null }));
            const near = { match: 'fuzzy', text: 'rivres', distance: 2 } as const;
            expect(await large.expand({ ...near, view })).toEqual(
              await small.expand({ ...near, view: null }),
            );
            const terms = ['river', 'run', '京都', 'absent'];
            expect(await large.documentFrequencies(terms, 'body', view)).toEqual(
              await small.documentFrequencies(terms, 'body', null),
            );
          } finally {
            await large.close();
            await small.close();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it('keeps its statistics apart from those of other Views of the same index', async () => {
    const notes = Array.from({ length: 20 }, (_, id) =>
      note(id, id % 2 === 0 ? 'river stone' : 'river moss'),
    );
    const index = await indices.open(notes);
    const even = IdSet.of(Uint32Array.from({ length: 10 }, (_, at) => at * 2));
    const score = async (view: IdSet | null) =>
      (await index.search({ query: { kind: 'word', text: 'stone' }, view, limit: 1 })).hits[0]?.score;
    const inEven = await score(even);
    expect(inEven).toBeLessThan((await score(null)) ?? 0);
    await index.add([note(20, 'nothing of that')]);
    await index.commit();
    expect(await score(even)).toBe(inEven);
  });
});
