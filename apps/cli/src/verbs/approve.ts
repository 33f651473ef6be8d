import { errorCode, GroveError } from '@grove/core';
import { findOwner } from '@grove/server';
import { type ApproveAnswer, approve, presentWaiting, type WaitingAnswer } from '@grove/service';
import type { VaultState } from '@grove/vault';
import type { Command } from 'commander';
import { callVault } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { askLine, isYes } from '../terminal/ask-line.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { dataDirOf, vaultOf } from '../vaults/vault-of-run.ts';
import { printAnswer } from './answer.ts';
import { given } from './option-values.ts';

interface ApproveOptions extends CommonOptions {
  readonly deny?: true;
}

/** `grove approve [ID]` */
export function approveVerb(command: Command, run: Run): void {
  command
    .description('Say yes or no to deletions that wait for it; asks about each of them at a terminal')
    .argument('[id]', 'only this one, as the list names it')
    .option('--deny', 'say no to it')
    .action(async (id: string | undefined, options: ApproveOptions) => {
      if (options.deny === true && id === undefined)
        command.error("error: option '--deny' needs the id of what is denied", { exitCode: 2 });
      const vault = await vaultOf(run, options);
      if (!(await isServed(run, options, vault))) {
        tellNothingServes(run, options, vault, id);
        return;
      }
      const answer = await callVault(run, options, approve, given({ id, deny: options.deny }));
      if (id === undefined && run.stdin.isTTY && options.json !== true)
        await askEach(run, options, answer.waiting);
      else printAnswer(run, options, approve, answer);
    });
}

/** What waits does so in a process that serves the vault; to open it here would find nothing. */
async function isServed(run: Run, options: CommonOptions, { root }: VaultState): Promise<boolean> {
  const where = { dataDir: dataDirOf(run, options), runtimeDir: run.settings.runtimeDir };
  return (await findOwner(root, where)) !== null;
}

function tellNothingServes(
  run: Run,
  options: CommonOptions,
  { slug }: VaultState,
  id: string | undefined,
): void {
  const reason = `No Grove process serves ${slug} now, so that nothing waits.`;
  if (id !== undefined) throw new GroveError('confirmation_unknown', { id }, { hint: reason });
  if (options.json === true) printJson(run, { waiting: [] } satisfies ApproveAnswer);
  else run.stdout.write(withoutControls(`${reason}\n`));
}

async function askEach(run: Run, options: CommonOptions, waiting: readonly WaitingAnswer[]): Promise<void> {
  if (waiting.length === 0) run.stdout.write('Nothing waits for a yes.\n');
  for (const one of waiting) {
    run.stdout.write(withoutControls(`${presentWaiting(one).join('\n')}\n`));
    const said = await askLine(run, 'Delete? y = yes, n = no, Enter leaves it waiting: ');
    if (said === null) return;
    const isNo = /^\s*(?:n|no)\s*$/i.test(said);
    if (!isYes(said) && !isNo) continue;
    await decide(run, options, one, isNo);
  }
}

async function decide(run: Run, options: CommonOptions, { id }: WaitingAnswer, deny: boolean): Promise<void> {
  try {
    await callVault(run, options, approve, given({ id, deny: deny ? true : undefined }));
    run.stdout.write(
      deny ? 'Denied.\n' : 'Approved: the same call passes once within the next five minutes.\n',
    );
  } catch (error) {
    // It was asked for too long ago, or one of its notes changed while this was read.
    if (errorCode(error) !== 'confirmation_unknown') throw error;
    run.stdout.write('It waits no longer.\n');
  }
}
