import { keepToken, type SyncAnswer, syncVault } from '@grove/service';
import { type Command, CommanderError } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { callSync } from '../syncing/call-sync.ts';
import { readToken } from '../syncing/read-token.ts';
import { printJson } from '../terminal/print.ts';
import { vaultOf } from '../vaults/vault-of-run.ts';
import { printAnswer } from './answer.ts';
import { given } from './option-values.ts';
import { subcommand } from './subcommand.ts';

interface OnOptions extends CommonOptions {
  readonly pullOnly?: true;
  readonly pushOnly?: true;
  readonly url?: string;
  readonly remote?: string;
  readonly createBranch?: true;
}

/** `grove sync`, `grove sync status|on|off|accept|token`; exit code 1 when a run did not go well. */
export function syncVerb(command: Command, run: Run): void {
  command
    .description('Pull from the git remote of the vault and push to it, now; see docs/sync.md')
    .action(async (options: CommonOptions) => {
      show(run, options, await callSync(run, options, { action: 'now' }));
    });
  subcommand(command, 'status', 'how sync stands, and what stands in its way').action(
    async (_words: unknown, own: Command) => {
      const options = own.optsWithGlobals<CommonOptions>();
      show(run, options, await callSync(run, options, { action: 'status' }));
    },
  );
  syncOn(subcommand(command, 'on', 'sync by itself, from now on, while Grove runs'), run);
  subcommand(command, 'off', 'sync only when it is asked for').action(
    async (_words: unknown, own: Command) => {
      const options = own.optsWithGlobals<CommonOptions>();
      show(run, options, await callSync(run, options, { action: 'off' }));
    },
  );
  subcommand(
    command,
    'accept',
    'agree to what a sync brought into .grove/vault.yaml, and to merge a branch that was set back',
  ).action(async (_words: unknown, own: Command) => {
    const options = own.optsWithGlobals<CommonOptions>();
    show(run, options, await callSync(run, options, { action: 'accept' }));
  });
  syncToken(
    subcommand(
      command,
      'token',
      'keep a token for the remote: asked for at a terminal, else read from stdin',
    ),
    run,
  );
}

function syncOn(command: Command, run: Run): void {
  command
    .option('--pull-only', 'take what the remote has, and push nothing')
    .option('--push-only', 'push, and take nothing')
    .option('--url <url>', 'the https:// address of the remote, where git has none or another')
    .option('--remote <name>', 'another remote than origin')
    .option('--create-branch', 'make the branch of the vault at a remote that has others')
    .action(async (_words: unknown, own: Command) => {
      const options = own.optsWithGlobals<OnOptions>();
      const { pullOnly, pushOnly, url, remote, createBranch } = options;
      if (pullOnly === true && pushOnly === true)
        own.error("error: option '--pull-only' cannot be used with option '--push-only'", { exitCode: 2 });
      const action = pullOnly === true ? 'pull' : pushOnly === true ? 'push' : 'on';
      show(
        run,
        options,
        await callSync(run, options, given({ action, url, remote, create_branch: createBranch })),
      );
    });
}

function syncToken(command: Command, run: Run): void {
  command
    .option('--forget', 'remove the token that is kept')
    .action(async (_words: unknown, own: Command) => {
      const options = own.optsWithGlobals<CommonOptions & { readonly forget?: true }>();
      const { stateDir, slug } = await vaultOf(run, options);
      const token = options.forget === true ? null : await readToken(run);
      await keepToken(stateDir, token);
      if (options.json === true) printJson(run, { vault: slug, kept: token !== null });
      else
        run.stdout.write(
          token === null
            ? `The token of ${slug} is forgotten here. Revoke it at the git server too.\n`
            : `The token of ${slug} is kept, readable for you alone. Try it: grove sync\n`,
        );
    });
}

function show(run: Run, options: CommonOptions, answer: SyncAnswer): void {
  printAnswer(run, options, syncVault, answer);
  if (answer.run?.problem !== undefined) throw new CommanderError(1, 'grove.problems', '');
}
