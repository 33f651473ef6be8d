import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BrokenLine, FLUSH, PktReader, pktLine, sideBand } from './pkt-line.ts';

async function* pieces(bytes: Buffer, sizes: readonly number[]): AsyncGenerator<Buffer> {
  let at = 0;
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length]!;
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

describe('lines of the protocol', () => {
  it('come whole from pieces of any size', async () => {
    const lines = fc.array(fc.string({ maxLength: 50 }), { maxLength: 10 });
    const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 });
    await fc.assert(
      fc.asyncProperty(lines, sizes, async (texts, cuts) => {
        const bytes = Buffer.concat([...texts.map(pktLine), FLUSH, Buffer.from('rest')]);
        const reader = new PktReader(pieces(bytes, cuts));
        for (const text of texts) expect((await reader.next())?.toString()).toBe(text);
        expect(await reader.next()).toBe('flush');
        const rest: Buffer[] = [];
        for await (const part of reader.rest()) rest.push(part);
        expect(Buffer.concat(rest).toString()).toBe('rest');
      }),
    );
  });

  it.each(['00', '0009ab', 'zzzz', '0003', '<htm'])('are refused where they break off: %s', async (text) => {
    await expect(new PktReader(pieces(Buffer.from(text), [2])).next()).rejects.toBeInstanceOf(BrokenLine);
  });

  it('carry data and words in bands', async () => {
    const lines = [pktLine('\u0001one '), pktLine('\u0002Counting\n'), pktLine('\u0001two'), FLUSH];
    const said: string[] = [];
    let data = '';
    const reader = new PktReader(pieces(Buffer.concat(lines), [3]));
    for await (const part of sideBand(reader, (text) => said.push(text))) data += part.toString();
    expect(data).toBe('one two');
    expect(said).toEqual(['Counting\n']);
    const failing = new PktReader(pieces(pktLine('\u0003no such object'), [64]));
    await expect(sideBand(failing, () => {}).next()).rejects.toThrow('no such object');
    const cut = new PktReader(pieces(lines[0]!, [64]));
    const stream = sideBand(cut, () => {});
    await stream.next();
    await expect(stream.next()).rejects.toBeInstanceOf(BrokenLine);
  });
});
