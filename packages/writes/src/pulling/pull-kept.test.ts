import { existsSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { change, committed, openedOver, pulled, twoSides } from '../testing/two-sides.ts';

/** Larger than a pull takes in hand, and quickly compressed. */
const FILM = Buffer.alloc(64 * 1024 * 1024 + 1);
const LINES = 'one\n\n\n\n\ntwo\n';

describeWithPrograms('a pull', ['git'], () => {
  it('leaves a file that is too large to the history, and takes the rest', { timeout: 120_000 }, async () => {
    const sides = twoSides({ 'A.md': 'a\n', 'x.bin': 'small\n', 'large.bin': 'small\n' });
    const vault = await openedOver(sides);
    change(sides.theirs.dir, { 'film.bin': FILM, 'x.bin': FILM });
    const tip = committed(sides.theirs, { 'A.md': 'b\n' });
    change(vault.root, { 'large.bin': '' });
    truncateSync(join(vault.root, 'large.bin'), FILM.length);
    const { conflicts, head } = await pulled(vault, sides.theirs);
    expect(conflicts).toEqual([{ path: 'x.bin', why: 'kinds', saved: null }]);
    expect(
      vault.problems.map(({ path, message }) => [path, /larger than 64 MB/.test(message)]).sort(),
    ).toEqual([
      ['film.bin', true],
      ['x.bin', true],
    ]);
    expect(vault.text('A.md')).toBe('b\n');
    expect(vault.text('x.bin')).toBe('small\n');
    expect(existsSync(join(vault.root, 'film.bin'))).toBe(false);
    // It stays theirs, in the history and in the index.
    const id = (at: string) => sides.ours.run('rev-parse', at).trim();
    expect(id(`${head}:film.bin`)).toBe(id(`${tip}:film.bin`));
    expectSound(sides.ours, ['large.bin']);
    // One that is here stays, whatever they have; and one that became small comes.
    committed(sides.theirs, { 'film.bin': 'short\n', 'large.bin': 'theirs\n' });
    expect((await pulled(vault, sides.theirs)).conflicts).toMatchObject([
      { path: 'large.bin', why: 'kinds' },
    ]);
    expect(vault.text('film.bin')).toBe('short\n');
    expectSound(sides.ours, ['large.bin']);
  });

  it('is refused where it would lose what a person has staged', async () => {
    const sides = twoSides({ 'A.md': LINES, 'B.md': 'b\n' });
    const vault = await openedOver(sides);
    const staged = LINES.replace('one', 'staged');
    change(vault.root, { 'A.md': staged, 'New.md': 'new\n' });
    sides.ours.run('add', '.');
    committed(sides.theirs, { 'B.md': 'theirs\n' });
    change(vault.root, { 'A.md': LINES.replace('one', 'disk') });
    // Where it does not touch the path, both stay as they are.
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'fast_forward' });
    committed(sides.theirs, { 'A.md': LINES.replace('two', 'TWO') });
    await expect(pulled(vault, sides.theirs)).rejects.toMatchObject({
      code: 'git_in_operation',
      data: { path: 'A.md' },
    });
    expect(sides.ours.run('show', ':A.md')).toBe(staged);
    sides.ours.run('restore', '--staged', 'A.md');
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'merged', conflicts: [] });
    expect(vault.text('A.md')).toBe('disk\n\n\n\n\nTWO\n');
    expect(sides.ours.run('status', '--porcelain')).toBe('A  New.md\n');
  });
});
