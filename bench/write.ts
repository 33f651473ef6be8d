import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync } from 'node:fs';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { answerCall, type OpenedVault, openOwnedVault, type Scope, writeNote } from '@grove/service';
import { scratchFolder, unpackPages } from './corpora.ts';
import { machineLine, p50p95, percentile, table, timed } from './figures.ts';
import { emptyCommits, recordSyncs, type SyncFigures } from './write-syncs.ts';
import { git, makeWriteVault, plainHeading, sizeOfFolder, type WriteVault } from './write-vault.ts';

const KINDS = ['append', 'replace', 'write', 'create'] as const;
type Kind = (typeof KINDS)[number];
const BATCHES = 5;
const GIT_COMMITS = 25;

interface Sample extends SyncFigures {
  readonly kind: Kind;
  readonly all: number;
  /** Of all threads of the process; it wobbles less with the load than time does. */
  readonly cpu: number;
}

interface Session {
  readonly vault: WriteVault;
  readonly opened: OpenedVault;
  readonly scope: Scope;
  readonly syncs: ReturnType<typeof recordSyncs>;
  /** What was refused, with its code: a note may be no good for one kind. */
  readonly refused: string[];
}

async function call(session: Session, input: object): Promise<boolean> {
  const { error } = await answerCall(writeNote, session.scope, input, (cause) => {
    throw cause;
  });
  if (error !== null) session.refused.push(`${error.code} ${error.message}`);
  return error === null;
}

/** The input of the write with that number, for a note far from the last one; null when the note is not fit. */
function inputOf({ vault }: Session, kind: Kind, at: number): object | null {
  const path = vault.paths[(at * 7919) % vault.paths.length]!;
  const line = `Line ${at} of what was measured, with a few words more.`;
  if (kind === 'append') return { path, action: 'append', content: line };
  if (kind === 'create')
    return { path: path.replace('.md', ` and ${at}.md`), content: `# New ${at}\n\n${line}\n` };
  const bytes = readFileSync(join(vault.root, path));
  if (bytes.length > 90_000) return null;
  const if_hash = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  const text = bytes.toString('utf8');
  if (kind === 'write') return { path, content: `${text.trimEnd()}\n\n${line}\n`, if_hash };
  const section = plainHeading(text);
  return section === null
    ? null
    : { path, action: 'replace', section, content: `${line}\n\n- one\n- two ${at}\n`, if_hash };
}

/** One write after the other, all kinds in turn; `settle`: each begins when the last one is synced to its end. */
async function writeMany(session: Session, first: number, count: number, settle: boolean): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (let at = first; samples.length < count; at++) {
    const kind = KINDS[samples.length % KINDS.length]!;
    const input = inputOf(session, kind, at);
    if (input === null) continue;
    if (settle) {
      await session.opened.writes.settled();
      session.syncs.forget();
    }
    const before = process.cpuUsage();
    const from = performance.now();
    if (!(await call(session, input))) continue;
    const to = performance.now();
    const { user, system } = process.cpuUsage(before);
    const cpu = (user + system) / 1_000;
    samples.push({ kind, all: to - from, cpu, ...session.syncs.between(from, to) });
  }
  return samples;
}

/** `apart`: no syncs but the write's own are in its time, so that they can be taken off. */
function sampleRow(name: string, samples: readonly Sample[], apart = true): (string | number)[] {
  const mean = (of: (sample: Sample) => number) =>
    (samples.reduce((sum, sample) => sum + of(sample), 0) / samples.length).toFixed(1);
  return [
    name,
    samples.length,
    p50p95(samples.map(({ all }) => all)),
    `${mean(({ commits }) => commits)} + ${mean(({ files }) => files)}`,
    p50p95(samples.map(({ ms }) => ms)),
    apart ? p50p95(samples.map(({ all, ms }) => all - ms)) : '-',
    p50p95(samples.map(({ all, commitMs }) => all - commitMs)),
    p50p95(samples.map(({ cpu }) => cpu)),
    loadavg()[0]!.toFixed(1),
  ];
}

/** Milliseconds of atomic batches that append to a hundred notes each, and those of the processor. */
async function measureBatches(session: Session): Promise<{ readonly ms: number[]; readonly cpu: number[] }> {
  const samples: { ms: number[]; cpu: number[] } = { ms: [], cpu: [] };
  for (let batch = 0; batch < BATCHES; batch++) {
    await session.opened.writes.settled();
    const operations = Array.from({ length: 100 }, (_, at) =>
      inputOf(session, 'append', 1_000_000 + batch * 1_000 + at),
    );
    const before = process.cpuUsage();
    const { ms, result } = await timed(() => call(session, { operations, atomic: true }));
    const { user, system } = process.cpuUsage(before);
    if (!result) throw new Error(`a batch was refused: ${session.refused.at(-1)}`);
    samples.ms.push(ms);
    samples.cpu.push((user + system) / 1_000);
  }
  return samples;
}

/** Milliseconds of git's own `add` and `commit` of one changed note. */
function measureGit({ root, paths }: WriteVault, ...settings: string[]): number[] {
  return Array.from({ length: GIT_COMMITS }, (_, at) => {
    const path = paths[(at * 7919 + 13) % paths.length]!;
    appendFileSync(join(root, path), `\nLine ${at} by git.\n`);
    const from = performance.now();
    git(root, ...settings, 'add', '--', path);
    git(root, ...settings, 'commit', '-q', '-m', 'Change');
    return performance.now() - from;
  });
}

