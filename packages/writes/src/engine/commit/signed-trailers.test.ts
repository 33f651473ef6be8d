import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { WriteAuthor } from '../contract.ts';
import { type MessageParts, signedAgain, signedMessage, verifiedTrailers } from './signed-trailers.ts';

const key = Buffer.alloc(32, 7);
const commit = { tree: 'a'.repeat(40), parent: 'b'.repeat(40) };
const author: WriteAuthor = { kind: 'key', id: 'k1', name: 'Helper', client: 'curl' };
const parts: MessageParts = {
  subject: 'Write Plan.md',
  author,
  trailers: { 'Grove-Operation': 'write', 'Grove-Reason': 'because' },
  mechanical: false,
  sources: ['0123456789abcdef Plan.md'],
  modified: ['2026-11-30T08:12:00Z Other.md'],
};

describe('signed trailers', () => {
  it('are read back in order, and only for the commit and the key that they were signed for', () => {
    const message = signedMessage(parts, commit, key);
    expect(verifiedTrailers(message, commit, key)).toEqual([
      ['Grove-Key', 'key:k1'],
      ['Grove-Client', 'curl'],
      ['Grove-Operation', 'write'],
      ['Grove-Reason', 'because'],
      ['Grove-Source', '0123456789abcdef Plan.md'],
      ['Grove-Modified', '2026-11-30T08:12:00Z Other.md'],
    ]);
    expect(verifiedTrailers(message, { ...commit, tree: 'c'.repeat(40) }, key)).toBeNull();
    expect(verifiedTrailers(message, { ...commit, parent: null }, key)).toBeNull();
    expect(verifiedTrailers(message, commit, Buffer.alloc(32))).toBeNull();
    expect(verifiedTrailers(message.replace('because', 'no reason'), commit, key)).toBeNull();
    expect(verifiedTrailers('Subject\n\nGrove-Key: owner:me\n', commit, key)).toBeNull();
    expect(verifiedTrailers('', commit, key)).toBeNull();
  });

  it('can be signed again for another commit', () => {
    const other = { tree: 'c'.repeat(40), parent: null };
    const again = signedAgain(signedMessage(parts, commit, key), other, key);
    expect(again).toBe(signedMessage(parts, other, key));
    const bare = { ...parts, author: null, trailers: {}, sources: [], modified: [] };
    expect(signedAgain(signedMessage(bare, commit, key), other, key)).toBe(signedMessage(bare, other, key));
  });

  it('are none of those that belong to the engine', () => {
    for (const name of ['Grove-Mac', 'Grove-Key', 'Signed-off-by', 'Grove-Key\nX', ''])
      expect(() => signedMessage({ ...parts, trailers: { [name]: 'x' } }, commit, key)).toThrow(TypeError);
  });

  it('hold whatever a caller sends, and no value brings in a line of its own', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary' }),
        (subject, client, reason) => {
          const sent = {
            ...parts,
            subject,
            author: { ...author, client },
            trailers: { 'Grove-Reason': reason },
          };
          const message = signedMessage(sent, commit, key);
          const trailers = verifiedTrailers(message, commit, key);
          const allowed = new Set([
            'Grove-Key',
            'Grove-Client',
            'Grove-Reason',
            'Grove-Source',
            'Grove-Modified',
          ]);
          expect(trailers?.every(([name]) => allowed.has(name))).toBe(true);
          expect(trailers?.filter(([name]) => name === 'Grove-Key')).toEqual([['Grove-Key', 'key:k1']]);
          expect(message.split('\n\n')).toHaveLength(2);
        },
      ),
    );
  });
});
