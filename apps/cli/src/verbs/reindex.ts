import { reindexOwner } from '@grove/server';
import type { Command } from 'commander';
import { throughOwner } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { printJson } from '../terminal/print.ts';
import { progressView } from '../terminal/progress.ts';
import { verbLog } from '../terminal/run-log.ts';
import { occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';

/** `grove reindex` */
export function reindexVerb(command: Command, run: Run): void {
  command
    .description('Read every note again and build the index anew')
    .action(async (options: CommonOptions) => {
      const vault = await vaultOf(run, options);
      const view = progressView(run.stderr);
      const started = performance.now();
      const notes = await throughOwner(
        occupancyOptions(run, options, vault, 'cli', verbLog(run)),
        async (opened) => {
          await opened.ready;
          const stop = opened.onProgress((progress) => view.show(progress));
          await opened.reindex();
          stop();
          return opened.vault.health().notes;
        },
        async (address) => {
          const answer = await reindexOwner(address, (progress) => view.show(progress));
          return answer === null ? null : { output: notesOf(answer.output) };
        },
      ).finally(() => view.stop());
      const seconds = Math.round((performance.now() - started) / 100) / 10;
      if (options.json === true) printJson(run, { slug: vault.slug, notes, seconds });
      else run.stdout.write(`Reindexed ${notes} notes of ${vault.slug} in ${seconds} s.\n`);
    });
}

function notesOf(output: unknown): number {
  const counted = typeof output === 'object' && output !== null && 'notes' in output ? output.notes : 0;
  return typeof counted === 'number' ? counted : 0;
}
