import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openVault } from '../open-vault.ts';
import { noGitTimes } from '../times.ts';

// Run by a process of its own, whose user owns the folder and is not root, which may read everything: takes the right to
// read a folder of the vault, then the vault's own, and gives each back. Prints what the vault says at each point.

// The timers of a vault keep no process.
const alive = setInterval(() => {}, 1_000);
const [root = '', stateDir = '', inside = ''] = process.argv.slice(2);
const vault = await openVault({ root, stateDir, slug: 'notes', gitDir: null, times: noGitTimes, poll: 30 });
await vault.ready;
const told: object[] = [];

const tell = () => {
  const { state, notes, problem, unreadableFolders } = vault.health();
  const paths = vault
    .ownerView()
    .notes()
    .map(({ path }) => path);
  told.push({ state, notes, problem, unreadableFolders, paths });
};

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await sleep(20);
};

chmodSync(join(root, inside), 0o000);
await until(() => vault.health().unreadableFolders.length > 0);
tell();
chmodSync(join(root, inside), 0o755);
await until(() => vault.health().unreadableFolders.length === 0);
chmodSync(root, 0o000);
await until(() => vault.health().state === 'degraded');
tell();
chmodSync(root, 0o755);
await until(() => vault.health().state === 'ready');
tell();
await vault.close();
clearInterval(alive);
console.log(JSON.stringify({ told, parsed: vault.health().parsed }));
