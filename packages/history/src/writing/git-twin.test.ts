import { chmodSync, copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms, SystemGit } from '@grove/testing';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { commitPaths, expectSound, openWriter } from '../testing/git-twin.ts';

const FOLDERS = ['', 'a/', 'a.b/', 'a-b/', 'a0/', 'Ünï/', 'z/y/x/'];
const NAMES = ['n.md', 'a.md', 'é.md', 'Long name with spaces.md'];
const PATHS = FOLDERS.flatMap((folder) => NAMES.map((name) => `${folder}${name}`));

const steps = fc.array(
  fc.uniqueArray(
    fc.record({
      path: fc.constantFrom(...PATHS),
      text: fc.option(fc.string({ maxLength: 20 }), { freq: 2 }),
      executable: fc.boolean(),
    }),
    { selector: ({ path }) => path, minLength: 1, maxLength: 6 },
  ),
  { minLength: 1, maxLength: 5 },
);

/** What git's own index says after these paths were added to the index as it was, in the same folder. */
function indexByGit(git: SystemGit, before: string, paths: readonly string[]): string {
  const index = join(git.dir, '.git/index');
  copyFileSync(index, `${before}.ours`);
  copyFileSync(before, index);
  git.run('update-index', '--add', '--remove', '--replace', '--', ...paths);
  const listing = git.run('ls-files', '--stage', '--debug');
  copyFileSync(`${before}.ours`, index);
  return listing;
}

describeWithPrograms('Grove beside a twin written by git', ['git'], () => {
  it.each(['2', '4'])('makes the same trees and the same index of version %s', async (version) => {
    await fc.assert(
      fc.asyncProperty(steps, async (changed) => {
        const [ours, twin] = [SystemGit.init(), SystemGit.init()];
        for (const git of [ours, twin]) {
          git.run('config', 'index.version', version);
          git.write('Kept/one.md', 'one\n');
          git.write('zz.md', 'z\n');
          git.commit();
        }
        const index = join(ours.dir, '.git/index');
        const before = join(ours.dir, '.git/before');
        await using writer = await openWriter(ours.dir);
        for (const changes of changed) {
          copyFileSync(index, before);
          for (const { path, text, executable } of changes) {
            for (const git of [ours, twin]) {
              rmSync(join(git.dir, path), { force: true });
              if (text === null) continue;
              git.write(path, text);
              chmodSync(join(git.dir, path), executable ? 0o755 : 0o644);
            }
          }
          await commitPaths(
            writer,
            ours.dir,
            changes.map(({ path, text, executable }) => ({
              path,
              bytes: text === null ? null : Buffer.from(text),
              mode: executable ? '100755' : '100644',
            })),
          );
          twin.commit();
          expect(ours.run('rev-parse', 'HEAD^{tree}')).toBe(twin.run('rev-parse', 'HEAD^{tree}'));
          const paths = changes.map(({ path }) => path);
          expect(ours.run('ls-files', '--stage', '--debug')).toBe(indexByGit(ours, before, paths));
          expect(readFileSync(index).readUInt32BE(4)).toBe(Number(version));
        }
        expectSound(ours);
      }),
      { numRuns: 6 },
    );
  });
});
