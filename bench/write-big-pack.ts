// Writes into a vault of 20,000 notes whose repository holds a pack of hundreds of megabytes.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { fillWithBigPack, noteOf } from '../packages/writes/src/testing/big-pack.ts';
import type { WritesMeasured } from '../packages/writes/src/testing/write-and-measure.ts';
import { scratchFolder } from './corpora.ts';
import { machineLine, p50p95, table } from './figures.ts';
import { git } from './write-vault.ts';

const MB = 1024 * 1024;
const script = fileURLToPath(new URL('../packages/writes/src/testing/write-and-measure.ts', import.meta.url));

/** Appends to so many notes in a process of its own. */
async function appended(root: string, stateDir: string, paths: readonly string[]): Promise<WritesMeasured> {
  const child = spawn(process.execPath, [script, root, stateDir, ...paths], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const output = text(child.stdout);
  const [code] = await once(child, 'close');
  if (code !== 0) throw new Error(`the writes ended with code ${code}`);
  return JSON.parse(await output) as WritesMeasured;
}

const { values } = parseArgs({
  options: {
    notes: { type: 'string', default: '20000' },
    megabytes: { type: 'string', default: '500' },
    writes: { type: 'string', default: '100' },
  },
});
const [notes, megabytes, writes] = [Number(values.notes), Number(values.megabytes), Number(values.writes)];
const scratch = scratchFolder('big-pack');
const root = join(scratch, 'vault');
const stateDir = join(scratch, 'state');
for (const folder of [root, stateDir]) mkdirSync(folder, { recursive: true });
git(root, 'init', '-q', '-b', 'main');
const paths = Array.from({ length: writes }, (_, at) => noteOf((at * 7919) % notes));
const packBytes = await fillWithBigPack(
  { dir: root, run: (...args) => git(root, ...args) },
  notes,
  megabytes * MB,
  [...new Set(paths)],
);
const { read, milliseconds, rssGrowth } = await appended(root, stateDir, paths);
const kilobytes = (bytes: number) => Math.round(bytes / 1024);
console.log(`${machineLine()}\n`);
console.log(
  table(
    [
      'notes',
      'pack MB',
      'writes',
      'first ms',
      'p50 / p95 ms',
      'first reads KB',
      'others at most KB',
      'RSS grows MB',
    ],
    [
      [
        notes,
        Math.round(packBytes / MB),
        writes,
        (milliseconds[0] ?? 0).toFixed(1),
        p50p95(milliseconds.slice(1)),
        kilobytes(read[0] ?? 0),
        kilobytes(Math.max(0, ...read.slice(1))),
        Math.round(rssGrowth / MB),
      ],
    ],
  ),
);
rmSync(scratch, { recursive: true, force: true });
