import { once } from 'node:events';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { collect, describeWithPrograms, spawnScript } from '@grove/testing';
import { expect, it } from 'vitest';
import { PULL_STEPS } from '../engine/steps.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { engineOver, type OpenedEngine } from '../testing/opened-engine.ts';
import {
  change,
  committed,
  type Files,
  fetched,
  filesOf,
  type TwoSides,
  twoSides,
} from '../testing/two-sides.ts';

const child = fileURLToPath(new URL('../testing/pull-until-killed.ts', import.meta.url));

const BASE: Files = {
  'A.md': 'one\ntwo\nthree\nfour\n',
  'Both.md': 'one\ntwo\nthree\nfour\n',
  'Clash.md': 'one\n',
  'Gone/Deep/B.md': 'b\n',
  Kind: 'a file\n',
  'Kinds/x.md': 'a folder\n',
  'Outside.md': 'one\ntwo\nthree\nfour\n',
  'Same.md': 'same\n',
  'x.png': Buffer.from('\0one'),
};
const THEIRS: Files = {
  'A.md': 'one\ntwo\nthree\nfour\nfive\n',
  'Both.md': 'one\ntwo\nthree\nTHEIRS\n',
  'Clash.md': 'theirs\n',
  'Gone/Deep/B.md': null,
  Kind: null,
  'Kind/y.md': 'a folder now\n',
  'Kinds/x.md': null,
  Kinds: 'a file now\n',
  'New/Folder/C.md': 'c\n',
  'Outside.md': 'one\ntwo\nthree\nTHEIRS\n',
  'x.png': Buffer.from('\0two'),
};
const OURS: Files = { 'Both.md': 'OURS\ntwo\nthree\nfour\n', 'Clash.md': 'ours\n', 'Ours.md': 'o\n' };
const OUTSIDE: Files = { 'Outside.md': 'OUTSIDE\ntwo\nthree\nfour\n', 'Loose.md': 'loose\n' };

const AFTER: Readonly<Record<string, string>> = {
  'A.md': 'one\ntwo\nthree\nfour\nfive\n',
  'Both.md': 'OURS\ntwo\nthree\nTHEIRS\n',
  'Clash.md': 'ours\n',
  'Clash (copy).md': 'theirs\n',
  'Kind/y.md': 'a folder now\n',
  Kinds: 'a file now\n',
  'Loose.md': 'loose\n',
  'New/Folder/C.md': 'c\n',
  'Ours.md': 'o\n',
  'Outside.md': 'OUTSIDE\ntwo\nthree\nTHEIRS\n',
  'Same.md': 'same\n',
  'x.png': '\0two',
};

interface Killed extends TwoSides {
  readonly stateDir: string;
  readonly theirTip: string;
  readonly before: Readonly<Record<string, string>>;
  readonly isDone: boolean;
}

async function killedAt(place: string, times: number): Promise<Killed> {
  const sides = twoSides(BASE);
  committed(sides.theirs, THEIRS);
  committed(sides.ours, OURS);
  change(sides.ours.dir, OUTSIDE);
  const before = notesOf(sides.ours.dir);
  const theirTip = fetched(sides.ours, sides.theirs);
  const stateDir = join(memoryFolder('state'), 'vault');
  mkdirSync(stateDir);
  const process = spawnScript(child, [sides.ours.dir, stateDir, theirTip, place, String(times)]);
  const output = collect(process.stdout);
  const [code, signal] = await once(process, 'close');
  const isDone = output().includes('done');
  if (!isDone) expect(signal, String(code)).toBe('SIGKILL');
  return { ...sides, stateDir, theirTip, before, isDone };
}

/** Files by their names; the day is left out of those of copies. */
function notesOf(dir: string): Record<string, string> {
  const named = Object.entries(filesOf(dir)).map(([path, text]) => [
    path.replace(/\(conflict [^)]* origin\)/, '(copy)'),
    text,
  ]);
  return Object.fromEntries(named);
}

/** A commit that a person makes in a shell takes nothing back. */
function expectNoInverse(killed: Killed): void {
  killed.ours.run('add', 'Same.md');
  writeFileSync(join(killed.ours.dir, 'Later.md'), 'later\n');
  killed.ours.run('add', 'Later.md');
  killed.ours.run('commit', '-q', '-m', 'Later');
  expect(killed.ours.run('show', '--format=', '--name-status', 'HEAD').trim()).toBe('A\tLater.md');
}

async function reopened(killed: Killed): Promise<OpenedEngine> {
  return engineOver(killed.ours, {}, killed.stateDir);
}

