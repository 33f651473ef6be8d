import { basename } from 'node:path';
import { conflicts, settle } from '@grove/service';
import type { Command } from 'commander';
import { callVault } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { vaultOf } from '../vaults/vault-of-run.ts';
import { type AskOptions, askOwner, inOwnersWords } from '../writing/ask-owner.ts';
import { answer, printAnswer } from './answer.ts';
import { given, wholeNumber } from './option-values.ts';
import { subcommand } from './subcommand.ts';

interface SettleOptions extends AskOptions {
  readonly keep: string;
  readonly as?: string;
}

/** `grove conflicts`, `grove conflicts list`, `grove conflicts settle COPY --keep ours|theirs|both` */
export function conflictsVerb(command: Command, run: Run): void {
  const list = async (_words: unknown, own: Command): Promise<void> => {
    const { limit, ...options } = own.optsWithGlobals<CommonOptions & { readonly limit?: number }>();
    await answer(run, options, conflicts, given({ limit }));
  };
  command
    .description('List the copies that pulls left beside notes, and how they differ')
    .option('--limit <n>', 'most conflicts to list', wholeNumber)
    .action(list);
  subcommand(command, 'list', 'list the copies that pulls left beside notes').action(list);
  subcommand(command, 'settle', 'keep the note, the copy in its place, or both')
    .argument('<copy>', 'the copy, as the list names it')
    .requiredOption('--keep <side>', 'ours, theirs or both')
    .option('--as <path>', 'with both: the path of the new note')
    .option('--yes', 'ask nothing, where the vault has "deletes: confirm"')
    .action(async (copy: string, _words: unknown, own: Command) => {
      const { keep, as, ...options } = own.optsWithGlobals<SettleOptions>();
      const { root } = await vaultOf(run, options);
      const ask = askOwner(run, options, basename(root));
      const input = given({ copy, keep, as });
      const output = await callVault(run, options, settle, input, ask).catch((error: unknown) => {
        throw inOwnersWords(error);
      });
      printAnswer(run, options, settle, output);
    });
}
