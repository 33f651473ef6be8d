import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { openLexicalIndex, outlineAsync } from '@grove/native';
import { scratchFolder } from './corpora.ts';
import { machineLine, table } from './figures.ts';

/** The longest time (ms) for which the event loop was held while the work ran. */
async function longestPause(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let running = true;
  const tick = () => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    if (running) setImmediate(tick);
  };
  setImmediate(tick);
  await new Promise((resolve) => setTimeout(resolve, 20));
  longest = 0;
  await work();
  running = false;
  await new Promise((resolve) => setTimeout(resolve, 5));
  return longest;
}

/** As a file is read: one flat string, not the rope that `repeat` makes. */
function flat(line: string, bytes: number): string {
  return Buffer.from(line.repeat(bytes / line.length)).toString();
}

const scratch = scratchFolder('pauses');
const index = await openLexicalIndex(join(scratch, 'index'));
const lines = {
  prose: 'The quick brown fox jumps over the lazy dog and then some more words follow.\n',
  links: 'See [[Some note|label]] and [x](y.md) for `code`.\n# Heading\n',
  wide: 'すばやい茶色の狐がのろまな犬を飛び越える。\n',
};
const rows: (string | number)[][] = [];
for (const megabytes of [0.2, 1, 5]) {
  for (const [name, line] of Object.entries(lines)) {
    const text = flat(line, megabytes * 1e6);
    const note = {
      id: 1,
      path: 'a.md',
      title: 'a',
      aliases: [],
      headings: [],
      tags: [],
      properties: '',
      bodyStart: 0,
    };
    const work = [
      () => outlineAsync(text),
      () => index.add([{ ...note, text }]),
      () => index.commit(),
      () => index.text(1),
    ];
    const cells: string[] = [];
    for (const step of work) {
      // The better of three: the machine's own pauses are not ours.
      const runs: number[] = [];
      for (let run = 0; run < 3; run++) runs.push(await longestPause(step));
      cells.push(Math.min(...runs).toFixed(1));
    }
    rows.push([`${megabytes} MB, ${name}`, ...cells]);
  }
}
await index.close();
rmSync(scratch, { recursive: true });
console.log(machineLine());
console.log(table(['note', 'outline', 'add', 'commit', 'text'], rows));
