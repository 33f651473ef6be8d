import { mkdir, open, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Readable } from 'node:stream';
import { checkControlFile } from '@grove/access';
import { syncFolder } from '@grove/core';
import { checkLedgerFile } from '@grove/writes';
import { isDatabase, isLedger } from './layout.ts';
import { type BackedUp, type ReadBackup, readBackup, unreadable } from './read-backup.ts';
import { databaseFault } from './snapshot-database.ts';

/** What the disk keeps free, in bytes. */
const ROOM_LEFT = 64 * 1024 * 1024;

/**
 * Unpacks a backup into an empty folder, and checks it wholly: see `readBackup`; every database is sound, and none is of a
 * newer Grove.
 *
 * @param wanted the files that are written; the others are only checked
 * @param onEntry hears after each file and folder
 * @throws GroveError `backup_unreadable`, `control_newer`, `ledger_unavailable`; an `AbortError` when it is stopped
 */
export async function unpack(
  source: Readable,
  into: string,
  wanted: (path: string) => boolean,
  stop: AbortSignal,
  onEntry: () => void = () => {},
): Promise<ReadBackup> {
  const { bavail, bsize } = await statfs(into);
  let room = bavail * bsize - ROOM_LEFT;
  const folders = new Set<string>();
  const take = async (entry: BackedUp): Promise<void> => {
    if (wanted(entry.path)) {
      room -= entry.size;
      if (room < 0) throw unreadable('there is no room for it on the disk', 'Free some, then run it again.');
      await writeEntry(entry, join(into, entry.path), folders);
    }
    onEntry();
  };
  const read = await readBackup(source, take, stop);
  for (const folder of folders) await syncFolder(folder);
  for (const { path } of read.files) if (isDatabase(path)) checkDatabase(path, join(into, path));
  return read;
}

async function writeEntry(
  { kind, mode, bytes }: BackedUp,
  path: string,
  folders: Set<string>,
): Promise<void> {
  const folder = kind === 'folder' ? path : dirname(path);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  folders.add(folder);
  if (kind === 'folder') return;
  const file = await open(path, 'wx', (mode & 0o755) | 0o600);
  try {
    for await (const chunk of bytes) await file.writeFile(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

function checkDatabase(path: string, file: string): void {
  const fault = databaseFault(file);
  if (fault !== null) throw unreadable(`${path} in it is damaged (${fault})`);
  if (path === 'control.db') checkControlFile(file);
  if (isLedger(path)) checkLedgerFile(file);
}
