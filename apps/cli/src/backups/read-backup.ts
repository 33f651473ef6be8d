import { createHash } from 'node:crypto';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { errorCode, GroveError } from '@grove/core';
import { type Entry, extract } from 'tar-stream';
import * as z from 'zod';
import { staysInPlace } from './data-contents.ts';
import {
  BACKUP_HEADER,
  type BackupHeader,
  DATA,
  FORMAT,
  HEADER_FILE,
  MANIFEST,
  MANIFEST_FILE,
  type ManifestFile,
} from './layout.ts';
import { guardTar } from './tar-guard.ts';

const MAX_HEADER = 64 * 1024;
const MAX_MANIFEST = 256 * 1024 * 1024;

/** A file or folder of a backup; `path` is relative to the data folder, checked to stay within it. */
export interface BackedUp {
  readonly path: string;
  readonly kind: 'file' | 'folder';
  readonly size: number;
  readonly mode: number;
  /** The bytes of a file; to be read to their end. */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface ReadBackup {
  readonly header: BackupHeader;
  readonly files: readonly ManifestFile[];
}

/**
 * Reads a backup from its beginning to its end, and checks that it is whole: every file of its manifest with the bytes that
 * it tells, in an archive that leads nowhere else.
 *
 * @param take is given each file and folder in turn; a file that it does not read is read for it
 * @throws GroveError `backup_unreadable`; an `AbortError` when it is stopped
 */
export async function readBackup(
  source: Readable,
  take: (entry: BackedUp) => Promise<void>,
  stop: AbortSignal,
): Promise<ReadBackup> {
  const archive = extract();
  const reading = pipeline(source, createGunzip(), guardTar(), archive, { signal: stop });
  // It is awaited below, once the loop has ended by the same error.
  reading.catch(() => {});
  try {
    const read = await readEntries(archive, take);
    await reading;
    return read;
  } catch (error) {
    source.destroy();
    throw readFault(error);
  }
}

async function readEntries(
  archive: AsyncIterable<Entry>,
  take: (entry: BackedUp) => Promise<void>,
): Promise<ReadBackup> {
  let header: BackupHeader | null = null;
  let manifest: readonly ManifestFile[] | null = null;
  const found = new Map<string, ManifestFile>();
  const names = new Set<string>();
  for await (const entry of archive) {
    const { name } = entry.header;
    if (header === null) {
      if (name !== HEADER_FILE) throw unreadable('it is not a backup of Grove');
      header = await readHeader(entry);
      continue;
    }
    if (manifest !== null) throw unreadable('something comes after its end');
    if (name === MANIFEST_FILE) {
      manifest = MANIFEST.parse(JSON.parse((await bytesOf(entry, MAX_MANIFEST)).toString())).files;
      continue;
    }
    const backedUp = backedUpOf(entry, names);
    const hash = createHash('sha256');
    const bytes = hashed(entry, hash);
    await take({ ...backedUp, bytes });
    for await (const _ of bytes);
    if (backedUp.kind === 'folder') continue;
    const { path, size } = backedUp;
    found.set(path, { path, size, sha256: hash.digest('hex') });
  }
  if (header === null || manifest === null) throw unreadable('its end is missing');
  compare(manifest, found);
  return { header, files: manifest };
}

async function readHeader(entry: Entry): Promise<BackupHeader> {
  const header = BACKUP_HEADER.parse(JSON.parse((await bytesOf(entry, MAX_HEADER)).toString()));
  if (header.format > FORMAT)
    throw unreadable(
      `Grove ${header.grove} made it, in a form that this Grove does not know yet`,
      'Update this Grove.',
    );
  return header;
}

function backedUpOf({ header }: Entry, names: Set<string>): Omit<BackedUp, 'bytes'> {
  const { name, type, size = 0, mode = 0o600 } = header;
  if (type !== 'file' && type !== 'directory') throw unreadable('it holds a link or a device');
  const path = name.replace(/\/$/, '').slice(DATA.length);
  if (!name.startsWith(DATA) || !isWithin(path))
    throw unreadable('a name in it leads out of the data folder');
  // What would pass for a restore that was cut off, and be finished by the next command.
  if (staysInPlace(path.split('/')[0] ?? '')) throw unreadable('it holds a name that no backup has');
  if (names.has(path)) throw unreadable('a name is in it twice');
  names.add(path);
  return { path, kind: type === 'file' ? 'file' : 'folder', size, mode };
}

/** Names that lead elsewhere on any system: by dots, from the root, by a drive or a stream of Windows. */
function isWithin(path: string): boolean {
  return path.split('/').every((name) => !/^\.{0,2}$|[\\\0]/.test(name)) && !/^[a-z]:/i.test(path);
}

function compare(manifest: readonly ManifestFile[], found: ReadonlyMap<string, ManifestFile>): void {
  const damaged = manifest.find(({ path, size, sha256 }) => {
    const there = found.get(path);
    return there?.size !== size || there.sha256 !== sha256;
  });
  if (damaged !== undefined) throw unreadable(`${damaged.path} is damaged or missing in it`);
  if (found.size !== manifest.length) throw unreadable('it holds files that its list does not name');
}

async function bytesOf(entry: Entry, limit: number): Promise<Buffer> {
  if ((entry.header.size ?? 0) > limit) throw unreadable('its list of files is too long');
  const chunks: Buffer[] = [];
  for await (const chunk of entry) chunks.push(chunk);
  return Buffer.concat(chunks);
}

async function* hashed(entry: Entry, hash: ReturnType<typeof createHash>): AsyncGenerator<Buffer> {
  for await (const chunk of entry) {
    hash.update(chunk);
    yield chunk;
  }
}

export function unreadable(reason: string, hint?: string): GroveError {
  return new GroveError('backup_unreadable', { reason }, hint === undefined ? {} : { hint });
}

function readFault(error: unknown): unknown {
  if (error instanceof GroveError) return error;
  if (error instanceof SyntaxError || error instanceof z.ZodError) return unreadable('it is damaged');
  const code = errorCode(error) ?? '';
  if (code === 'Z_BUF_ERROR') return unreadable('its end is missing');
  if (code.startsWith('Z_')) return unreadable('it is damaged, or not a backup of Grove');
  if (error instanceof Error && code === '') return unreadable(`it is damaged (${error.message})`);
  return error;
}
