import { type BigIntStats, closeSync, fstatSync, lstatSync, read } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { errorCode, outOfFiles } from '@grove/core';
import { isAt, openPlain, readWhole } from './plain-file.ts';
import { ReadPace } from './read-pace.ts';
import { type FileFacts, fileFacts, refusal, type SkipReason, sameKey } from './stat-key.ts';

/** What reading a file gave. */
export type ReadOutcome =
  | { readonly kind: 'read'; readonly bytes: Uint8Array; readonly facts: FileFacts }
  | { readonly kind: 'gone' }
  | { readonly kind: 'refused'; readonly reason: SkipReason; readonly size: number };

const TRIES = 3;
const readInto = promisify(read);

/**
 * Reads one file below the vault's real root, and nothing else: no symlink at the end or on the way, no
 * second hard link, no device (a FIFO is never opened to wait), no file above `maxBytes`. What was opened is
 * compared with what was looked at, and the kernel's own name of the open file with the path asked for, so
 * that a swap between two steps is refused.
 *
 * The metadata calls are synchronous: the inode has just been looked up, and four of them cost less than one
 * turn through the thread pool. `pace` decides where the contents are read.
 *
 * @throws GroveError `files_exhausted`
 */
export async function readNoteFile(
  root: string,
  diskPath: string,
  maxBytes: number,
  pace = new ReadPace(),
): Promise<ReadOutcome> {
  const path = join(root, diskPath);
  let last: ReadOutcome = { kind: 'gone' };
  for (let attempt = 1; attempt <= TRIES; attempt += 1) {
    const found = look(path);
    if (!('nlink' in found)) return found;
    const reason = refusal(found, maxBytes);
    if (reason !== null) return { kind: 'refused', reason, size: Number(found.size) };
    const outcome = await readOpened(path, found, maxBytes, pace);
    if (!outcome.again) return outcome.outcome;
    last = outcome.outcome;
  }
  // A file written without pause: these bytes are what the disk gave, under a stat key that is past already.
  return last;
}

interface Attempt {
  readonly outcome: ReadOutcome;
  /** The file moved or changed meanwhile; a new look may see it whole. */
  readonly again: boolean;
}

async function readOpened(
  path: string,
  found: BigIntStats,
  maxBytes: number,
  pace: ReadPace,
): Promise<Attempt> {
  let file: number;
  try {
    file = openPlain(path);
  } catch (error) {
    return { outcome: failed(error), again: false };
  }
  try {
    const before = fstatSync(file, { bigint: true });
    if (before.dev !== found.dev || before.ino !== found.ino)
      return { outcome: { kind: 'gone' }, again: true };
    const reason = refusal(before, maxBytes);
    if (reason !== null) return refused(reason, before);
    if (!isAt(file, path)) return { ...refused('symlink', before), again: true };
    const facts = fileFacts(before);
    const bytes = await readPaced(file, facts.key.size, pace);
    const after = fstatSync(file, { bigint: true });
    return { outcome: { kind: 'read', bytes, facts }, again: !sameKey(facts.key, fileFacts(after).key) };
  } catch (error) {
    return { outcome: failed(error), again: false };
  } finally {
    closeSync(file);
  }
}

function refused(reason: SkipReason, stat: BigIntStats): Attempt {
  return { outcome: { kind: 'refused', reason, size: Number(stat.size) }, again: false };
}

function look(path: string): BigIntStats | ReadOutcome {
  try {
    return lstatSync(path, { bigint: true });
  } catch (error) {
    return failed(error);
  }
}

async function readPaced(file: number, size: number, pace: ReadPace): Promise<Uint8Array> {
  if (pace.mayHold(size)) {
    const started = performance.now();
    const bytes = readWhole(file, size);
    pace.held(performance.now() - started);
    return bytes;
  }
  const buffer = Buffer.allocUnsafeSlow(size);
  let filled = 0;
  while (filled < size) {
    const { bytesRead } = await readInto(file, buffer, filled, size - filled, filled);
    if (bytesRead === 0) return buffer.subarray(0, filled);
    filled += bytesRead;
  }
  return buffer;
}

function failed(error: unknown): ReadOutcome {
  const code = errorCode(error);
  if (code === undefined) throw error;
  const exhausted = outOfFiles(error);
  if (exhausted !== null) throw exhausted;
  if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'gone' };
  if (code === 'ELOOP') return { kind: 'refused', reason: 'symlink', size: 0 };
  // EACCES, EPERM, EIO, ESTALE ...: the note may still be there, so it is not called gone.
  return { kind: 'refused', reason: 'unreadable', size: 0 };
}
