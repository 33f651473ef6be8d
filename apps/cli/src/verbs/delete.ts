import { basename } from 'node:path';
import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import { callVault } from '../calls/call-vault.ts';
import type { Run } from '../run.ts';
import { vaultOf } from '../vaults/vault-of-run.ts';
import { type AskOptions, askOwner, inOwnersWords } from '../writing/ask-owner.ts';
import { addWriteOptions, ofNow, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { printAnswer } from './answer.ts';
import { given } from './option-values.ts';

/** `grove delete PATH` */
export function deleteVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description('Move a note to the trash; grove restore brings it back')
    .argument('<path>', 'such as Inbox/Idea.md')
    .option('--yes', 'ask nothing, where the vault has "deletes: confirm"')
    .action(async (path: string, options: WriteOptions & AskOptions) => {
      const input = given({ action: 'delete', path, ...ofNow(writeFields(options)) });
      const { root } = await vaultOf(run, options);
      const ask = askOwner(run, options, basename(root));
      const output = await callVault(run, options, writeNote, input, ask).catch((error: unknown) => {
        throw inOwnersWords(error);
      });
      printAnswer(run, options, writeNote, output);
    });
}
