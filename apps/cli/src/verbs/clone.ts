import { resolve } from 'node:path';
import { cloneRemote } from '@grove/history';
import { keepToken } from '@grove/service';
import { locateState } from '@grove/vault';
import type { Command } from 'commander';
import type { CommonOptions, Run } from '../run.ts';
import { readSync } from '../settings/read-sync.ts';
import { readToken } from '../syncing/read-token.ts';
import { ownCommand } from '../terminal/own-command.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { progressView } from '../terminal/progress.ts';
import { dataDirOf } from '../vaults/vault-of-run.ts';
import { wholeNumber } from './option-values.ts';

interface WordsOfClone extends CommonOptions {
  readonly depth?: number;
  readonly branch?: string;
  readonly tokenStdin?: true;
}

/** `grove clone URL DIR` */
export function cloneVerb(command: Command, run: Run): void {
  command
    .description('Clone a git repository of notes into a new folder; no git program is needed')
    .argument('<url>', 'its https:// address')
    .argument('<dir>', 'the folder, which is empty or not there yet')
    .option('--depth <n>', 'only so many commits of the history', wholeNumber)
    .option('--branch <name>', 'another branch than the one that the remote names')
    .option('--token-stdin', 'read a token from stdin, and keep it for grove sync')
    .action(async (url: string, dir: string, options: WordsOfClone) => {
      const { depth = null, branch = null, tokenStdin } = options;
      const given = tokenStdin === true ? await readToken(run) : null;
      const token = given ?? (await readSync(run)).token;
      const view = progressView(run.stderr);
      const folder = resolve(run.from, dir);
      const cloned = await cloneRemote({
        url,
        dir: folder,
        token,
        depth,
        branch,
        signal: run.stop,
        onProgress: (progress) => view.show(progress),
      }).finally(() => view.stop());
      if (given !== null)
        await keepToken((await locateState(dataDirOf(run, options), folder)).stateDir, given);
      if (options.json === true) printJson(run, { dir: folder, ...cloned, token_kept: given !== null });
      else run.stdout.write(withoutControls(told(run, folder, cloned, given !== null)));
    });
}

function told(
  run: Run,
  folder: string,
  { commit, branch }: { readonly commit: string | null; readonly branch: string },
  isKept: boolean,
): string {
  const own = ownCommand(run);
  const named = /^[\w@%+=:,./-]+$/.test(folder) ? folder : `'${folder.replaceAll("'", `'\\''`)}'`;
  const what = commit === null ? 'an empty repository' : `${branch} at ${commit.slice(0, 12)}`;
  return [
    `Cloned ${what} into ${folder}.`,
    ...(isKept ? ['The token is kept for sync, readable for you alone.'] : []),
    `Serve it: ${own} start --vault ${named}`,
    `Keep it level with the remote: ${own} sync on --vault ${named}`,
    '',
  ].join('\n');
}
