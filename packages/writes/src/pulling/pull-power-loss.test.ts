import { copyFileSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describeWithPrograms } from '@grove/testing';
import { expect, it } from 'vitest';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { engineOver } from '../testing/opened-engine.ts';
import { PARTS } from '../testing/power-loss-parts.ts';
import { RecordingFs, writeState } from '../testing/recording-fs.ts';
import { change, committed, type Files, fetched, filesOf, twoSides } from '../testing/two-sides.ts';

const LINES = 'one\ntwo\nthree\nfour\n';
// No file becomes a folder here: the record knows a name as one of them.
const BASE: Files = {
  'A.md': LINES,
  'Gone/B.md': 'b\n',
  'Outside.md': LINES,
  'Both.md': 'x\n',
};
const THEIRS: Files = {
  'A.md': `${LINES}five\n`,
  'Gone/B.md': null,
  'New/Folder/C.md': 'c\n',
  'Outside.md': LINES.replace('four', 'FOUR'),
  'Both.md': 'theirs\n',
};
const OURS: Files = { 'Both.md': 'ours\n' };
const OUTSIDE: Files = { 'Outside.md': LINES.replace('one', 'ONE') };
const AFTER: Readonly<Record<string, string>> = {
  'A.md': `${LINES}five\n`,
  'Both (copy).md': 'theirs\n',
  'Both.md': 'ours\n',
  'New/Folder/C.md': 'c\n',
  'Outside.md': 'ONE\ntwo\nthree\nFOUR\n',
};

function namedAlike(files: Readonly<Record<string, string>>): Record<string, string> {
  const entries = Object.entries(files);
  return Object.fromEntries(
    entries.map(([path, text]) => [path.replace(/\(conflict [^)]*\)/, '(copy)'), text]),
  );
}

describeWithPrograms('a vault after a power loss during a pull', ['git'], () => {
  it.each([0, 1])('has all of it or nothing, and takes it again, turn %i', async (turn) => {
    const sides = twoSides(BASE);
    committed(sides.theirs, THEIRS);
    committed(sides.ours, OURS);
    change(sides.ours.dir, OUTSIDE);
    const before = filesOf(sides.ours.dir);
    const theirs = fetched(sides.ours, sides.theirs);
    const stateDir = join(memoryFolder('state'), 'vault');
    const disk = new RecordingFs(sides.ours.dir);
    const moments: { readonly operations: number; readonly folder: string; readonly at: string }[] = [];
    const keep = (at: string) => {
      const folder = memoryFolder('ledger');
      for (const name of readdirSync(stateDir))
        if (!name.endsWith('-shm')) copyFileSync(join(stateDir, name), join(folder, name));
      moments.push({ operations: disk.length, folder, at });
    };
    const step = (at: string) => {
      if (['pull_journaled', 'pull_settled', 'pull_finished'].includes(at)) keep(at);
    };
    const vault = await engineOver(sides.ours, { fs: disk.fs, step }, stateDir);
    keep('begun');
    const { root } = vault;
    await vault.engine.pull({ theirs, remote: 'origin' });
    await vault.engine.close();
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
      const where = `after ${count} changes, part ${part}, ${moment.at}`;
      const again = await engineOver(sides.ours, {}, stateDir);
      expect(again.problems, where).toEqual([]);
      const isAfter = moment.at !== 'begun';
      expect(namedAlike(filesOf(root)), where).toEqual(isAfter ? AFTER : before);
      if (count % 3 === 0 || part === 0) expectSound(sides.ours, isAfter ? [] : ['Outside.md'], where);
      if (!isAfter) await again.engine.pull({ theirs, remote: 'origin' });
      expect(namedAlike(filesOf(root)), where).toEqual(AFTER);
      await again.engine.close();
    }
    expect(disk.length).toBeGreaterThan(70);
  });
});