async function expectRecovered(killed: Killed): Promise<void> {
  const vault = await reopened(killed);
  expect(vault.problems).toEqual([]);
  const now = notesOf(vault.root);
  const isAfter = killed.ours.run('log', '--format=%s', '-1').startsWith('Merge');
  expect(now).toEqual(isAfter ? AFTER : killed.before);
  if (killed.isDone) expect(isAfter).toBe(true);
  expectSound(killed.ours, isAfter ? ['Loose.md'] : ['Loose.md', 'Outside.md']);
  expectNoInverse(killed);
  const { kind } = await vault.engine.pull({ theirs: killed.theirTip, remote: 'origin' });
  expect(kind).toBe(isAfter ? 'ahead' : 'merged');
  expect(notesOf(vault.root)).toEqual({ ...AFTER, 'Later.md': 'later\n' });
  await vault.engine.settled();
  expectSound(killed.ours, ['Loose.md']);
  expect(vault.problems).toEqual([]);
}

describeWithPrograms('a vault whose process was killed during a pull (user-pains 10)', ['git'], () => {
  for (const step of PULL_STEPS) {
    for (const times of step === 'pull_placed' ? [1, 3, 6, 9] : [1]) {
      it(`is whole, and its next commit reverses nothing, at "${step}", passing ${times}`, async () => {
        await expectRecovered(await killedAt(step, times));
      });
    }
  }

  // Any change of the disk: this pull makes some hundred and sixty of them.
  for (const times of [2, 11, 23, 37, 52, 64, 75, 83, 90, 97, 104, 111, 119, 128, 136, 145, 153, 160]) {
    it(`is whole, and its next commit reverses nothing, before change ${times} of the disk`, async () => {
      await expectRecovered(await killedAt('fs', times));
    });
  }

  it('is whole when it is killed again and again while it recovers', async () => {
    const killed = await killedAt('pull_placed', 2);
    for (const times of [4, 9, 15, 22, 30]) {
      const process = spawnScript(child, [
        killed.ours.dir,
        killed.stateDir,
        killed.theirTip,
        'fs',
        String(times),
      ]);
      await once(process, 'close');
    }
    await expectRecovered(killed);
  });

  it('leaves what somebody wrote between the kill and the start, and loses nothing of it', async () => {
    const killed = await killedAt('pull_placed', 7);
    const placed = filesOf(killed.ours.dir);
    for (const path of ['A.md', 'Both.md', 'Outside.md'])
      writeFileSync(join(killed.ours.dir, path), `${placed[path]}by a person\n`);
    const vault = await reopened(killed);
    const files = notesOf(vault.root);
    const all = (path: string) =>
      Object.entries(files)
        .filter(([name]) => name.startsWith(path.slice(0, -3)))
        .map(([, text]) => text)
        .join('');
    for (const path of ['A.md', 'Both.md', 'Outside.md']) expect(all(path), path).toContain('by a person\n');
    expect(files['A.md']).toContain('five\n');
    const copies = Object.keys(filesOf(vault.root)).filter((path) => path.includes('(conflict'));
    expectSound(killed.ours, ['A.md', 'Both.md', 'Outside.md', 'Loose.md', ...copies]);
  });

  it('follows a person who went on with git before the start', async () => {
    const killed = await killedAt('pull_placed', 5);
    rmSync(join(killed.ours.dir, '.git/index.lock'));
    killed.ours.run('add', '-A');
    killed.ours.run('commit', '-q', '-m', 'All that I see');
    const vault = await reopened(killed);
    expectSound(killed.ours);
    await vault.engine.pull({ theirs: killed.theirTip, remote: 'origin' });
    const files = filesOf(vault.root);
    expect(files['Both.md']).toBe(AFTER['Both.md']);
    expect(files['New/Folder/C.md']).toBe('c\n');
    expectSound(killed.ours);
  });

  it('leaves all of it alone where the branch was changed, and takes it again later', async () => {
    const killed = await killedAt('pull_placed', 5);
    rmSync(join(killed.ours.dir, '.git/index.lock'));
    killed.ours.run('reset', '-q', '--hard', 'HEAD');
    killed.ours.run('checkout', '-q', '-b', 'other');
    const vault = await reopened(killed);
    expectSound(killed.ours, ['Loose.md']);
    expect(vault.text('A.md')).toBe('one\ntwo\nthree\nfour\n');
  });

  it('waits for a person who is in the middle of a merge, and is then done before the next write', async () => {
    const killed = await killedAt('pull_placed', 5);
    rmSync(join(killed.ours.dir, '.git/index.lock'));
    const mark = join(killed.ours.dir, '.git/MERGE_HEAD');
    writeFileSync(mark, `${killed.theirTip}\n`);
    const files = filesOf(killed.ours.dir);
    const vault = await reopened(killed);
    expect(vault.problems).toMatchObject([{ what: 'recovery' }]);
    expect(filesOf(vault.root)).toEqual(files);
    await expect(vault.write('Later.md', 'later\n')).rejects.toMatchObject({ code: 'git_in_operation' });
    rmSync(mark);
    await vault.write('Later.md', 'later\n');
    await vault.engine.settled();
    expect(notesOf(vault.root)).toEqual({ ...AFTER, 'Later.md': 'later\n' });
    expectSound(killed.ours, ['Loose.md']);
  });
});
