import { lstat, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { GroveError, randomId, writeDurably } from '@grove/core';
import { retireLedger } from '@grove/writes';
import { type KnownVault, knownVaults } from '../vaults/known-vaults.ts';
import { REPLACED, staysInPlace, UNFINISHED } from './data-contents.ts';
import { holdVaults } from './hold-vaults.ts';
import { swap } from './swap.ts';
import { unpack } from './unpack.ts';

export interface RestoreWish {
  /** The bytes of the backup. */
  readonly source: Readable;
  /** Absolute. */
  readonly dataDir: string;
  /** Puts what is in the data folder aside. */
  readonly force: boolean;
  readonly now: number;
  /** Hears after each file and folder. */
  readonly onEntry: () => void;
  /** Ends it while nothing is changed yet. */
  readonly stop: AbortSignal;
}

export interface RestoredVault extends KnownVault {
  /** False when its folder is not where it was. */
  readonly isThere: boolean;
  /** Texts of writes that were on their way when the backup was made. */
  readonly unfinished: number;
}

export interface Restored {
  /** ISO 8601: when the backup was made. */
  readonly made: string;
  readonly files: number;
  readonly vaults: readonly RestoredVault[];
  /** Name of the folder in the data folder that holds what was there; null when nothing was. */
  readonly kept: string | null;
}

/**
 * Puts what a backup holds into the place of the data folder. Nothing is changed before all of it lies ready and was
 * checked. What was there is kept. No vault's folder is touched, now or by what the backup tells of writes of then.
 *
 * @throws GroveError `restore_refused`, `vault_owned`, `backup_unreadable`, `control_newer`, `ledger_unavailable`; an
 *   `AbortError` when it is stopped
 */
export async function restoreBackup({
  source,
  dataDir,
  force,
  now,
  onEntry,
  stop,
}: RestoreWish): Promise<Restored> {
  const made = await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const release = await holdVaults(dataDir);
  const staged = `${UNFINISHED}${randomId()}`;
  try {
    const there = (await readdir(dataDir)).filter((name) => !staysInPlace(name));
    if (there.length > 0 && !force)
      throw new GroveError(
        'restore_refused',
        { reason: 'the data folder is not empty' },
        { hint: 'Name another with --data DIR, or give --force: what is in it is put aside, not deleted.' },
      );
    await removeUnfinished(dataDir);
    const staging = join(dataDir, staged);
    await mkdir(staging, { mode: 0o700 });
    const { header, files } = await unpack(source, staging, () => true, stop, onEntry);
    const vaults: RestoredVault[] = [];
    for (const vault of await knownVaults(staging))
      vaults.push({
        ...vault,
        isThere: await isFolder(vault.root),
        unfinished: await retire(join(staging, 'vaults', vault.slug)),
      });
    const kept = `${REPLACED}${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
    stop.throwIfAborted();
    await swap(dataDir, staged, kept);
    return { made: header.made, files: files.length, vaults, kept: there.length > 0 ? kept : null };
  } catch (error) {
    await rm(join(dataDir, staged), { recursive: true, force: true });
    if (made !== undefined) await rm(made, { recursive: true });
    throw error;
  } finally {
    await release();
  }
}

/** What a restore that was killed while it unpacked has left: secrets, and much of them. */
async function removeUnfinished(dataDir: string): Promise<void> {
  for (const name of await readdir(dataDir))
    if (name.startsWith(UNFINISHED)) await rm(join(dataDir, name), { recursive: true });
}

/** Folder in a vault's state with the texts of writes that were on their way. */
const UNFINISHED_WRITES = 'unfinished-writes';

async function retire(stateDir: string): Promise<number> {
  const ledger = join(stateDir, 'ledger.db');
  if ((await lstat(ledger).catch(() => null)) === null) return 0;
  const texts = retireLedger(ledger);
  if (texts.length === 0) return 0;
  const folder = join(stateDir, UNFINISHED_WRITES);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const names = texts.map(({ path }, at) => ({ file: `${at + 1}.md`, note: path }));
  for (const [at, { bytes }] of texts.entries())
    await writeDurably(join(folder, `${at + 1}.md`), bytes, 0o600);
  await writeDurably(join(folder, 'names.json'), `${JSON.stringify(names, null, 2)}\n`, 0o600);
  return texts.length;
}

async function isFolder(path: string): Promise<boolean> {
  return (await lstat(path).catch(() => null))?.isDirectory() ?? false;
}
