import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { begun, engineOver, type OpenedEngine } from '../testing/opened-engine.ts';
import { PARTS } from '../testing/power-loss-parts.ts';
import { RecordingFs, writeState } from '../testing/recording-fs.ts';
import { BEGINNING, doStep, type ScriptStep, stateAfter } from '../testing/script.ts';

const STEPS: readonly ScriptStep[] = [
  { kind: 'append', paths: ['B.md'], line: 'after a person' },
  { kind: 'append', paths: ['New/Folder/D.md'], line: 'made in new folders' },
  { kind: 'append', paths: ['A.md', 'Deep/C.md', 'New/Folder/D.md'], line: 'three at once' },
  { kind: 'append', paths: ['A.md'], line: 'once more' },
  { kind: 'remove', paths: ['Deep/C.md'], line: 'removed' },
  { kind: 'append', paths: ['Deep/C.md'], line: 'made again' },
  { kind: 'append', paths: ['A.md'], line: 'last' },
];
const START = { ...BEGINNING, 'B.md': 'b\nby a person\n' };

/** The ledger as it was when the first `operations` were done, with how many writes were answered. */
interface Moment {
  readonly operations: number;
  readonly answered: number;
  readonly folder: string;
}

interface Recording {
  readonly vault: OpenedEngine;
  readonly disk: RecordingFs;
  readonly moments: readonly Moment[];
}

/** Does the script on a recorded disk. The ledger is SQLite's to sync: it is copied whenever it has done so. */
async function record(settleAfter: number): Promise<Recording> {
  const git = begun(BEGINNING);
  git.write('B.md', START['B.md']);
  const stateDir = join(memoryFolder('state'), 'vault');
  const disk = new RecordingFs(git.dir);
  const moments: Moment[] = [];
  let answered = 0;
  const keep = () => {
    const folder = memoryFolder('ledger');
    for (const name of readdirSync(stateDir))
      if (!name.endsWith('-shm')) copyFileSync(join(stateDir, name), join(folder, name));
    moments.push({ operations: disk.length, answered, folder });
  };
  const vault = await engineOver(
    git,
    {
      fs: disk.fs,
      step: (at) => {
        if (at === 'acknowledged') answered += 1;
        if (at === 'journaled' || at === 'acknowledged' || at === 'finished') keep();
      },
    },
    stateDir,
  );
  keep();
  for (const [count, step] of STEPS.entries()) {
    await doStep(vault.engine, vault.root, step);
    if (count === settleAfter) await vault.engine.settled();
  }
  await vault.engine.settled();
  await vault.engine.close();
  return { vault, disk, moments };
}

function notesOf(root: string): Record<string, string> {
  const paths = readdirSync(root, { recursive: true })
    .map(String)
    .filter((path) => path.endsWith('.md'));
  return Object.fromEntries(paths.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

describeWithPrograms('a vault after a power loss', ['git'], () => {
  it.each([
    ['with everything unsynced', 99, 0],
    ['with the first writes synced', 1, 1],
    ['with all synced up to a deletion', 4, 0],
  ])('has every write that was answered, and no half of another: %s', async (_, settleAfter, turn) => {
    const { vault, disk, moments } = await record(settleAfter);
    const { root, stateDir, git } = vault;
    for (let count = turn; count <= disk.length; count += 2) {
      const part = (count >> 1) % PARTS.length;
      const moment = moments.findLast(({ operations }) => operations <= count)!;
      rmSync(root, { recursive: true });
      rmSync(stateDir, { recursive: true, force: true });
      mkdirSync(root);
      mkdirSync(stateDir);
      writeState(disk.stateAfter(count, (at) => PARTS[part]!(at, count)));
      for (const name of readdirSync(moment.folder))
        copyFileSync(join(moment.folder, name), join(stateDir, name));
      const where = `after ${count} changes, part ${part}, ${moment.answered} answered`;
      const again = await engineOver(git, {}, stateDir);
      expect(again.problems, where).toEqual([]);
      const possible = [moment.answered, moment.answered + 1].map((done) =>
        Object.fromEntries(stateAfter(STEPS.slice(0, done), START)),
      );
      expect(possible, where).toContainEqual(notesOf(root));
      // All that is not the person's own, as long as nobody touched it.
      if (count % 3 === 0 || part === 0) expectSound(git, moment.answered === 0 ? ['B.md'] : [], where);
      await again.engine.close();
      expect(existsSync(join(root, '.git', 'index.lock')), where).toBe(false);
    }
    expect(disk.length).toBeGreaterThan(200);
  });
});
