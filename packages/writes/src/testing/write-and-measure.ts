// A process of its own that appends to notes one after the other and tells what that took, for tests and benches.
import { existsSync, readFileSync } from 'node:fs';
import { parseVaultPath, systemClock } from '@grove/core';
import { locateGitDir, NO_USER_SETTINGS } from '@grove/history';
import { openWriteEngine } from '../engine/open-engine.ts';
import { largestRss } from './largest-rss.ts';

/** What the writes took. */
export interface WritesMeasured {
  /** Bytes that the process asked the system to read, by write; empty where the system does not count them. */
  readonly read: readonly number[];
  readonly milliseconds: readonly number[];
  /** What memory grew by from before the engine was opened, in bytes; the largest it ever had. */
  readonly rssGrowth: number;
}

function bytesRead(): number | null {
  const file = '/proc/self/io';
  if (!existsSync(file)) return null;
  return Number(/^rchar: (\d+)$/m.exec(readFileSync(file, 'utf8'))?.[1]);
}

const [root = '', stateDir = '', ...paths] = process.argv.slice(2);
const rss = process.memoryUsage.rss();
let before = bytesRead();
const engine = await openWriteEngine({
  root,
  stateDir,
  location: (await locateGitDir(root))!,
  clock: systemClock,
  userSettings: NO_USER_SETTINGS,
  published: async () => {},
});
const read: number[] = [];
const milliseconds: number[] = [];
for (const name of paths) {
  const path = parseVaultPath(name);
  const started = performance.now();
  await engine.apply({
    paths: [path],
    plan: (files) => ({
      changes: [{ path, after: Buffer.concat([files.get(path)!.bytes, Buffer.from('One line more.\n')]) }],
      subject: `Append to ${path}`,
      trailers: { 'Grove-Operation': 'append' },
      mechanical: false,
      answer: null,
    }),
    author: { kind: 'owner', id: 'owner', name: 'Owner', client: null },
    idempotency: null,
  });
  milliseconds.push(performance.now() - started);
  await engine.settled();
  const now = bytesRead();
  if (now !== null && before !== null) read.push(now - before);
  before = now;
}
await engine.close();
const rssGrowth = largestRss() - rss;
console.log(JSON.stringify({ read, milliseconds, rssGrowth } satisfies WritesMeasured));
