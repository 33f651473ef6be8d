import { presentTrash, type TrashAnswer, trash } from '@grove/service';
import type { Command } from 'commander';
import { callVault } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { askLine, isYes } from '../terminal/ask-line.ts';
import { printMarkdown } from '../terminal/print.ts';
import { answer, printAnswer } from './answer.ts';
import { given } from './option-values.ts';

interface EmptyOptions extends CommonOptions {
  readonly olderThan?: string;
  readonly dryRun?: true;
  readonly yes?: true;
}

/** `grove trash`, `grove trash empty` */
export function trashVerb(command: Command, run: Run): void {
  command
    .description('List the deleted notes that lie in the trash, or remove them')
    .action(async (options: CommonOptions) => {
      await answer(run, options, trash, {});
    });
  command
    .command('empty')
    .description('Remove deleted notes from the trash for good; those that the history does not hold stay')
    .option('--older-than <time>', 'only what was deleted longer ago, such as 30d, or before a date')
    .option('--dry-run', 'only tell what would be removed')
    .option('--yes', 'ask nothing')
    .configureHelp({ ...command.configureHelp(), showGlobalOptions: true })
    .showHelpAfterError('(see grove trash empty --help)')
    .exitOverride()
    .action(async (_options: unknown, own: Command) => {
      const options = own.optsWithGlobals<EmptyOptions>();
      const { olderThan, dryRun, yes } = options;
      const call = (input: object) => callVault(run, options, trash, given({ empty: true, ...input }));
      if (dryRun === true) {
        printAnswer(run, options, trash, await call({ older_than: olderThan, dry_run: true }));
        return;
      }
      if (yes !== true && !run.stdin.isTTY)
        own.error("error: there is no terminal to ask at; give '--yes'", { exitCode: 2 });
      // What is deleted while the question stands there is not what was agreed to.
      const seen = yes === true ? null : await call({ older_than: olderThan, dry_run: true });
      if (seen !== null && !(await isAgreed(run, seen))) return;
      const older_than = olderThan ?? seen?.now;
      printAnswer(run, options, trash, await call({ older_than }));
    });
}

async function isAgreed(run: Run, seen: TrashAnswer): Promise<boolean> {
  printMarkdown({ ...run, stdout: run.stderr }, presentTrash(seen));
  if (seen.batches_total === 0) return false;
  const said = await askLine(run, 'Remove them for good? [y/N] ');
  if (said !== null && isYes(said)) return true;
  run.stderr.write('Nothing was removed.\n');
  return false;
}
