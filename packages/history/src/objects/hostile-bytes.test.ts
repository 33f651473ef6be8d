import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseCommit, trailers } from './commit.ts';
import { applyDelta } from './delta.ts';
import { PackIndex } from './pack-index.ts';
import { parseTree } from './tree.ts';

const bytes = fc.uint8Array({ maxLength: 400 }).map((array) => Buffer.from(array));

/** Anything goes but hanging, or an error that is not the repository's. */
function survives(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    expect(error).toMatchObject({ code: 'repository_unreadable' });
  }
}

describe('hostile bytes', () => {
  it('in a delta', () => {
    const delta = fc.oneof(
      bytes,
      // Sizes that fit, so that the instructions are reached.
      bytes.map((rest) => Buffer.concat([Buffer.from([10, 20]), rest])),
    );
    fc.assert(fc.property(delta, (input) => survives(() => applyDelta(Buffer.alloc(10), input, 1000))));
  });

  it('in a tree', () => {
    const entry = fc.tuple(fc.constantFrom('100644', '40000', '9', '', '100644 a'), bytes);
    const tree = fc
      .array(entry)
      .map((entries) =>
        Buffer.concat(entries.flatMap(([mode, rest]) => [Buffer.from(`${mode} name\0`), rest])),
      );
    fc.assert(fc.property(fc.oneof(bytes, tree), (input) => survives(() => parseTree(input))));
  });

  it('in the index of a pack', () => {
    const header = Buffer.from('ff744f6300000002', 'hex');
    const big = fc
      .uint8Array({ minLength: 1100, maxLength: 1500 })
      .map((rest) => Buffer.concat([header, rest]));
    const name = fc.uint8Array({ minLength: 20, maxLength: 20 }).map((array) => Buffer.from(array));
    fc.assert(
      fc.property(fc.oneof(bytes, big), name, (input, oid) =>
        survives(() => new PackIndex(input).offsetOf(oid)),
      ),
    );
  });

  it('in a commit', () => {
    const tree = `tree ${'a'.repeat(40)}\n`;
    const commit = fc.oneof(
      bytes,
      fc.string().map((text) => Buffer.from(`${tree}${text}`)),
    );
    fc.assert(
      fc.property(commit, (input) =>
        survives(() => {
          const { author, message } = parseCommit('0'.repeat(40), input);
          expect(Number.isSafeInteger(author.time)).toBe(true);
          trailers(message);
        }),
      ),
    );
  });
});

describe('parseCommit', () => {
  const parse = (text: string) => parseCommit('0'.repeat(40), Buffer.from(text, 'latin1'));
  const tree = `tree ${'a'.repeat(40)}`;

  it('reads a message in the encoding that the commit names, and others as UTF-8', () => {
    const author = 'author J\xf6rg <j@example.org> 1700000000 -0730';
    const latin = parse(`${tree}\n${author}\nencoding ISO-8859-1\n\nGr\xfc\xdfe\n`);
    expect(latin).toMatchObject({ message: 'Grüße\n', author: { name: 'Jörg', offset: -450 } });
    expect(parse(`${tree}\nencoding no-such-thing\n\nx`).message).toBe('x');
  });

  it('is not misled by a signature or by headers in the message', () => {
    const signed = parse(
      `${tree}\nauthor A <a@b> 5 +0000\ncommitter C <c@d> 6 +0000\ngpgsig -----BEGIN\n author X <x@y> 9 +0000\n\n` +
        `author Z <z@z> 1 +0000\n`,
    );
    expect(signed).toMatchObject({ author: { name: 'A', time: 5000 }, committer: { name: 'C', time: 6000 } });
  });

  it('reads strange times as they are or as zero', () => {
    expect(parse(`${tree}\nauthor A <a@b> -5 +0000\n\n`).author.time).toBe(-5000);
    expect(parse(`${tree}\nauthor A <a@b> 999999999999999 +0000\n\n`).author.time).toBe(0);
    expect(parse(`${tree}\nauthor broken\n\n`).author.time).toBe(0);
  });
});

describe('trailers', () => {
  it.each([
    ['Subject\n\nBody\n\nGrove-Mechanical: discovery\nX: 1\n', { 'grove-mechanical': 'discovery', x: '1' }],
    ['Subject\r\n\r\nGrove-Mechanical: yes\r\n', { 'grove-mechanical': 'yes' }],
    ['Grove-Mechanical: in the subject', {}],
    ['Subject\n\nGrove-Mechanical: early\n\nLast paragraph', {}],
    ['', {}],
  ])('of %j are %j', (message, expected) => {
    expect(Object.fromEntries(trailers(message))).toEqual(expected);
  });
});
