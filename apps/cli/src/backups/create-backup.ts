import { createReadStream } from 'node:fs';
import { link, lstat, mkdir, readdir, realpath, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { errorCode, GroveError, hasNoLinks, syncFolder } from '@grove/core';
import { hasUnfinished } from '@grove/writes';
import { knownVaults } from '../vaults/known-vaults.ts';
import { ArchiveWriter } from './archive-writer.ts';
import { dataContents } from './data-contents.ts';
import { FORMAT, HEADER_FILE, isDatabase, isLedger, MANIFEST_FILE } from './layout.ts';
import { snapshotDatabase } from './snapshot-database.ts';
import { inStaging } from './staging.ts';
import { unpack } from './unpack.ts';

/** How often a ledger is looked at for a moment at which no write is on its way. */
const LOOKS = 20;
const PAUSE_MS = 100;

export interface BackupWish {
  /** Absolute, as every path here. */
  readonly dataDir: string;
  /** Where it goes: to a file, or into a stream, which stays open. */
  readonly to: string | Writable;
  /** Replaces a file that is there. */
  readonly force: boolean;
  /** Version of this Grove. */
  readonly version: string;
  readonly now: number;
  /** Hears of the bytes that were taken so far, and of about how many there are. */
  readonly onProgress: (done: number, total: number) => void;
  /** Ends it, with nothing left behind. */
  readonly stop: AbortSignal;
}

export interface MadeBackup {
  /** Null for a stream. */
  readonly file: string | null;
  /** Of the backup itself. */
  readonly bytes: number;
  readonly files: number;
  readonly vaults: readonly string[];
  /** Links, sockets and devices, which are not in it; relative to the data folder. */
  readonly leftOut: readonly string[];
}

/**
 * Writes all that a data folder holds and that cannot be built again into one file, while servers run: keys, trails and
 * audit, and of each vault its ledger, its keys, its switches and the history that Grove keeps for it. The file gets its
 * name when it is whole and was read again.
 *
 * @throws GroveError `backup_failed`; an `AbortError` when it is stopped
 */
export async function createBackup(wish: BackupWish): Promise<MadeBackup> {
  const { dataDir, to, force, stop } = wish;
  const vaults = await knownVaults(dataDir);
  await requireData(dataDir);
  const roots = vaults.map(({ root }) => root);
  const file = typeof to === 'string' ? await placeOf(to, dataDir, roots, force) : null;
  return await inStaging(file === null ? dataDir : dirname(file), async (staging) => {
    const fresh = join(staging, 'backup');
    const { files, leftOut } = await write(wish, staging, fresh);
    await readAgain(fresh, staging, stop);
    const { size } = await lstat(fresh);
    if (file !== null) await publish(fresh, file, force);
    else if (typeof to !== 'string')
      await pipeline(createReadStream(fresh), to, { end: false, signal: stop });
    return { file, bytes: size, files, vaults: vaults.map(({ slug }) => slug), leftOut };
  });
}

async function requireData(dataDir: string): Promise<void> {
  const names = await readdir(dataDir).catch(() => []);
  if (!names.some((name) => name === 'control.db' || name === 'vaults'))
    throw failed(
      'the data folder holds nothing yet',
      `Looked in ${dataDir}. Name another with --data DIR or GROVE_DATA.`,
    );
}

async function placeOf(
  file: string,
  dataDir: string,
  roots: readonly string[],
  force: boolean,
): Promise<string> {
  const folder = await realpath(dirname(resolve(file))).catch(() => null);
  if (folder === null) throw failed('its folder is not there', `Make the folder ${dirname(file)} first.`);
  const place = join(folder, basename(file));
  if (isIn(place, await realpath(dataDir)))
    throw failed('a backup in the data folder is lost together with it', 'Name a file in another folder.');
  if (roots.some((root) => isIn(place, root)))
    throw failed(
      'it holds secrets, and the folder of a vault may be shared',
      'Name a file in another folder.',
    );
  const there = await lstat(place).catch(() => null);
  if (there !== null && (!force || !there.isFile()))
    throw failed('there is such a file already', 'Choose another name, or replace it with --force.');
  return place;
}

function isIn(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

async function write(
  { dataDir, version, now, onProgress, stop }: BackupWish,
  staging: string,
  fresh: string,
): Promise<{ readonly files: number; readonly leftOut: readonly string[] }> {
  const archive = new ArchiveWriter(fresh, stop);
  const leftOut: string[] = [];
  try {
    const made = new Date(now).toISOString();
    const total = await sizeOf(dataDir);
    let done = 0;
    await archive.addJson(HEADER_FILE, { format: FORMAT, grove: version, made });
    for await (const { path, kind } of dataContents(dataDir)) {
      stop.throwIfAborted();
      const from = join(dataDir, path);
      if (kind === 'folder') await archive.addFolder(path);
      else if (kind === 'other') leftOut.push(path);
      else if (!isDatabase(path)) await archive.addFile(path, from);
      else {
        const copy = join(staging, 'database');
        await snapshot(path, from, copy);
        await archive.addFile(path, copy);
        await rm(copy);
      }
      if (kind !== 'file') continue;
      done += archive.files.at(-1)?.size ?? 0;
      onProgress(done, total);
    }
    await archive.addJson(MANIFEST_FILE, { files: archive.files });
    await archive.finish();
  } catch (error) {
    await archive.abandon();
    throw error;
  }
  return { files: archive.files.length, leftOut };
}

async function sizeOf(dataDir: string): Promise<number> {
  let total = 0;
  for await (const { path, kind } of dataContents(dataDir))
    if (kind === 'file') total += (await lstat(join(dataDir, path)).catch(() => null))?.size ?? 0;
  return total;
}

/** A ledger is best taken between two writes; under a load without a pause it is taken as it is. */
async function snapshot(path: string, from: string, copy: string): Promise<void> {
  for (let look = 1; ; look += 1) {
    snapshotDatabase(from, copy, path);
    if (!isLedger(path) || look === LOOKS || !hasUnfinished(copy)) return;
    await rm(copy);
    await sleep(PAUSE_MS);
  }
}

async function readAgain(fresh: string, staging: string, stop: AbortSignal): Promise<void> {
  const into = join(staging, 'read-again');
  await mkdir(into, { mode: 0o700 });
  await unpack(createReadStream(fresh), into, isDatabase, stop);
}

async function publish(fresh: string, file: string, force: boolean): Promise<void> {
  if (force) await rename(fresh, file);
  else
    try {
      await link(fresh, file);
    } catch (error) {
      if (errorCode(error) === 'EEXIST') throw failed('there is such a file already', 'Choose another name.');
      if (!hasNoLinks(error)) throw error;
      await rename(fresh, file);
    }
  await syncFolder(dirname(file));
}

function failed(reason: string, hint: string): GroveError {
  return new GroveError('backup_failed', { reason }, { hint });
}
