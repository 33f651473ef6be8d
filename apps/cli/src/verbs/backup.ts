import { mkdir, open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { errorCode, GroveError, systemClock } from '@grove/core';
import type { Command } from 'commander';
import { createBackup, type MadeBackup } from '../backups/create-backup.ts';
import { isDatabase } from '../backups/layout.ts';
import { unreadable } from '../backups/read-backup.ts';
import { type Restored, restoreBackup } from '../backups/restore-backup.ts';
import { inStaging } from '../backups/staging.ts';
import { unpack } from '../backups/unpack.ts';
import type { CommonOptions, Run } from '../run.ts';
import { ownCommand } from '../terminal/own-command.ts';
import { printJson, withoutControls } from '../terminal/print.ts';
import { progressView } from '../terminal/progress.ts';
import { dataDirOf } from '../vaults/vault-of-run.ts';
import { subcommand } from './subcommand.ts';

interface ForceOptions extends CommonOptions {
  readonly force?: true;
}

/** `grove backup create|verify|restore FILE` */
export function backupVerb(command: Command, run: Run): void {
  command.description(
    'Back up the data folder: keys, trails, audit, ledgers, and the histories that Grove keeps. The notes are in their own folder',
  );
  subcommand(command, 'create', 'write a backup into one file, while servers run; it holds secrets')
    .argument('<file>', 'outside of the data folder and of every vault; "-" for stdout')
    .option('--force', 'replace a file that is there')
    .action(async (file: string, _options: unknown, own: Command) =>
      create(run, own.optsWithGlobals(), file),
    );
  subcommand(command, 'verify', 'read a backup wholly, and say whether it could be restored')
    .argument('<file>', '"-" for stdin')
    .action(async (file: string, _options: unknown, own: Command) =>
      verify(run, own.optsWithGlobals(), file),
    );
  subcommand(command, 'restore', 'put what a backup holds into an empty data folder; no server may run')
    .argument('<file>', '"-" for stdin')
    .option('--force', 'put what is in the data folder aside first; nothing of it is deleted')
    .action(async (file: string, _options: unknown, own: Command) =>
      restore(run, own.optsWithGlobals(), file),
    );
}

async function create(run: Run, options: ForceOptions, file: string): Promise<void> {
  const dataDir = dataDirOf(run, options);
  const made = await withProgress(run, 'backing up', 'backup_failed', (onProgress) =>
    createBackup({
      dataDir,
      to: file === '-' ? run.stdout : resolve(run.from, file),
      force: options.force === true,
      version: run.version,
      now: systemClock.now(),
      onProgress,
      stop: run.stop,
    }),
  );
  if (options.json === true && made.file !== null) printJson(run, answerOf(made));
  else run.stderr.write(withoutControls(`${sentenceOf(made)}\n`));
}

function answerOf({ file, bytes, files, vaults, leftOut }: MadeBackup): object {
  return { file, bytes, files, vaults, left_out: leftOut };
}

function sentenceOf({ file, bytes, files, vaults, leftOut }: MadeBackup): string {
  const where = file === null ? 'to stdout' : `into ${file}`;
  const left = leftOut.length === 0 ? '' : ` Left out, for they are no files: ${leftOut.join(', ')}.`;
  return `Backed up ${files} files of ${vaults.length} vaults ${where} (${sizeText(bytes)}), and read it again. It holds secrets: keep it where nobody else reads.${left}`;
}

async function verify(run: Run, options: CommonOptions, file: string): Promise<void> {
  const { source, size } = await opened(run, file);
  const { header, files } = await withProgress(run, 'reading', 'backup_unreadable', (onProgress) =>
    inStaging(tmpdir(), async (staging) => {
      const into = join(staging, 'read');
      await mkdir(into);
      return await unpack(source, into, isDatabase, run.stop, () => onProgress(source.bytesRead ?? 0, size));
    }),
  ).finally(() => source.destroy());
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  if (options.json === true) printJson(run, { ...header, files: files.length, bytes });
  else
    run.stdout.write(
      withoutControls(
        `The backup is whole: ${files.length} files (${sizeText(bytes)}), made ${header.made} by Grove ${header.grove}.\n`,
      ),
    );
}

async function restore(run: Run, options: ForceOptions, file: string): Promise<void> {
  const dataDir = dataDirOf(run, options);
  const { source, size } = await opened(run, file);
  const restored = await withProgress(run, 'reading', 'restore_refused', (onProgress) =>
    restoreBackup({
      source,
      dataDir,
      force: options.force === true,
      now: systemClock.now(),
      onEntry: () => onProgress(source.bytesRead ?? 0, size),
      stop: run.stop,
    }),
  ).finally(() => source.destroy());
  if (options.json === true) printJson(run, restoredAnswer(restored));
  else run.stdout.write(withoutControls(`${restoredLines(restored, dataDir, ownCommand(run)).join('\n')}\n`));
}

function restoredAnswer({ made, files, vaults, kept }: Restored): object {
  const told = vaults.map(({ slug, root, isThere, unfinished }) => ({
    slug,
    folder: root,
    folder_is_there: isThere,
    unfinished_writes: unfinished,
  }));
  return { made, files, vaults: told, ...(kept === null ? {} : { kept }) };
}

function restoredLines({ made, files, vaults, kept }: Restored, dataDir: string, own: string): string[] {
  return [
    `Restored ${files} files of ${made} into ${dataDir}.`,
    ...(kept === null ? [] : [`What was there is in ${join(dataDir, kept)}.`]),
    ...vaults.flatMap(({ slug, root, isThere }) =>
      isThere
        ? []
        : [`The folder of ${slug} is not there: ${root}. docs/backup.md says how to bring it back.`],
    ),
    ...vaults.flatMap(({ slug, unfinished }) =>
      unfinished === 0
        ? []
        : [
            `${unfinished} texts that were being written are in ${join(dataDir, 'vaults', slug, 'unfinished-writes')}.`,
          ],
    ),
    `Keys and grants are as they were then: what was revoked since is valid again. See "${own} keys list" and "${own} grants list".`,
    `Indexes are built at the next start.`,
  ];
}

interface Source {
  readonly source: Readable & { readonly bytesRead?: number };
  /** 0 where it is not known. */
  readonly size: number;
}

/** Throws where the file cannot be opened. */
async function opened(run: Run, file: string): Promise<Source> {
  if (file === '-') return { source: run.stdin, size: 0 };
  try {
    const handle = await open(resolve(run.from, file), 'r');
    return { source: handle.createReadStream(), size: (await handle.stat()).size };
  } catch (error) {
    const code = errorCode(error);
    const reason = code === 'ENOENT' ? 'there is no such file' : `it cannot be opened (${code})`;
    throw unreadable(reason, 'Name another file.');
  }
}

/** In bytes; of what is smaller no progress is shown. */
const BIG = 32e6;

/** Throws `stopped` where the person asks for an end. */
async function withProgress<Result>(
  run: Run,
  phase: string,
  stopped: 'backup_failed' | 'backup_unreadable' | 'restore_refused',
  work: (onProgress: (done: number, total: number) => void) => Promise<Result>,
): Promise<Result> {
  const view = progressView(run.stderr);
  const megabytes = (bytes: number): number => Math.round(bytes / 1e6);
  try {
    return await work((done, total) => {
      if (total >= BIG) view.show({ phase, done: megabytes(Math.min(done, total)), total: megabytes(total) });
    });
  } catch (error) {
    if (!run.stop.aborted) throw error;
    throw new GroveError(stopped, { reason: 'it was stopped' }, { hint: 'Run it again.', cause: error });
  } finally {
    view.stop();
  }
}

function sizeText(bytes: number): string {
  return bytes < 1e6 ? `${Math.ceil(bytes / 1e3)} KB` : `${(bytes / 1e6).toFixed(1)} MB`;
}
