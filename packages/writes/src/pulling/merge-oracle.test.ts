import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { change, type Files, fetched, filesOf, openedOver, twoSides } from '../testing/two-sides.ts';

const PATHS = [
  'A.md',
  'B.md',
  'Deep/C.md',
  'Deep/D.md',
  'Deep/er/E.md',
  'pic.bin',
  '.obsidian/app.json',
] as const;

/** A text of numbered lines; an edit names some of them anew, takes some out, and adds some behind others. */
const linesOf = (count: number) => Array.from({ length: count }, (_, at) => `line ${at}`);

const edit = fc.record({
  path: fc.constantFrom(...PATHS),
  kind: fc.constantFrom('change', 'remove', 'insert', 'delete', 'create'),
  at: fc.integer({ min: 0, max: 23 }),
});
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;

/** What a side makes of the base; `name` tells its words from those of the other, unless both write the same. */
function edited(base: Files, edits: readonly Edit[], name: string): Files {
  const files = new Map(Object.entries(base).map(([path, text]) => [path, String(text).split('\n')]));
  for (const { path, kind, at } of edits) {
    const lines = files.get(path);
    if (kind === 'create') files.set(`New/${name} ${at}.md`, [`${name}`, '']);
    else if (lines === undefined) continue;
    else if (kind === 'delete') files.delete(path);
    else if (kind === 'change') lines[at % lines.length] = `${name} changed ${at}`;
    else if (kind === 'remove') lines.splice(at % lines.length, 1);
    else lines.splice(at % lines.length, 0, `${name} added ${at}`);
  }
  const now = Object.fromEntries([...files].map(([path, lines]) => [path, lines.join('\n')]));
  const gone = Object.keys(base).filter((path) => !files.has(path));
  return { ...Object.fromEntries(gone.map((path) => [path, null])), ...now };
}

/** The tree that git's own merge makes without detecting renames, or null where it finds a conflict. */
function mergedByGit(ours: SystemGit, theirs: string): string | null {
  const git = new SystemGit(memoryFolder('oracle'));
  git.run('clone', '-q', ours.dir, '.');
  git.run('fetch', '-q', ours.dir, theirs);
  try {
    git.run('merge', '-q', '--no-edit', '-X', 'no-renames', theirs);
  } catch {
    return null;
  }
  return git.run('rev-parse', 'HEAD^{tree}').trim();
}

describeWithPrograms('a merge beside that of git itself', ['git'], () => {
  it('is the same where git finds no conflict, and loses no line of either where it does', {
    timeout: 240_000,
  }, async () => {
    let clean = 0;
    let conflicting = 0;
    const base: Files = Object.fromEntries(PATHS.map((path) => [path, `${linesOf(24).join('\n')}\n`]));
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.array(edit, { minLength: 1, maxLength: 6 }),
        fc.boolean(),
        async (mine, other, same) => {
          const sides = twoSides(base);
          change(sides.theirs.dir, edited(base, other, same ? 'both' : 'theirs'));
          sides.theirs.commit();
          change(sides.ours.dir, edited(base, mine, same ? 'both' : 'ours'));
          sides.ours.commit();
          const theirs = fetched(sides.ours, sides.theirs);
          const expected = mergedByGit(sides.ours, theirs);
          const before = filesOf(sides.ours.dir);
          const vault = await openedOver(sides);
          const { conflicts, kind } = await vault.engine.pull({ theirs, remote: 'origin' });
          await vault.engine.close();
          if (expected !== null && kind !== 'up_to_date') {
            clean += 1;
            expect(conflicts).toEqual([]);
            expect(sides.ours.run('rev-parse', 'HEAD^{tree}').trim()).toBe(expected);
          } else if (expected === null) {
            conflicting += 1;
            expect(conflicts).not.toEqual([]);
            const after = filesOf(sides.ours.dir);
            for (const { path, saved } of conflicts) {
              // Ours keeps every line of its own, and theirs is there whole.
              const kept = new Set((after[path] ?? '').split('\n'));
              for (const line of (before[path] ?? '').split('\n'))
                if (/^(?:ours|both) /.test(line)) expect(kept).toContain(line);
              if (saved !== null) expect(after[saved]).toBe(sides.theirs.run('show', `HEAD:${path}`));
            }
          }
          expectSound(sides.ours);
        },
      ),
      { numRuns: 40, endOnFailure: true },
    );
    expect(clean).toBeGreaterThan(3);
    expect(conflicting).toBeGreaterThan(3);
  });
});
