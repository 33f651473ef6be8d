import type { Command } from 'commander';
import type { CommonOptions } from '../run.ts';

/** Options that every verb takes that changes a note. */
export interface WriteOptions extends CommonOptions {
  readonly ifHash?: string;
  readonly dryRun?: boolean;
  readonly reason?: string;
}

/** Adds them. */
export function addWriteOptions(command: Command): Command {
  return command
    .option('--if-hash <hash>', 'only if the note still has this source_hash; * for any')
    .option('--dry-run', 'only tell what would change')
    .option('--reason <text>', 'why; goes into the commit');
}

/** What they say, as fields of write_note. */
export function writeFields({ ifHash, dryRun, reason }: WriteOptions): Readonly<Record<string, unknown>> {
  return { if_hash: ifHash, dry_run: dryRun, reason };
}
