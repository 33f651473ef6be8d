import { expect, it } from 'vitest';
import { type DeltaBase, DeltaBases } from './delta-bases.ts';

it('bases that wait longest are let go and made anew', async () => {
  const made: string[] = [];
  const baseOf = (name: string, below: DeltaBase | null): DeltaBase => ({
    below,
    make: (bytes) => {
      made.push(name);
      return Buffer.concat([bytes ?? Buffer.alloc(0), Buffer.from(name)]);
    },
  });
  const bases = new DeltaBases(5);
  const a = baseOf('a', null);
  const b = baseOf('b', a);
  const c = baseOf('c', b);
  bases.hold(a, Buffer.from('a'));
  bases.hold(b, Buffer.from('ab'));
  bases.hold(c, Buffer.from('abc'));
  expect((await bases.bytesOf(c)).toString()).toBe('abc');
  expect((await bases.bytesOf(b)).toString()).toBe('ab');
  expect(made).toEqual([]);
  expect((await bases.bytesOf(a)).toString()).toBe('a');
  expect(made).toEqual(['a']);
  const large = baseOf('larger than the limit', null);
  bases.hold(large, Buffer.from('larger than the limit'));
  await bases.bytesOf(large);
  expect(made).toEqual(['a']);
  expect((await bases.bytesOf(c)).toString()).toBe('abc');
  expect(made).toEqual(['a', 'a', 'b', 'c']);
});
