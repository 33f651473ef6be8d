import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { LineSplitter } from './lines.ts';

describe('LineSplitter', () => {
  it('gives the same lines however the stream is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' }).filter((line) => !/[\r\n]/.test(line))),
        fc.array(fc.nat(40)),
        (lines, cuts) => {
          const bytes = Buffer.from(lines.map((line) => `${line.toWellFormed()}\n`).join(''));
          const splitter = new LineSplitter();
          const seen: string[] = [];
          let at = 0;
          for (const cut of [...cuts, bytes.length]) {
            seen.push(...splitter.push(bytes.subarray(at, Math.min(at + cut, bytes.length))));
            at = Math.min(at + cut, bytes.length);
          }
          expect(seen).toEqual(lines.map((line) => line.toWellFormed()));
          expect(splitter.rest()).toHaveLength(0);
        },
      ),
    );
  });

  it('drops the CR of a Windows client and keeps what has no line break yet', () => {
    const splitter = new LineSplitter();
    expect(splitter.push(Buffer.from('{}\r\n{"a"'))).toEqual(['{}']);
    expect(splitter.rest().toString()).toBe('{"a"');
  });

  it('hands on what follows the first line untouched', () => {
    const splitter = new LineSplitter();
    expect(splitter.first(Buffer.from('hel'))).toBeNull();
    expect(splitter.first(Buffer.from('lo\nrest\nof it'))).toBe('hello');
    expect(splitter.rest().toString()).toBe('rest\nof it');
  });

  it('refuses a line past the limit, and takes the next one', () => {
    const splitter = new LineSplitter(8);
    const tooLong = (): unknown => splitter.push(Buffer.from('123456789'));
    expect(tooLong).toThrow(expect.objectContaining({ code: 'bad_input' }));
    expect(splitter.push(Buffer.from('12345678\n'))).toEqual(['12345678']);
  });
});
