import { maintainOwner } from '@grove/server';
import type { MaintainOutcome } from '@grove/service';
import type { Command } from 'commander';
import { throughOwner } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { printJson } from '../terminal/print.ts';
import { progressView } from '../terminal/progress.ts';
import { verbLog } from '../terminal/run-log.ts';
import { occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';

/** `grove maintain` */
export function maintainVerb(command: Command, run: Run): void {
  command
    .description('Pack the loose objects of the git dir; nothing is pruned, and no git program is needed')
    .action(async (options: CommonOptions) => {
      const vault = await vaultOf(run, options);
      const view = progressView(run.stderr);
      const outcome = await throughOwner(
        occupancyOptions(run, options, vault, 'cli', verbLog(run)),
        (opened) => opened.maintain((done, total) => view.show({ phase: 'packing', done, total })),
        (address) => maintainOwner(address, (progress) => view.show(progress)),
      ).finally(() => view.stop());
      if (options.json === true) printJson(run, { slug: vault.slug, ...answerOf(outcome) });
      else run.stdout.write(`${sentenceOf(vault.slug, outcome)}\n`);
    });
}

function answerOf({ packed, joined, declined, before, after }: MaintainOutcome): object {
  const told = ({ looseObjects, packs, bytes }: MaintainOutcome['before']) => ({
    loose_objects: looseObjects,
    packs,
    bytes,
  });
  return {
    packed,
    joined,
    ...(declined === null ? {} : { declined }),
    before: told(before),
    after: told(after),
  };
}

function sentenceOf(slug: string, { packed, joined, declined, before, after }: MaintainOutcome): string {
  if (declined !== null) return `Nothing was done in ${slug}. ${declined}`;
  if (packed === 0 && joined === 0) return `There is nothing to pack in ${slug}.`;
  const also = joined === 0 ? '' : ` and joined ${joined} packs`;
  return `Packed ${packed} objects${also} of ${slug}: ${sizeText(before.bytes)} before, ${sizeText(after.bytes)} now.`;
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
