import { execFileSync } from 'node:child_process';
import { appendFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { type OpenedVault, openOwnedVault, type Principal, type Scope, vaultStatus } from '@grove/service';
import { parseTrailRules, trailViewRules } from '@grove/trails';
import { scratchFolder, unpackPages } from './corpora.ts';
import { machineLine, p50p95, percentile, table } from './figures.ts';

const GUEST: Principal = { kind: 'trail', id: 'k_bench', name: 'bench', trail: 't_bench' };
const ROUNDS = 20;
const INPUTS: Readonly<Record<string, object>> = {
  graph: { mode: 'graph' },
  'graph of a note, two links around': {
    mode: 'graph',
    path: 'desktop-src/DirectShow/fourcc-codes.md',
    depth: 2,
  },
  'graph, way between two notes': {
    mode: 'graph',
    path: 'desktop-src/DirectShow/fourcc-codes.md',
    to: 'desktop-src/ADSchema/c-user.md',
  },
  digest: { mode: 'digest' },
  diagnostics: { mode: 'diagnostics' },
};

interface Taken {
  readonly waited: number;
  /** Of the event loop's thread: what it measures aside holds nobody up, nor does other work of the machine. */
  readonly processor: number;
}

async function take(scope: Scope, input: object): Promise<Taken> {
  const begin = performance.now();
  const before = process.threadCpuUsage();
  await vaultStatus.run(scope, vaultStatus.parse(input));
  const { user, system } = process.threadCpuUsage(before);
  return { waited: performance.now() - begin, processor: (user + system) / 1_000 };
}

async function takeMany(rounds: number, scopeOf: (round: number) => Scope, input: object): Promise<string[]> {
  const taken: Taken[] = [];
  for (let round = 0; round < rounds; round += 1) taken.push(await take(scopeOf(round), input));
  return [p50p95(taken.map(({ processor }) => processor)), p50p95(taken.map(({ waited }) => waited))];
}

/** A View that nobody has used: each round denies another folder that is not there. */
function freshView(opened: OpenedVault, name: string): Scope {
  const rules = parseTrailRules({ allowPaths: ['**'], denyPaths: [`no such folder ${name}`] });
  return opened.scope(GUEST, trailViewRules(rules), { scopes: ['read'], trail: true });
}

async function untilMeasured(scope: Scope): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const answer = await vaultStatus.run(scope, vaultStatus.parse({ mode: 'graph' }));
    if (answer.mode === 'graph' && answer.bridges?.state !== 'measuring') return performance.now() - begin;
  }
}

async function openPages(scratch: string, root: string): Promise<OpenedVault> {
  const opened = await openOwnedVault({
    root,
    dataDir: join(scratch, 'data'),
    kind: 'server',
    poll: 3_600_000,
  });
  await opened.ready;
  return opened;
}

/** What the first call of a process takes, at the moment in which its vault is ready, and the most of it at a stretch. */
async function first(name: string, scratch: string, root: string): Promise<Taken & { stretch: number }> {
  const opened = await openPages(scratch, root);
  const scope = freshView(opened, name);
  let last = process.threadCpuUsage();
  let stretch = 0;
  const tick = (): void => {
    const { user, system } = process.threadCpuUsage(last);
    stretch = Math.max(stretch, (user + system) / 1_000);
    last = process.threadCpuUsage();
  };
  const ticks = setInterval(tick, 1);
  const taken = await take(scope, INPUTS[name]!);
  tick();
  clearInterval(ticks);
  await opened.close();
  return { ...taken, stretch };
}

function firstOfProcess(name: string, scratch: string, root: string): string[] {
  const all = Array.from({ length: 3 }, (): Taken & { stretch: number } => {
    const printed = execFileSync(process.execPath, [import.meta.filename, name, scratch, root]);
    return JSON.parse(String(printed));
  });
  const middleAndMost = (values: readonly number[]): string =>
    `${percentile(values, 0.5).toFixed(0)} / ${Math.max(...values).toFixed(0)}`;
  return [
    name,
    middleAndMost(all.map(({ processor }) => processor)),
    middleAndMost(all.map(({ stretch }) => stretch)),
    middleAndMost(all.map(({ waited }) => waited)),
  ];
}

async function main(): Promise<void> {
  const scratch = scratchFolder('graph');
  try {
    const root = unpackPages(scratch);
    const opened = await openPages(scratch, root);
    const owner = opened.scope({ kind: 'stdio', id: 'bench', name: 'bench' });
    const rows: string[][] = [];
    for (const [name, input] of Object.entries(INPUTS))
      rows.push([
        `${name}, first use of a View`,
        ...(await takeMany(5, (round) => freshView(opened, `${name} ${round}`), input)),
      ]);
    const bridges = await untilMeasured(owner);
    for (const [name, input] of Object.entries(INPUTS))
      rows.push([`${name}, again`, ...(await takeMany(ROUNDS, () => owner, input))]);
    for (const [name, input] of Object.entries(INPUTS)) {
      const after: Taken[] = [];
      for (let round = 0; round < 5; round += 1) {
        appendFileSync(
          join(root, 'desktop-src/DirectShow/fourcc-codes.md'),
          `\n[[c-user]] ${name} ${round}\n`,
        );
        await opened.vault.reconcile(['desktop-src/DirectShow/fourcc-codes.md']);
        after.push(await take(owner, input));
      }
      rows.push([
        `${name}, after a change`,
        p50p95(after.map(({ processor }) => processor)),
        p50p95(after.map(({ waited }) => waited)),
      ]);
    }
    const memory = Math.round(process.memoryUsage().rss / 1e6);
    await opened.close();
    console.log(machineLine());
    console.log(table(['what', 'processor time, ms p50 / p95', 'waited, ms p50 / p95'], rows));
    console.log(`Bridges, from the first question until they are known: ${(bridges / 1_000).toFixed(1)} s.`);
    console.log(`RSS ${memory} MB`);
    const firsts = Object.keys(INPUTS).map((name) => firstOfProcess(name, scratch, root));
    console.log(machineLine());
    console.log(
      table(
        ['first call of a process', 'processor time, ms p50 / most', 'longest stretch', 'waited'],
        firsts,
      ),
    );
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

// The vault itself keeps no process alive.
const alive = setInterval(() => {}, 60_000);
const [name, scratch, root] = process.argv.slice(2);
if (name === undefined || scratch === undefined || root === undefined) await main();
else console.log(JSON.stringify(await first(name, scratch, root)));
clearInterval(alive);
