// A process of its own that commits outside edits as fast as it can, for tests that kill it.
import { openOwnedVault } from '../workspace/open-owned-vault.ts';

const [root = '', dataDir = ''] = process.argv.slice(2);
const opened = await openOwnedVault({
  root,
  dataDir,
  kind: 'stdio',
  autocommit: { quietMs: 1, longestMs: 1_000 },
});
console.log('opened');
await Promise.all([opened.ready, opened.historyRead]);
const owner = { kind: 'owner', id: 'o', name: 'owner' } as const;
while (opened.scope(owner).autocommit()?.uncommitted !== 0)
  await new Promise((resolve) => setTimeout(resolve, 5));
console.log('done');
await opened.close();
