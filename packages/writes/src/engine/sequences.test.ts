import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseVaultPath, type VaultPath } from '@grove/core';
import { describeWithPrograms } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { KEY, openedEngine } from '../testing/opened-engine.ts';
import type { PlannedChange } from './contract.ts';

const PATHS = [
  'A.md',
  'B c.md',
  'Folder/D.md',
  'Folder/Deep/\u00c9t\u00e9 \u{1f331}.md',
  '[x].md',
  'Folder.md',
];

type Step =
  | { readonly kind: 'write'; readonly changes: readonly (readonly [path: number, text: string | null])[] }
  | { readonly kind: 'outside'; readonly path: number; readonly text: string | null }
  | { readonly kind: 'commit outside' }
  | { readonly kind: 'shell commit' }
  | { readonly kind: 'gc' }
  | { readonly kind: 'restart' };

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.constantFrom('', 'a\n', 'a\r\nb\r\n', 'no line end', '\ufeffwith a mark\n'),
);
const maybeText = fc.option(text, { freq: 5 });
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      changes: fc.uniqueArray(fc.tuple(fc.nat(PATHS.length - 1), maybeText), {
        minLength: 1,
        maxLength: 3,
        selector: ([path]) => path,
      }),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      kind: fc.constant('outside' as const),
      path: fc.nat(PATHS.length - 1),
      text: maybeText,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constantFrom('commit outside' as const, 'shell commit' as const, 'restart' as const),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('gc' as const) }) },
);

/** A plan that sets files to what they shall be, whatever they are. */
function requestFor(changes: readonly PlannedChange[]) {
  return {
    paths: changes.map(({ path }) => path),
    plan: () => ({ changes, subject: 'Set', trailers: {}, mechanical: false, answer: null }),
    author: KEY,
    idempotency: null,
  };
}

describeWithPrograms('any sequence of writes, saves and commits', ['git'], () => {
  it('leaves every file with the bytes it was given last, and repository, index and work tree equal', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 14 }), async (steps) => {
        const vault = await openedEngine({ 'A.md': 'a\n', 'Folder/D.md': 'd\n' });
        const model = new Map<string, string>([
          ['A.md', 'a\n'],
          ['Folder/D.md', 'd\n'],
        ]);
        const set = (path: string, content: string | null) =>
          content === null ? model.delete(path) : model.set(path, content);
        for (const taken of steps) {
          if (taken.kind === 'write') {
            const changes = taken.changes.map(([at, content]) => ({
              path: parseVaultPath(PATHS[at]!),
              after: content === null ? null : Buffer.from(content),
            }));
            await vault.engine.apply(requestFor(changes));
            for (const { path, after } of changes) set(path, after === null ? null : after.toString());
          } else if (taken.kind === 'outside') {
            const path = PATHS[taken.path]!;
            if (taken.text === null) rmSync(join(vault.root, path), { force: true });
            else vault.git.write(path, taken.text);
            set(path, taken.text === null ? null : Buffer.from(taken.text).toString());
          } else if (taken.kind === 'commit outside') {
            await vault.engine.commitOutside(PATHS.map(parseVaultPath));
          } else if (taken.kind === 'restart') await vault.again();
          else {
            await vault.engine.settled();
            if (taken.kind === 'shell commit') vault.git.commit('Shell');
            else vault.git.run('gc', '-q', '--prune=now');
          }
        }
        await vault.engine.commitOutside(PATHS.map(parseVaultPath));
        await vault.engine.settled();
        const files = readdirSync(vault.root, { recursive: true })
          .map(String)
          .filter((path) => /^(?!\.git).*\.md$/.test(path));
        const onDisk = new Map(files.map((path) => [path, readFileSync(join(vault.root, path), 'utf8')]));
        expect(Object.fromEntries(onDisk)).toEqual(Object.fromEntries(model));
        for (const [path, content] of model) {
          const hash = vault.engine.sourceHashOf(path as VaultPath, 'x');
          expect(hash).toBe('x');
          expect(vault.git.bytes('cat-file', 'blob', `HEAD:${path}`).toString()).toBe(content);
        }
        expectSound(vault.git);
        expect(vault.problems).toEqual([]);
        await vault.engine.close();
      }),
      { numRuns: 25 },
    );
  });
});
