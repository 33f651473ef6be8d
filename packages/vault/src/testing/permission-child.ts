// Run by a test as root: gives up root's rights over everything, takes permissions away, and prints what the
// vault says. The vault is opened before, so that the checkout itself need not be readable for everyone.
import { chmod } from 'node:fs/promises';
import { join } from 'node:path';
import { openVault } from '../open-vault.ts';
import { noGitTimes } from '../times.ts';

const [root = '', stateDir = ''] = process.argv.slice(2);
const vault = await openVault({
  root,
  stateDir,
  slug: 'notes',
  gitDir: null,
  times: noGitTimes,
  poll: true,
  listenerGraceMs: 0,
});
let removed = 0;
vault.onDelta(async (delta) => {
  removed += delta.removed.length;
});
await vault.ready;
const nobody = 65_534;
process.setgroups?.([]);
process.setgid?.(nobody);
process.setuid?.(nobody);

async function report(): Promise<void> {
  await vault.reconcile();
  const health = vault.health();
  const line = {
    state: health.state,
    paths: vault
      .ownerView()
      .notes()
      .map((row) => row.path),
    notes: health.notes,
    removed,
    skipped: health.skipped,
    unreadable: health.unreadableFolders,
    parsed: health.parsed,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

await report();
await chmod(join(root, 'Closed'), 0);
await chmod(join(root, 'Listed'), 0o400);
await chmod(join(root, 'File.md'), 0);
await report();
await chmod(join(root, 'Closed'), 0o700);
await chmod(join(root, 'Listed'), 0o700);
await chmod(join(root, 'File.md'), 0o600);
await report();
await chmod(root, 0);
await report();
await chmod(root, 0o700);
await report();
await vault.close();
