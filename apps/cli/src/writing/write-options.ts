import { type Command, Option } from 'commander';
import type { CommonOptions } from '../run.ts';

/** Options that every verb takes that changes a note. */
export interface WriteOptions extends CommonOptions {
  readonly ifHash?: string;
  readonly dryRun?: boolean;
  readonly reason?: string;
  readonly wait?: string;
}

/** Adds them. */
export function addWriteOptions(command: Command): Command {
  return command
    .option('--if-hash <hash>', 'only if the note still has this source_hash; * for any')
    .option('--dry-run', 'only tell what would change')
    .option('--reason <text>', 'why; goes into the commit')
    .addOption(
      new Option('--wait <what>', 'embedded: answer when it can be found by meaning, too').choices([
        'none',
        'embedded',
      ]),
    );
}

/** What they say, as fields of write_note. */
export function writeFields({
  ifHash,
  dryRun,
  reason,
  wait,
}: WriteOptions): Readonly<Record<string, unknown>> {
  return { if_hash: ifHash, dry_run: dryRun, reason, wait };
}

/**
 * The fields with the hash of whatever is there now, where none was sent: who names a note at a terminal means that one,
 * and can undo it.
 */
export function ofNow(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...fields, if_hash: fields.if_hash ?? '*' };
}
