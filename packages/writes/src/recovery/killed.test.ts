import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { fileURLToPath } from 'node:url';
import { collect, describeWithPrograms, SystemGit, spawnScript } from '@grove/testing';
import { expect, it } from 'vitest';
import { STEPS } from '../engine/steps.ts';
import type { JournalRecord } from '../ledger/journal-row.ts';
import { expectSound } from '../testing/expect-sound.ts';
import { memoryFolder } from '../testing/memory-folder.ts';
import { engineOver, type OpenedEngine } from '../testing/opened-engine.ts';
import { BEGINNING, doStep, SCRIPT, type ScriptStep, stateAfter } from '../testing/script.ts';

const child = fileURLToPath(new URL('../testing/write-until-killed.ts', import.meta.url));

interface Killed {
  readonly git: SystemGit;
  readonly stateDir: string;
  /** Steps that were begun, and those that were answered. */
  readonly begun: number;
  readonly done: number;
  readonly closed: boolean;
}

/** Lets a process do the script until it kills itself at the given passing of a place. */
async function killedAt(place: string, times: number): Promise<Killed> {
  const git = SystemGit.init(memoryFolder('killed'));
  for (const [path, text] of Object.entries(BEGINNING)) git.write(path, text);
  git.commit('Begin');
  const stateDir = join(memoryFolder('state'), 'vault');
  mkdirSync(stateDir);
  const process = spawnScript(child, [git.dir, stateDir, place, String(times)]);
  const output = collect(process.stdout);
  const [code, signal] = await once(process, 'close');
  const lines = output().trim().split('\n');
  const count = (word: string) => lines.filter((line) => line.startsWith(word)).length;
  const closed = count('closed') === 1;
  expect(closed ? code : signal).toBe(closed ? 0 : 'SIGKILL');
  return { git, stateDir, begun: count('begin'), done: count('done'), closed };
}

function notesOf(vault: OpenedEngine): Map<string, string> {
  const paths = vault.git.run('ls-files', '-z', '--cached', '--others').split('\0').filter(Boolean);
  return new Map(paths.flatMap((path) => (vault.text(path) === null ? [] : [[path, vault.text(path)!]])));
}

/** Opens the vault again and says what must hold: all that was answered is there, the rest whole or not at all. */
async function expectRecovered(killed: Killed): Promise<void> {
  const vault = await engineOver(killed.git, {}, killed.stateDir);
  expect(vault.problems).toEqual([]);
  const notes = Object.fromEntries(notesOf(vault));
  const possible = [killed.done, killed.begun].map((count) =>
    Object.fromEntries(stateAfter(SCRIPT.slice(0, count))),
  );
  expect(possible).toContainEqual(notes);
  const cut: ScriptStep | undefined = SCRIPT[killed.begun - 1];
  // What a person saved before the write that was cut off is theirs to commit, or comes with the next write.
  const before: ScriptStep | undefined = SCRIPT[killed.begun - 2];
  const uncommitted = [cut, before].flatMap((step) => (step?.kind === 'outside' ? step.paths : []));
  expectSound(killed.git, uncommitted);
  // A retry of what was cut off is done once, and everything goes on to the same end.
  if (cut !== undefined && killed.done < killed.begun && cut.kind !== 'outside')
    await doStep(vault.engine, killed.git.dir, cut);
  for (const step of SCRIPT.slice(killed.begun)) await doStep(vault.engine, killed.git.dir, step);
  await vault.engine.settled();
  expect(Object.fromEntries(notesOf(vault))).toEqual(Object.fromEntries(stateAfter(SCRIPT)));
  expectSound(killed.git);
  const subjects = killed.git.run('log', '--format=%s').trim().split('\n');
  const own = SCRIPT.filter(({ kind }) => kind !== 'outside').map(({ line }) => line);
  expect(subjects.filter((subject) => own.includes(subject)).sort()).toEqual([...own].sort());
  expect(vault.problems).toEqual([]);
}

describeWithPrograms('a vault whose process was killed while it wrote', ['git'], () => {
  for (const step of STEPS) {
    for (const times of step === 'placed' ? [1, 4, 7] : [1, 5]) {
      it(`loses nothing and has nothing half at "${step}", passing ${times}`, async () => {
        await expectRecovered(await killedAt(step, times));
      });
    }
  }

  // Any change of the disk: a write takes some thirty of them.
  for (const times of [3, 12, 29, 47, 71, 98, 130, 155, 181, 207, 233, 262]) {
    it(`loses nothing and has nothing half before change ${times} of the disk`, async () => {
      await expectRecovered(await killedAt('fs', times));
    });
  }

  it('keeps what somebody saved in the very moment in which an earlier recovery, killed too, moved a file', async () => {
    const { git, stateDir } = await killedAt('placed', 1);
    const database = new DatabaseSync(join(stateDir, 'ledger.db'));
    const row = database.prepare('SELECT record FROM journal').get();
    database.close();
    const { files } = JSON.parse(String(row?.record)) as JournalRecord;
    writeFileSync(`${files[0]!.temp}.back`, 'theirs\n');
    const vault = await engineOver(git, {}, stateDir);
    expect(vault.problems).toMatchObject([{ what: 'conflict' }]);
    expect(vault.text(String(vault.problems[0]?.path))).toBe('theirs\n');
  });
});
