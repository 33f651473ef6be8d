import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isGroveError, parseVaultPath, type VaultPath } from '@grove/core';
import { describeWithPrograms, type SystemGit } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { lookingFs } from '../testing/looking-fs.ts';
import { begun, engineOver, type OpenedEngine, openedEngine, wholeWrite } from '../testing/opened-engine.ts';
import { STEPS } from './steps.ts';

const WORDS = 'words of a person\n';

/** How another program saves a file. */
const SAVES: Readonly<Record<string, (path: string) => void>> = {
  'in place': (path) => writeFileSync(path, WORDS),
  'by moving a new file there': (path) => {
    writeFileSync(`${path}.swp`, WORDS);
    renameSync(`${path}.swp`, path);
  },
};

/** True where a note has these words on disk, or had them in a commit. */
function isKept(git: SystemGit, words: string): boolean {
  const onDisk = readdirSync(git.dir)
    .filter((name) => name.endsWith('.md'))
    .map((name) => readFileSync(join(git.dir, name), 'utf8'));
  if (onDisk.includes(words)) return true;
  const blob = git.feed(words, 'hash-object', '--stdin').trim();
  return git.run('rev-list', '--objects', 'HEAD').includes(blob);
}

/** Writes the note and gives back what of it was refused; then commits what a person left. */
async function writeBeside(vault: OpenedEngine, path: string, text: string | null): Promise<unknown> {
  let refused: unknown = null;
  try {
    await vault.engine.apply(wholeWrite(path, text));
  } catch (error) {
    refused = error;
  }
  await vault.engine.settled();
  const notes = readdirSync(vault.root).filter((name) => name.endsWith('.md'));
  await vault.engine.commitOutside([...notes, path].map((name) => parseVaultPath(name) as VaultPath));
  await vault.engine.settled();
  return refused;
}

async function expectNothingLost(
  vault: OpenedEngine,
  refused: unknown,
  apart: readonly string[] = [],
): Promise<void> {
  if (refused !== null) expect(isGroveError(refused), String(refused)).toBe(true);
  expect(isKept(vault.git, WORDS)).toBe(true);
  expectSound(vault.git, apart);
}

describeWithPrograms('a save by another program between two steps of a write', ['git'], () => {
  for (const [how, save] of Object.entries(SAVES)) {
    for (const [what, path, text] of [
      ['replaces', 'Plan.md', 'ours\n'],
      ['removes', 'Plan.md', null],
      ['makes', 'New.md', 'ours\n'],
    ] as const) {
      it(`is never lost where the write ${what} a note, saved ${how}`, async () => {
        for (const step of STEPS) {
          let saved = false;
          const vault = await openedEngine(
            { 'Plan.md': 'one\n' },
            {
              step: (at) => {
                if (at !== step || saved) return;
                saved = true;
                save(join(vault.root, path));
              },
            },
          );
          const refused = await writeBeside(vault, path, text);
          expect(saved, step).toBe(true);
          await expectNothingLost(vault, refused);
          expect(refused).toBeNull();
        }
      });
    }

    it(`is never lost before any change of the disk, saved ${how}`, async () => {
      for (let at = 1; ; at += 1) {
        let saved = false;
        let unseen = false;
        const git = begun({ 'Plan.md': 'one\n' });
        const vault = await engineOver(git, {
          fs: lookingFs((count, name, path) => {
            if (count !== at) return;
            saved = true;
            // The one move that no call of the system guards; on a real disk the look before it is not apart from it.
            unseen = name === 'rename' && path.endsWith('/Plan.md') && how !== 'in place';
            if (!unseen) save(join(git.dir, 'Plan.md'));
          }),
        });
        const refused = await writeBeside(vault, 'Plan.md', 'ours\n');
        if (!saved) break;
        // A late save comes after what was committed: it is on disk.
        if (!unseen) await expectNothingLost(vault, refused, ['Plan.md']);
      }
    });
  }

  it('says where words went that were written into the old file while it was replaced', async () => {
    const vault = await openedEngine(
      { 'Plan.md': 'one\n' },
      {
        fs: lookingFs((_, name, path) => {
          if (name === 'rename' && path.endsWith('/Plan.md')) writeFileSync(path, WORDS);
        }),
      },
    );
    const outcome = await vault.write('Plan.md', 'ours\n');
    expect(outcome.conflictSaved).toHaveLength(1);
    expect(outcome.conflictSaved[0]).toMatch(/^Plan \(conflict \d{4}-\d\d-\d\d \d\d-\d\d-\d\d\)\.md$/);
    expect(vault.text(outcome.conflictSaved[0]!)).toBe(WORDS);
    expect(vault.text('Plan.md')).toBe('ours\n');
    expect(vault.published).toEqual(['Plan.md', ...outcome.conflictSaved]);
    await vault.engine.settled();
    expectSound(vault.git);
  });

  it('keeps words that an editor writes into the old file after the answer', async () => {
    const { openSync, writeSync, closeSync } = await import('node:fs');
    const vault = await openedEngine({ 'Plan.md': 'one\n' });
    const editor = openSync(join(vault.root, 'Plan.md'), 'r+');
    await vault.write('Plan.md', 'ours\n');
    writeSync(editor, WORDS, 0);
    closeSync(editor);
    await vault.engine.settled();
    const saved = readdirSync(vault.root).filter((name) => name.includes('conflict'));
    expect(saved.map((name) => vault.text(name))).toEqual([WORDS]);
    expect(vault.problems.map(({ what, path }) => [what, path])).toEqual([['conflict', saved[0]]]);
    expect(vault.published).toEqual(['Plan.md', saved[0]]);
  });

  it('plans anew on what a person saved, and refuses only when they never stop', async () => {
    const seen: (string | null)[] = [];
    let saves = 0;
    let limit = 1;
    const vault = await openedEngine(
      { 'Plan.md': 'one\n' },
      {
        step: (at) => {
          if (at !== 'locked' || saves === limit) return;
          saves += 1;
          writeFileSync(join(vault.root, 'Plan.md'), `saved ${saves}\n`);
        },
      },
    );
    const request = wholeWrite('Plan.md', 'ours\n', {
      seen: (file) => seen.push(file === null ? null : Buffer.from(file.bytes).toString()),
    });
    await vault.engine.apply(request);
    expect(seen).toEqual(['one\n', 'saved 1\n']);
    limit = 100;
    await expect(vault.engine.apply(wholeWrite('Plan.md', 'more\n'))).rejects.toMatchObject({
      code: 'write_conflict',
      data: { path: 'Plan.md' },
    });
    expect(vault.text('Plan.md')).toBe('saved 6\n');
    await vault.engine.settled();
    expectSound(vault.git, ['Plan.md']);
  });

  it('goes on when the note is deleted under it', async () => {
    for (const step of STEPS) {
      let removed = false;
      const vault = await openedEngine(
        { 'Plan.md': 'one\n' },
        {
          step: (at) => {
            if (at !== step || removed) return;
            removed = true;
            rmSync(join(vault.root, 'Plan.md'), { force: true });
          },
        },
      );
      const outcome = await vault.write('Plan.md', 'ours\n');
      const early = STEPS.indexOf(step) < STEPS.indexOf('placed');
      await vault.engine.settled();
      expect(existsSync(join(vault.root, 'Plan.md')), step).toBe(early);
      expect(vault.git.run('show', `${outcome.commit}:Plan.md`)).toBe('ours\n');
      expectSound(vault.git, early ? [] : ['Plan.md']);
    }
  });
});
