// A process of its own that does one pull and tells what that took, for tests and benches.
import { systemClock } from '@grove/core';
import { locateGitDir, NO_USER_SETTINGS } from '@grove/history';
import { openWriteEngine } from '../engine/open-engine.ts';
import { largestRss } from './largest-rss.ts';

/** What a pull took. */
export interface PullMeasured {
  readonly kind: string;
  readonly changed: number;
  readonly milliseconds: number;
  /** What memory grew by from before the engine was opened, in bytes; the largest it ever had. */
  readonly rssGrowth: number;
}

const [root = '', stateDir = '', theirs = ''] = process.argv.slice(2);
const rss = process.memoryUsage.rss();
const engine = await openWriteEngine({
  root,
  stateDir,
  location: (await locateGitDir(root))!,
  clock: systemClock,
  userSettings: NO_USER_SETTINGS,
  published: async () => {},
});
const started = performance.now();
const { kind, changed } = await engine.pull({ theirs, remote: 'origin' });
const milliseconds = performance.now() - started;
await engine.close();
const measured = { kind, changed: changed.length, milliseconds, rssGrowth: largestRss() - rss };
console.log(JSON.stringify(measured satisfies PullMeasured));
