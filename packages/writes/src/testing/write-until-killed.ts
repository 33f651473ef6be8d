// A process of its own that does the script of writes and kills itself at one place, for tests.
import { writeSync } from 'node:fs';
import { systemClock } from '@grove/core';
import { locateGitDir, NO_USER_SETTINGS } from '@grove/history';
import { openWriteEngine } from '../engine/open-engine.ts';
import { lookingFs } from './looking-fs.ts';
import { doStep, SCRIPT } from './script.ts';

// `at`: the name of a step or `fs`; `times`: at which passing of it.
const [root = '', stateDir = '', at = '', times = '1'] = process.argv.slice(2);
let passed = 0;
const pass = (place: string) => {
  if (place !== at) return;
  passed += 1;
  if (passed === Number(times)) process.kill(process.pid, 'SIGKILL');
};

const engine = await openWriteEngine(
  {
    root,
    stateDir,
    location: (await locateGitDir(root))!,
    clock: systemClock,
    fs: lookingFs(() => pass('fs')),
    userSettings: NO_USER_SETTINGS,
    published: async () => {},
  },
  { step: pass },
);
for (const [count, step] of SCRIPT.entries()) {
  writeSync(1, `begin ${count}\n`);
  await doStep(engine, root, step);
  writeSync(1, `done ${count}\n`);
  // Some writes are settled before the next one, some are not.
  if (count % 3 === 2) await engine.settled();
}
await engine.close();
writeSync(1, 'closed\n');
