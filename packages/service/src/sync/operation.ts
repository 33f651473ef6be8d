import { setTimeout as sleep } from 'node:timers/promises';
import { GroveError } from '@grove/core';
import { plural } from '../answers/markdown.ts';
import type { Operation, Scope } from '../contract.ts';
import { defineOperation } from '../operation/define.ts';
import { choice, flag, type InputOf, text } from '../parameters/parameter.ts';
import { runAnswer, type SyncAnswer, syncOutput, syncState } from './answer.ts';
import type { SyncHealth, SyncReport, VaultSync } from './contract.ts';
import { presentSync } from './present.ts';

/** Longest time that one call waits for a run; whoever wants to go on waiting asks again. */
const PATIENCE_MS = 60_000;

export const syncParameters = {
  action: choice(
    ['now', 'wait', 'status', 'accept', 'on', 'pull', 'push', 'off'],
    'Sync now, wait for the end of what runs, tell how it stands, agree to what waits, or choose what is done by itself.',
    { guesses: ['mode', 'do'] },
  ),
  remote: text('The name of the remote, where it is not origin.', { guesses: ['name'] }),
  url: text('Its https:// address, where git has none or another.', { guesses: ['address', 'host'] }),
  create_branch: flag(false, 'Let the branch be made at a remote that has others and lacks this one.', {
    guesses: ['create'],
  }),
} as const;

export type SyncInput = InputOf<typeof syncParameters>;

/**
 * Syncs a vault with its git remote, or says whether that is done by itself. For the owner's command line alone.
 *
 * @example await syncVault.run(scope, syncVault.parse({ action: 'on', url: 'https://github.com/ada/notes.git' }));
 */
export const syncVault: Operation<SyncInput, SyncAnswer> = defineOperation({
  name: 'sync',
  title: 'Sync with a git remote',
  description: 'Pull from the git remote of the vault and push to it.',
  hints: { readOnlyHint: false, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  parameters: syncParameters,
  output: syncOutput,
  check: ({ action, remote, url, create_branch }) => {
    const chooses = action === 'on' || action === 'pull' || action === 'push';
    if (!chooses && (remote !== null || url !== null || create_branch))
      throw new GroveError('bad_input', {
        reason: '"remote", "url" and "create_branch" go with switching sync on',
      });
  },
  run: runSync,
  present: presentSync,
});

async function runSync(
  scope: Scope,
  { action, remote, url, create_branch: createBranch }: SyncInput,
): Promise<SyncAnswer> {
  const { sync } = scope;
  if (sync === null) throw refusal(scope);
  if (action === 'now') return syncAnswer(scope, sync, await ifSoon(sync.run()));
  if (action === 'wait') return syncAnswer(scope, sync, await ifSoon(sync.ended()));
  if (action === 'status') return syncAnswer(scope, sync, null);
  if (action === 'accept') return acceptAll(scope, sync);
  const { mode } = await sync.choose({
    mode: action,
    createBranch,
    ...(remote === null ? {} : { remote }),
    ...(url === null ? {} : { url }),
  });
  const answer = await syncAnswer(scope, sync, null);
  if (mode === action) return answer;
  const remark = `GROVE_SYNC says ${mode} to this process, whatever is chosen here.`;
  return { ...answer, remarks: [remark, ...answer.remarks] };
}

async function acceptAll(scope: Scope, sync: VaultSync): Promise<SyncAnswer> {
  const { settings, branch } = await sync.accept();
  // Nobody has to ask for the merge a second time.
  const answer = await syncAnswer(scope, sync, branch ? await ifSoon(sync.run()) : null);
  const said = [
    ...(settings ? ['What .grove/vault.yaml says counts now.'] : []),
    ...(branch
      ? ['Commits that the remote dropped are in the vault, and go back to it with the next push.']
      : []),
  ];
  return {
    ...answer,
    remarks: [...(said.length > 0 ? said : ['Nothing waits for your word.']), ...answer.remarks],
  };
}

/** How sync of a vault stands, with what a run did; the scope says in which zone times are told. */
export async function syncAnswer(
  scope: Scope,
  sync: VaultSync,
  report: SyncReport | null,
): Promise<SyncAnswer> {
  const waiting = scope.vault.ownersWord.waiting === null ? [] : [scope.vault.ownersWord.waiting];
  return {
    vault: scope.vault.name,
    sync: syncState(scope, await sync.look()),
    ...(report === null ? {} : { run: runAnswer(scope, report) }),
    ...(report !== null || sync.last === null ? {} : { last_run: runAnswer(scope, sync.last) }),
    remarks: [...waiting, ...(await sync.remarks()), ...leftOut(scope, sync.health())],
  };
}

/** What people edit in the folder is pushed once it is committed, which not every vault leaves to Grove. */
function leftOut(scope: Scope, { mode }: SyncHealth): string[] {
  const edits = mode === 'on' || mode === 'push' ? scope.autocommit() : null;
  if (edits === null || edits.on || edits.uncommitted === null || edits.uncommitted === 0) return [];
  return [
    `${plural(edits.uncommitted, 'note')} changed in the folder and not committed: not pushed. Commit with git, or set "autocommit: true" in .grove/vault.yaml.`,
  ];
}

async function ifSoon(report: Promise<SyncReport | null>): Promise<SyncReport | null> {
  return await Promise.race([report, sleep(PATIENCE_MS, null, { ref: false })]);
}

function refusal({ principal, may }: Scope): GroveError {
  if (principal.kind !== 'owner' || !may.write) return new GroveError('scope_missing', { scope: 'admin' });
  return new GroveError('sync_unsupported', {
    reason: 'path rules hide a part of the vault from this command',
  });
}
