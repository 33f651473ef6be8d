// A process of its own that does one pull and kills itself at one place, for tests.
import { writeSync } from 'node:fs';
import { systemClock } from '@grove/core';
import { locateGitDir, NO_USER_SETTINGS } from '@grove/history';
import { openWriteEngine } from '../engine/open-engine.ts';
import { lookingFs } from './looking-fs.ts';

// `at`: the name of a step or `fs`; `times`: at which passing of it.
const [root = '', stateDir = '', theirs = '', at = '', times = '1'] = process.argv.slice(2);
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
writeSync(1, 'begin\n');
await engine.pull({ theirs, remote: 'origin' });
writeSync(1, 'done\n');
await engine.close();
