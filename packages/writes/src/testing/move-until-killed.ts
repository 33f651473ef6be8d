// A process of its own that moves a note for someone who sees a part of the vault, and kills itself, for tests.
import { openMovable } from './movable-vault.ts';

// `at`: the name of a step; `times`: at which passing of it.
const [root = '', stateDir = '', at = '', times = '1'] = process.argv.slice(2);
let passed = 0;
const opened = await openMovable(root, stateDir, (step) => {
  if (step !== at) return;
  passed += 1;
  if (passed === Number(times)) process.kill(process.pid, 'SIGKILL');
});
await opened.move('Open/Plan.md', 'Open/New/Plan.md');
await opened.close();
