import { writeNote } from '@grove/service';
import type { Command } from 'commander';
import type { Run } from '../run.ts';
import { addWriteOptions, type WriteOptions, writeFields } from '../writing/write-options.ts';
import { answer } from './answer.ts';
import { given } from './option-values.ts';

interface RestoreOptions extends WriteOptions {
  readonly batch?: string;
  readonly revision?: string;
}

/** `grove restore PATH` */
export function restoreVerb(command: Command, run: Run): void {
  addWriteOptions(command)
    .description(
      'Bring a note back from the trash or from its history; over one that is there only with --if-hash',
    )
    .argument('<path>', 'where it was')
    .option('--batch <id>', 'from this deletion; the last one when left out')
    .option('--revision <commit>', 'as it was in this commit')
    .action(async (path: string, { batch, revision, ...others }: RestoreOptions) => {
      if (batch !== undefined && revision !== undefined)
        command.error("error: give either '--batch' or '--revision'", { exitCode: 2 });
      const from = batch === undefined && revision === undefined ? undefined : given({ batch, revision });
      await answer(run, others, writeNote, given({ action: 'restore', path, from, ...writeFields(others) }));
    });
}