/** Memory and the git dir over many appends. */
async function measureGrowth(session: Session, count: number): Promise<void> {
  const gitDir = join(session.vault.root, '.git');
  const rows: (string | number)[][] = [];
  const megabytes = (bytes: number) => (bytes / 2 ** 20).toFixed(0);
  const look = (done: number, samples: readonly number[]) => {
    const { bytes, files } = sizeOfFolder(gitDir);
    const wal = sizeOfFolder(session.opened.stateDir).bytes;
    const times = samples.length === 0 ? '-' : p50p95(samples);
    rows.push([done, times, megabytes(process.memoryUsage().rss), megabytes(bytes), files, megabytes(wal)]);
  };
  look(0, []);
  for (let done = 0; done < count; done += 1_000) {
    const samples: number[] = [];
    for (let at = 0; at < 1_000; at++) {
      const input = inputOf(session, 'append', 2_000_000 + done + at)!;
      const { ms, result } = await timed(() => call(session, input));
      if (result) samples.push(ms);
      session.syncs.forget();
    }
    await session.opened.writes.settled();
    look(done + 1_000, samples);
  }
  console.log(
    table(['appends', 'p50 / p95 ms', 'RSS MB', 'git dir MB', 'files in it', 'state folder MB'], rows),
  );
}

async function measure(
  scratch: string,
  pages: string,
  notes: number,
  isFlat: boolean,
  each: number,
  many: boolean,
  syncs: ReturnType<typeof recordSyncs>,
): Promise<void> {
  const name = `${notes.toLocaleString('en')} notes, ${isFlat ? 'all in one folder' : 'at most 1,000 a folder'}`;
  const folder = join(scratch, `${notes}-${isFlat}`);
  const vault = makeWriteVault(pages, join(folder, 'vault'), notes, isFlat);
  const opened = await openOwnedVault({
    root: vault.root,
    dataDir: join(folder, 'data'),
    kind: 'server',
    onProblem: ({ what, cause }) => console.error(`problem: ${what}:`, cause),
  });
  await opened.ready;
  await opened.historyRead;
  await opened.writes.switch(true);
  const scope = opened.scope({ kind: 'owner', id: 'owner', name: 'Owner' }, undefined, { scopes: ['write'] });
  const session: Session = { vault, opened, scope, syncs, refused: [] };
  await writeMany(session, 500_000, 40, false);
  const settled = await writeMany(session, 0, each * KINDS.length, true);
  const settledRows = KINDS.map((kind) =>
    sampleRow(
      kind,
      settled.filter((sample) => sample.kind === kind),
    ),
  );
  const all = sampleRow('all', settled);
  const inRow = sampleRow(
    'all, back to back',
    await writeMany(session, 100_000, each * KINDS.length, false),
    false,
  );
  const batches = await measureBatches(session);
  const empty = emptyCommits(folder, 200);
  console.log(`\n### ${name}\n\n${machineLine()}\n`);
  console.log(
    table(
      [
        'write',
        'count',
        'acknowledged p50 / p95 ms',
        'syncs: ledger + files',
        'in syncs p50 / p95 ms',
        'above its syncs p50 / p95 ms',
        "above the ledger's alone",
        'CPU p50 / p95 ms',
        'load',
      ],
      [...settledRows, all, inRow],
    ),
  );
  const list = (values: readonly number[]) => values.map((value) => value.toFixed(0)).join(', ');
  console.log(`\nEmpty commit of SQLite, fully synced: ${p50p95(empty)} ms`);
  console.log(
    `Atomic batch of 100 appends: p50 ${percentile(batches.ms, 0.5).toFixed(0)} ms (${list(batches.ms)}), CPU ${list(batches.cpu)}`,
  );
  console.log(`RSS ${(process.memoryUsage().rss / 2 ** 20).toFixed(0)} MB`);
  if (many) await measureGrowth(session, 5_000);
  await opened.close();
  for (const settings of [[], ['-c', 'core.fsync=all']])
    console.log(
      `git add + commit ${settings.join(' ') || '(its defaults)'}: ${p50p95(measureGit(vault, ...settings))} ms`,
    );
  const unclean = git(vault.root, 'status', '--porcelain');
  console.log(`git status: ${unclean === '' ? 'clean' : unclean.slice(0, 500)}`);
  console.log(
    `git fsck --strict: ${git(vault.root, 'fsck', '--strict', '--no-dangling').trim() || 'nothing'}`,
  );
  const codes = Map.groupBy(session.refused, (one) => one.split(' ')[0]!);
  for (const [code, those] of codes) console.log(`refused: ${those.length} ${code}, as ${those[0]}`);
  rmSync(folder, { recursive: true });
}

const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '10000' },
    flat: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    each: { type: 'string', default: '100' },
    many: { type: 'boolean', default: false },
    kills: { type: 'string' },
    help: { type: 'boolean' },
  },
});
if (values.help === true) {
  console.log(`node bench/write.ts [--notes 10000] [--flat] [--all] [--each 100] [--many] [--kills 1000]   writes through write_note in one process
--flat: all notes in one folder, not at most 1,000; --all: 10,000, 50,000 and 10,000 flat, one after the other
--each: writes of each kind in each manner
--many: memory and git dir over 5,000 appends, with the first of them; --kills: then bench/write-kills.ts`);
} else {
  const scratch = scratchFolder('write');
  const syncs = recordSyncs();
  try {
    const pages = unpackPages(scratch);
    const vaults: [number, boolean][] = values.all
      ? [
          [10_000, false],
          [50_000, false],
          [10_000, true],
        ]
      : [[Number(values.notes), values.flat]];
    for (const [at, [notes, isFlat]] of vaults.entries())
      await measure(scratch, pages, notes, isFlat, Number(values.each), values.many && at === 0, syncs);
  } finally {
    rmSync(scratch, { recursive: true });
  }
  if (values.kills !== undefined)
    execFileSync(process.execPath, [join(import.meta.dirname, 'write-kills.ts'), '--kills', values.kills], {
      stdio: 'inherit',
    });
}
