import { GroveError } from '@grove/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { writeNoteParameters } from './parameters.ts';
import { parseWriteNote } from './parse.ts';

const only = (raw: unknown) => {
  const { operations } = parseWriteNote(raw);
  expect(operations).toHaveLength(1);
  return operations[0]!;
};

const refusal = (raw: unknown): GroveError => {
  try {
    parseWriteNote(raw);
  } catch (error) {
    if (error instanceof GroveError) return error;
    throw error;
  }
  throw new Error('it was taken');
};

describe('one operation', () => {
  it('is a write unless it says otherwise', () => {
    expect(only({ path: 'A.md', content: 'x' })).toMatchObject({
      action: 'write',
      path: 'A.md',
      content: 'x',
    });
  });

  it('keeps content byte for byte: JSON text, white space, nothing at all', () => {
    for (const content of ['{"a": 1}', '["x"]', '  \n x \r\n', '', 'null', '\ufeff'])
      expect(only({ path: 'A.md', content }).content).toBe(content);
    expect(only({ path: 'A.md', action: 'append', content: 7 }).content).toBe('7');
  });

  it.each([{ a: 1 }, ['x'], { text: 'x' }])('refuses content that is no text, and says so: %j', (content) => {
    const error = refusal({ path: 'A.md', content });
    expect(error.code).toBe('bad_input');
    expect(error.message).toContain('"content" takes a text');
  });

  it.each(['a\u0000b', 'half \ud83d'])('refuses content that no note can hold: %j', (content) => {
    expect(refusal({ path: 'A.md', content }).code).toBe('bad_input');
  });

  it('refuses half a character in a name rather than mending it', () => {
    expect(refusal({ path: 'A\ud83d.md', content: 'x' }).code).toBe('bad_input');
  });

  it('takes frontmatter as an object, as JSON text and as YAML, with its fences or without', () => {
    const wanted = { tags: ['a', 'b'], due: '2026-12-01' };
    for (const frontmatter of [
      wanted,
      JSON.stringify(wanted),
      'tags: [a, b]\ndue: 2026-12-01',
      '---\ntags:\n  - a\n  - b\ndue: 2026-12-01\n---\n',
    ])
      expect(only({ path: 'A.md', content: 'x', frontmatter }).frontmatter).toEqual(wanted);
    expect(refusal({ path: 'A.md', content: 'x', frontmatter: 'a: [' }).code).toBe('bad_input');
    expect(only({ path: 'A.md', action: 'frontmatter', frontmatter: { a: 1 }, set: { b: 2 } })).toMatchObject(
      {
        set: { a: 1, b: 2 },
        frontmatter: null,
      },
    );
  });

  it.each([
    [[{ find: 'a', replace: 'b' }]],
    ['[{"find": "a", "replace": "b"}]'],
    [{ old_text: 'a', new_text: 'b' }],
    [[{ old_string: 'a', new_string: 'b', replace_all: false }]],
    [['{"find":"a","replace":"b"}']],
  ])('takes edits in the words of other tools: %j', (edits) => {
    expect(only({ path: 'A.md', action: 'edit', edits }).edits).toEqual([
      {
        find: 'a',
        replace: 'b',
        scope: 'body',
        all: false,
        regex: false,
        case: true,
        wholeWord: false,
        flexibleWhitespace: false,
      },
    ]);
  });

  it.each([
    [{ find: '', replace: 'b' }],
    [{ find: 'a' }],
    [{ find: 'a', replace: 'b', old_text: 'c' }],
    [{ find: 'a', replace: 'b', count: 1 }],
    [{ find: 'a', replace: 'half \ud83d' }],
    [{ find: 'a', replace: 'b', scope: 'title' }],
    ['a'],
  ])('refuses an edit that cannot be meant: %j', (edit) => {
    expect(['bad_input', 'unknown_parameter']).toContain(
      refusal({ path: 'A.md', action: 'edit', edits: [edit] }).code,
    );
  });

  it('takes lists as text, tags with or without their mark, and the quotes of an ETag', () => {
    expect(only({ path: 'A.md', action: 'tags', add: '#a, b/c', remove: '["#d"]' })).toMatchObject({
      add: ['a', 'b/c'],
      remove: ['d'],
    });
    for (const if_hash of ['ABCDEF0123456789', '"abcdef0123456789"', 'W/"abcdef0123456789"'])
      expect(only({ path: 'A.md', content: 'x', if_hash }).ifHash).toBe('abcdef0123456789');
  });

  it('tells what was meant by another name', () => {
    expect(refusal({ file: 'A.md', content: 'x' }).message).toContain('Did you mean "path"?');
    expect(refusal({ path: 'A.md', text: 'x' }).message).toContain('Did you mean "content"?');
    expect(refusal({ path: 'A.md', action: 'edit', old_string: 'a', new_string: 'b' }).message).toContain(
      '"edits"',
    );
    expect(refusal({ path: 'A.md', content: 'x', etag: 'x' }).message).toContain('"if_hash"');
  });

  it.each([
    [{ content: 'x' }, '"path" is missing'],
    [{ path: 'A.md', action: 'append' }, '"content" is missing'],
    [{ path: 'A.md', action: 'replace', content: 'x' }, '"section" is missing'],
    [{ path: 'A.md', action: 'edit' }, '"edits" is missing'],
    [{ path: 'A.md', action: 'frontmatter' }, '"set" or "unset" or "frontmatter" is missing'],
    [{ path: 'A.md', action: 'tags', location: 'both' }, '"add" or "remove" is missing'],
    [{ path: 'A.md', action: 'move' }, '"to" is missing'],
    [{ path: 'A.md', content: 'x', section: 'Tasks' }, '"section" does not go with action write'],
    [{ path: 'A.md', action: 'append', content: 'x', set: { a: 1 } }, '"set" does not go with action append'],
    [
      { path: 'A.md', action: 'edit', edits: [{ find: 'a', replace: 'b' }], content: 'x' },
      '"content" does not go',
    ],
    [{ path: 'A.md', action: 'paint' }, 'one of write, append'],
    [{ path: 'A.md', content: 'x', if_hash_from_op: 0 }, 'names no earlier operation'],
  ])('%j: %s', (raw, words) => {
    const error = refusal(raw);
    expect(error.code).toBe('bad_input');
    expect(error.message).toContain(words);
  });
});

