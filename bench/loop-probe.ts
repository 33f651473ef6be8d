// Loaded into a server by `node --import`: the first SIGUSR2 begins to watch its event loop, the next one writes
// what was seen to the file that LOOP_PROBE_FILE names, and so on.
import { renameSync, writeFileSync } from 'node:fs';
import { watchEventLoop } from './event-loop.ts';

const file = process.env.LOOP_PROBE_FILE;
if (file !== undefined) {
  let watch: ReturnType<typeof watchEventLoop> | null = null;
  process.on('SIGUSR2', () => {
    if (watch === null) {
      watch = watchEventLoop();
      return;
    }
    const { stretches, ...figures } = watch.stop();
    watch = null;
    const lengths = stretches.map(({ from, to }) => to - from).filter((length) => length > 20);
    // Renamed, so that who waits for it never reads half of it.
    writeFileSync(`${file}.new`, JSON.stringify({ ...figures, long: lengths.length }));
    renameSync(`${file}.new`, file);
  });
}
