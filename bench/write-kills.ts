import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { systemClock } from '@grove/core';
import { locateGitDir, NO_USER_SETTINGS } from '../packages/history/src/index.ts';
import { openWriteEngine, type WriteEngine } from '../packages/writes/src/index.ts';
import {
  BEGINNING,
  doStep,
  SCRIPT,
  type ScriptStep,
  stateAfter,
} from '../packages/writes/src/testing/script.ts';
import { machineLine } from './figures.ts';
import { git } from './write-vault.ts';

const child = fileURLToPath(new URL('../packages/writes/src/testing/write-until-killed.ts', import.meta.url));
/** More changes of the disk than the script makes. */
const MOST_CHANGES = 330;

interface Round {
  readonly root: string;
  readonly stateDir: string;
}

interface Killed {
  readonly begun: number;
  readonly done: number;
  /** It was done before it could be killed. */
  readonly closed: boolean;
  /** Milliseconds from the first step to the end. */
  readonly lasted: number;
}

/** Runs the script until `delay` ms after its first step, or, for a negative one, until that change of the disk. */
async function killAt({ root, stateDir }: Round, delay: number): Promise<Killed> {
  const place = delay < 0 ? ['fs', String(-delay)] : ['never', '1'];
  const writer = spawn(process.execPath, [child, root, stateDir, ...place], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let [printed, began] = ['', 0];
  let timer: NodeJS.Timeout | undefined;
  writer.stdout.setEncoding('utf8');
  writer.stdout.on('data', (text: string) => {
    printed += text;
    if (began !== 0) return;
    began = performance.now();
    if (delay >= 0) timer = setTimeout(() => writer.kill('SIGKILL'), delay);
  });
  await once(writer, 'close');
  clearTimeout(timer);
  const count = (word: string) => printed.split('\n').filter((line) => line.startsWith(word)).length;
  const closed = count('closed') === 1;
  if (!closed && writer.signalCode !== 'SIGKILL') throw new Error(`the writer ended with ${writer.exitCode}`);
  return { begun: count('begin'), done: count('done'), closed, lasted: performance.now() - began };
}

async function openEngine({ root, stateDir }: Round, problems: string[]): Promise<WriteEngine> {
  return openWriteEngine({
    root,
    stateDir,
    location: (await locateGitDir(root))!,
    clock: systemClock,
    userSettings: NO_USER_SETTINGS,
    published: async () => {},
    onProblem: ({ what, message }) => problems.push(`${what}: ${message}`),
  });
}

function notesIn(root: string): Record<string, string> {
  const found = readdirSync(root, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .filter((path) => !path.startsWith('.git/'));
  return Object.fromEntries(found.map((path) => [path, readFileSync(join(root, path), 'utf8')]));
}

/** What is wrong with the repository by git's own word; `apart` are paths that a person left uncommitted. */
function unsound(root: string, apart: readonly string[]): string[] {
  const faults: string[] = [];
  const fsck = git(root, 'fsck', '--strict', '--no-dangling', '--no-progress');
  if (fsck !== '') faults.push(`fsck: ${fsck}`);
  const status = git(root, 'status', '--porcelain', '-z', '--untracked-files=all').split('\0');
  const unclean = status.filter((line) => line !== '' && !apart.includes(line.slice(3)));
  if (unclean.length > 0) faults.push(`status: ${unclean.join(', ')}`);
  const locks = readdirSync(join(root, '.git')).filter((name) => name.endsWith('.lock'));
  if (locks.length > 0) faults.push(`locks: ${locks.join(', ')}`);
  return faults;
}

/** Opens the vault again after a kill and says what is not as it must be. */
async function judge(round: Round, { begun, done }: Killed): Promise<string[]> {
  const faults: string[] = [];
  const engine = await openEngine(round, faults);
  try {
    const notes = notesIn(round.root);
    const possible = [done, begun].map((count) => Object.fromEntries(stateAfter(SCRIPT.slice(0, count))));
    if (!possible.some((state) => isDeepStrictEqual(state, notes)))
      faults.push(`after ${done} answers of ${begun} begun: ${JSON.stringify(notes)}`);
    const cut: ScriptStep | undefined = SCRIPT[begun - 1];
    const before: ScriptStep | undefined = SCRIPT[begun - 2];
    faults.push(
      ...unsound(
        round.root,
        [cut, before].flatMap((step) => (step?.kind === 'outside' ? step.paths : [])),
      ),
    );
    // The retry of what was cut off, once more and once only.
    if (cut !== undefined && done < begun && cut.kind !== 'outside') await doStep(engine, round.root, cut);
    await engine.settled();
    const retried = cut?.kind === 'outside' ? notes : Object.fromEntries(stateAfter(SCRIPT.slice(0, begun)));
    if (!isDeepStrictEqual(retried, notesIn(round.root)))
      faults.push(`after the retry of step ${begun}: ${JSON.stringify(notesIn(round.root))}`);
  } finally {
    await engine.close();
  }
  return faults;
}

function makeBeginning(folder: string): string {
  const root = join(folder, 'beginning');
  for (const [path, text] of Object.entries(BEGINNING)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  git(root, 'init', '-q', '-b', 'main', '--template=');
  git(root, 'add', '-A');
  git(root, 'commit', '-q', '-m', 'Begin');
  return root;
}

const { values } = parseArgs({
  options: {
    kills: { type: 'string', default: '1000' },
    minutes: { type: 'string', default: '60' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(`node bench/write-kills.ts [--kills 1000] [--minutes 60]   kills a writing process at random, opens the vault again and judges it
half of them by the clock, half before a change of the disk; ends with 1 and keeps the folder of each vault that is not sound`);
} else {
  // In memory: what a killed process wrote outlives it there too, and more kills fit into an hour.
  const folder = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'grove-bench-kills-'));
  const beginning = makeBeginning(folder);
  const until = performance.now() + Number(values.minutes) * 60_000;
  let [kills, ended, bad, longest, cut] = [0, 0, 0, 1_000, 0];
  while (kills < Number(values.kills) && performance.now() < until) {
    const round = {
      root: join(folder, `vault-${kills + ended}`),
      stateDir: join(folder, `state-${kills + ended}`),
    };
    cpSync(beginning, round.root, { recursive: true });
    mkdirSync(round.stateDir);
    const delay =
      (kills + ended) % 2 === 0 ? Math.random() * longest : -1 - Math.floor(Math.random() * MOST_CHANGES);
    const killed = await killAt(round, delay);
    if (killed.closed) {
      ended += 1;
      longest = killed.lasted;
    } else {
      kills += 1;
      if (killed.done < killed.begun) cut += 1;
    }
    const faults = await judge(round, killed);
    if (faults.length > 0) {
      bad += 1;
      console.error(`${round.root} (delay ${delay}): ${faults.join('\n  ')}`);
      continue;
    }
    for (const path of [round.root, round.stateDir]) rmSync(path, { recursive: true });
    if ((kills + ended) % 100 === 0) console.error(`${kills} of ${values.kills} kills, ${bad} not sound`);
  }
  console.log(machineLine());
  console.log(
    `${kills} kills (${cut} within a write; ${ended} more ended before theirs): ${bad} vaults that were not sound`,
  );
  if (bad === 0) rmSync(folder, { recursive: true });
  process.exitCode = bad === 0 ? 0 : 1;
}
