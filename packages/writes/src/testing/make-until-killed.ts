// A process of its own that makes a note whose names become links, and kills itself, for tests.
import { openMovable } from './movable-vault.ts';

// `at`: the name of a step; `times`: at which passing of it; `sees`: how much of the vault the maker sees.
const [root = '', stateDir = '', at = '', times = '1', sees = 'all'] = process.argv.slice(2);
let passed = 0;
const opened = await openMovable(root, stateDir, (step) => {
  if (step !== at) return;
  passed += 1;
  if (passed === Number(times)) process.kill(process.pid, 'SIGKILL');
});
await opened.make('Open/New.md', 'Of the plan and the secret.\n', sees === 'all' ? 'all' : 'little');
await opened.close();
