// Clone, fetch and push with a real git HTTP server: seconds, and the memory of the process that does it.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { cloneRemote, fetchRemote, locateGitDir, pushRemote } from '../packages/history/src/index.ts';
import { remoteProcesses } from '../packages/history/src/remote/testing/remote-processes.ts';
import { startGitServer } from '../packages/testing/src/git-http-server.ts';
import { fillWithBigPack, noteOf } from '../packages/writes/src/testing/big-pack.ts';
import { scratchFolder } from './corpora.ts';
import { machineLine, table } from './figures.ts';
import { git } from './write-vault.ts';

const MB = 1024 * 1024;
/** Of Linux, a second. */
const TICKS = 100;

/** Does some work and tells how long it took, and what its process took of processor and memory at most. */
async function measured(what: string, work: () => Promise<unknown>): Promise<(string | number)[]> {
  let [megabytes, processor] = [0, 0];
  const look = setInterval(() => {
    for (const pid of remoteProcesses(process.pid)) {
      const taken = takenBy(pid);
      megabytes = Math.max(megabytes, taken.megabytes);
      processor = Math.max(processor, taken.seconds);
    }
  }, 200);
  const before = process.resourceUsage().maxRSS;
  const start = performance.now();
  await work();
  const seconds = (performance.now() - start) / 1000;
  clearInterval(look);
  const grown = Math.round((process.resourceUsage().maxRSS - before) / 1024);
  return [what, seconds.toFixed(1), processor.toFixed(1), Math.round(megabytes), grown];
}

/** The most memory a process has had, and its processor time; nothing when it has ended. */
function takenBy(pid: number): { megabytes: number; seconds: number } {
  try {
    const status = readFileSync(`/proc/${pid}/status`, 'utf8');
    const times = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return {
      megabytes: Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? 0) / 1024,
      seconds: (Number(times[11]) + Number(times[12])) / TICKS,
    };
  } catch {
    return { megabytes: 0, seconds: 0 };
  }
}

/** A commit that changes one note, made without a work tree. */
function changeNote(root: string, note: string, text: string): string {
  const input =
    `commit refs/heads/main\ncommitter Ada <ada@example.org> 1700009000 +0000\ndata 6\nChange\n` +
    `from refs/heads/main^0\nM 100644 inline ${JSON.stringify(note)}\ndata ${Buffer.byteLength(text)}\n${text}\n`;
  const { status } = spawnSync('git', ['fast-import', '--quiet', '--force'], { cwd: root, input });
  if (status !== 0) throw new Error('the note was not changed');
  return git(root, 'rev-parse', 'main').trim();
}

const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '10000' },
    megabytes: { type: 'string', default: '500' },
  },
});
const [notes, megabytes] = [Number(values.notes), Number(values.megabytes)];
const scratch = scratchFolder('sync');
const source = join(scratch, 'source');
mkdirSync(source);
git(source, 'init', '-q', '-b', 'main');
git(source, 'config', 'receive.denyCurrentBranch', 'ignore');
const run = (...args: string[]) => git(source, ...args);
const bytes = await fillWithBigPack({ dir: source, run }, notes, megabytes * MB, [noteOf(0)]);
git(scratch, 'init', '-q', '--bare', 'empty.git');
const server = await startGitServer(scratch);
const dir = join(scratch, 'clone');
const url = `${server.origin}/source/.git`;
const rows: (string | number)[][] = [];
rows.push(await measured('clone', () => cloneRemote({ url, dir, token: null })));
const location = (await locateGitDir(dir))!;
const options = { location, name: 'origin', branch: 'main', token: null };
changeNote(source, noteOf(1), '# Changed there\n');
rows.push(await measured('fetch one changed note', () => fetchRemote({ ...options, url })));
rows.push(await measured('fetch nothing', () => fetchRemote({ ...options, url })));
git(dir, 'update-ref', 'refs/heads/main', 'refs/remotes/origin/main');
const commit = changeNote(dir, noteOf(2), '# Changed here\n');
rows.push(await measured('push one changed note', () => pushRemote({ ...options, url, commit })));
const empty = `${server.origin}/empty.git`;
rows.push(await measured('push everything', () => pushRemote({ ...options, url: empty, commit })));
await server.close();
console.log(`${machineLine()}\n`);
console.log(`${notes} notes, a pack of ${Math.round(bytes / MB)} MB\n`);
const head = ['what', 'seconds', 'of the processor', 'its process at most MB', 'Grove itself grows MB'];
console.log(table(head, rows));
rmSync(scratch, { recursive: true, force: true });
