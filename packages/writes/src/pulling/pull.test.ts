import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { committed, filesOf, openedOver, pulled, twoSides } from '../testing/two-sides.ts';

describeWithPrograms('a pull', ['git'], () => {
  it('goes fast-forward without a commit of its own where the vault has nothing new', async () => {
    const sides = twoSides({ 'A.md': 'a\n', 'Deep/B.md': 'b\n', 'Gone/C.md': 'c\n' });
    const vault = await openedOver(sides);
    const tip = committed(sides.theirs, { 'A.md': 'a\nmore\n', 'Gone/C.md': null, 'New/D.md': 'd\n' });
    expect(await pulled(vault, sides.theirs)).toEqual({
      kind: 'fast_forward',
      head: tip,
      changed: expect.arrayContaining(['A.md', 'Gone/C.md', 'New/D.md']),
      conflicts: [],
    });
    expect(filesOf(vault.root)).toEqual({ 'A.md': 'a\nmore\n', 'Deep/B.md': 'b\n', 'New/D.md': 'd\n' });
    expect(sides.ours.run('rev-parse', 'HEAD').trim()).toBe(tip);
    expectSound(sides.ours);
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'up_to_date', changed: [] });
  });

  it('merges by file and by line where both have something new', async () => {
    const sides = twoSides({ 'A.md': 'one\ntwo\nthree\nfour\n', 'B.md': 'b\n' });
    const vault = await openedOver(sides);
    committed(sides.theirs, { 'A.md': 'one\ntwo\nthree\nFOUR\n', 'Theirs.md': 't\n' });
    await vault.write('A.md', 'ONE\ntwo\nthree\nfour\n');
    await vault.write('Ours.md', 'o\n');
    const outcome = await pulled(vault, sides.theirs);
    expect(outcome).toMatchObject({ kind: 'merged', conflicts: [] });
    expect(filesOf(vault.root)).toEqual({
      'A.md': 'ONE\ntwo\nthree\nFOUR\n',
      'B.md': 'b\n',
      'Ours.md': 'o\n',
      'Theirs.md': 't\n',
    });
    expect(sides.ours.run('log', '-1', '--format=%P').trim().split(' ')).toHaveLength(2);
    expect(vault.published).toEqual(expect.arrayContaining(['A.md', 'Theirs.md']));
    await vault.engine.settled();
    expectSound(sides.ours);
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'ahead' });
  });

  it('keeps both versions of a line that both changed, goes on, and says so (user-pains 22)', async () => {
    const sides = twoSides({ 'A.md': 'one\ntwo\nthree\nfour\n' });
    const vault = await openedOver(sides);
    committed(sides.theirs, { 'A.md': 'theirs\ntwo\nthree\nFOUR\n' });
    await vault.write('A.md', 'ours\ntwo\nthree\nfour\n');
    const outcome = await pulled(vault, sides.theirs);
    const [conflict] = outcome.conflicts;
    expect(conflict).toMatchObject({ path: 'A.md', why: 'lines' });
    expect(conflict?.saved).toMatch(/^A \(conflict \d{4}-\d\d-\d\d origin\)\.md$/);
    expect(filesOf(vault.root)).toEqual({
      'A.md': 'ours\ntwo\nthree\nFOUR\n',
      [conflict!.saved!]: 'theirs\ntwo\nthree\nFOUR\n',
    });
    expectSound(sides.ours);
    committed(sides.theirs, { 'B.md': 'goes on\n' });
    expect(await pulled(vault, sides.theirs)).toMatchObject({ kind: 'merged', conflicts: [] });
    expect(vault.text('B.md')).toBe('goes on\n');
    expectSound(sides.ours);
  });
});
