// Run by a test under a low limit of open files: takes every file descriptor that is left, and prints what the vault
// says meanwhile and after.
import { closeSync, openSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode } from '@grove/core';
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
await vault.ready;

async function outcomeOf(work: () => Promise<unknown>): Promise<string> {
  try {
    await work();
    return 'done';
  } catch (error) {
    return errorCode(error) ?? String(error);
  }
}

async function report(): Promise<void> {
  const view = vault.ownerView();
  const [row] = view.notes();
  const line = {
    read: await outcomeOf(() => view.read(row!)),
    part: await outcomeOf(() => vault.reconcile(['A.md'])),
    whole: await outcomeOf(() => vault.reconcile()),
    paths: vault
      .ownerView()
      .notes()
      .map(({ path }) => path),
    skipped: vault.health().skipped,
    state: vault.health().state,
  };
  process.stdout.write(`${JSON.stringify(line)}\n`);
}

// A change that each look has to read.
await writeFile(join(root, 'A.md'), 'another text');
const taken: number[] = [];
try {
  for (;;) taken.push(openSync(root, 'r'));
} catch (error) {
  if (errorCode(error) !== 'EMFILE') throw error;
}
await report();
for (const descriptor of taken) closeSync(descriptor);
await report();
await vault.close();