describe('a batch', () => {
  const one = { path: 'A.md', action: 'append', content: 'x' };

  it('is a list of operations, also as JSON text', () => {
    const operations = [one, { path: 'B.md', content: 'y', if_hash_from_op: 0 }];
    for (const raw of [
      { operations, atomic: true },
      { operations: JSON.stringify(operations), atomic: 'true' },
    ]) {
      const call = parseWriteNote(raw);
      expect(call).toMatchObject({ batch: true, atomic: true, dryRun: false, merge: true });
      expect(call.operations.map(({ path, ifHashFromOp }) => [path, ifHashFromOp])).toEqual([
        ['A.md', null],
        ['B.md', 0],
      ]);
    }
  });

  it('names every operation that cannot be read, at once', () => {
    const error = refusal({ operations: [one, { path: 'B.md', action: 'edit' }, { pth: 'C.md' }, one] });
    expect(error.code).toBe('batch_refused');
    expect(error.data.operations).toMatchObject([
      { op: 1, code: 'bad_input' },
      { op: 2, code: 'unknown_parameter' },
    ]);
  });

  it('has nothing of an operation beside it', () => {
    expect(refusal({ operations: [one], path: 'A.md' }).message).toContain(
      '"path" goes into each of the operations',
    );
    expect(parseWriteNote({ operations: [one], path: '', content: null }).batch).toBe(true);
    expect(refusal({ operations: Array(101).fill(one) }).code).toBe('bad_input');
  });
});

it('answers any JSON with an operation or a coded error', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.dictionary(fc.constantFrom(...Object.keys(writeNoteParameters)), fc.jsonValue()),
        fc.record({
          path: fc.string(),
          action: fc.constantFrom('edit', 'tags', 'append'),
          edits: fc.jsonValue(),
          add: fc.jsonValue(),
        }),
      ),
      (raw) => {
        try {
          parseWriteNote(raw);
        } catch (error) {
          expect(error).toBeInstanceOf(GroveError);
          expect((error as GroveError).message.length).toBeLessThan(800);
        }
      },
    ),
    { numRuns: 400 },
  );
});
