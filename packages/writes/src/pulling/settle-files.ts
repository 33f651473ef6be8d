import { readlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { blobId, contentHash, errorCode, Slices, type VaultPath } from '@grove/core';
import { checkedOut } from '@grove/history';
import { mergeKeepingOurs } from '@grove/markdown';
import { saveConflict } from '../engine/files/conflict-file.ts';
import { type FileChange, sameBytes } from '../engine/files/file-change.ts';
import { FileWriter } from '../engine/files/file-writer.ts';
import { Raced } from '../engine/files/raced.ts';
import { LARGEST_FILE, readPlainFile } from '../engine/files/read-file.ts';
import { statAt } from '../engine/files/stat-at.ts';
import type { EngineParts } from '../engine/parts.ts';
import { foldersOf, outermostFirst, withRunBits } from './disk-look.ts';
import { isExecutable, isFile, isSubmodule } from './leaves.ts';
import { asText } from './merge-file.ts';
import type { PulledFile, PullRecord } from './pull-record.ts';

/** Fresh files that are written and synced together: so many, or so many bytes. */
const GROUP_FILES = 64;
const GROUP_BYTES = 8 * 1024 * 1024;
const TRIES = 5;

/** Which side of a pull a file is brought to. */
export type Side = 'before' | 'after';

/** A file, and the change that brings it to its side. */
interface Ready {
  readonly file: PulledFile;
  readonly change: FileChange;
  /** Somebody's words are in the way that could not be merged: they get a file of their own. */
  readonly isAside: boolean;
}

/**
 * Brings the files of a pull to one of its sides. A file is changed only while it is what the pull knows; what somebody
 * saved meanwhile is merged with what comes, or kept beside it.
 */
export class FileSettler {
  readonly #parts: EngineParts;
  readonly #files: FileWriter;
  readonly #fileMode: boolean;
  readonly #slices = new Slices();
  /** Content hashes of old files that are not what the pull found. */
  readonly #kept = new Map<string, string>();
  /** Where somebody's words went. */
  readonly saved: VaultPath[] = [];

  constructor(parts: EngineParts, fileMode: boolean) {
    this.#parts = parts;
    this.#fileMode = fileMode;
    this.#files = new FileWriter(parts.root, parts.fs, parts.clock, LARGEST_FILE);
  }

  /**
   * @param sideOf the side of each file; null for one that is left as it is
   * @param isPlaced all were brought to `after` before: what is otherwise is somebody's later work
   */
  async settle(
    record: PullRecord,
    sideOf: (file: PulledFile) => Side | null,
    isPlaced: boolean,
  ): Promise<void> {
    const sides = new Map(record.files.filter(isOnDisk).map((file) => [file, sideOf(file)]));
    const isThere = (file: PulledFile) => wantsFile(file, sides.get(file)!);
    const wanted = [...sides].flatMap(([file, side]) => (side === null ? [] : [file]));
    // A disk that ignores case has no room for two spellings of one name, nor any for a file where a folder is.
    for (const file of wanted) if (!isThere(file)) await this.#settleOne(file, sides.get(file)!, isPlaced);
    await this.#removeFolders(record);
    const present = wanted.filter(isThere);
    const modules = record.files.filter((file) => isSubmodule(file.result) && sideOf(file) === 'after');
    const folders = [
      ...present.flatMap(({ path }) => foldersOf(path)),
      ...modules.flatMap(({ path }) => [...foldersOf(path), path]),
    ];
    await this.#files.makeFolders(outermostFirst(folders.filter((folder) => folder !== '')));
    await this.#settleInGroups(present, (file) => sides.get(file)!, isPlaced);
    await this.#syncNames(record);
  }

  /** Lets the second names of old files go; one that somebody wrote into meanwhile gets a name of its own. */
  async release(record: PullRecord): Promise<void> {
    for (const file of record.files) {
      if (this.#slices.spent) await this.#slices.rest();
      for (const name of [file.keep, backOf(file)]) {
        const kept = this.#readKept(name, file);
        if (kept === null) continue;
        const hash = contentHash(kept);
        const isKnown = hash === this.#kept.get(name) || name.endsWith(`-${hash}`);
        if (isKnown || (await this.#parts.git.has(blobId(kept)))) await this.#files.discard(name);
        else await this.#saveAside(file, name);
      }
    }
  }

  /** Removes fresh files that did not take their place. */
  async discardFresh({ files }: PullRecord): Promise<void> {
    for (const { temp } of files) await this.#files.discard(temp);
  }

  /** Folders in which nothing is left; one that the system does not let go stays, empty as it is. */
  async #removeFolders({ emptiedFolders, madeFolders }: PullRecord): Promise<void> {
    for (const folder of outermostFirst([...emptiedFolders, ...madeFolders]).reverse()) {
      try {
        await this.#files.removeFolders([folder]);
      } catch (error) {
        if (!['EACCES', 'EPERM', 'EBUSY'].includes(errorCode(error) ?? '')) throw error;
      }
    }
  }

  async #settleInGroups(
    files: readonly PulledFile[],
    sideOf: (file: PulledFile) => Side,
    isPlaced: boolean,
  ): Promise<void> {
    let group: Ready[] = [];
    let synced: Promise<void>[] = [];
    let bytes = 0;
    const flush = async () => {
      // A power loss must not find half a file in its place.
      await Promise.all(synced);
      for (const ready of group) await this.#placeOrAgain(ready, sideOf(ready.file), isPlaced);
      group = [];
      synced = [];
      bytes = 0;
    };
    for (const file of files) {
      const ready = await this.#ready(file, sideOf(file), isPlaced);
      if (ready === null) continue;
      synced.push((await this.#prepare(ready)).synced);
      group.push(ready);
      bytes += (ready.change.before?.length ?? 0) + (ready.change.after?.length ?? 0);
      if (group.length >= GROUP_FILES || bytes >= GROUP_BYTES) await flush();
    }
    await flush();
  }

  async #settleOne(file: PulledFile, side: Side, isPlaced: boolean): Promise<void> {
    const ready = await this.#ready(file, side, isPlaced);
    if (ready === null) return;
    await (await this.#prepare(ready)).synced;
    await this.#placeOrAgain(ready, side, isPlaced);
  }

  async #placeOrAgain(ready: Ready, side: Side, isPlaced: boolean): Promise<void> {
    const { file } = ready;
    let next: Ready | null = ready;
    for (let attempt = 1; next !== null; attempt += 1) {
      try {
        await this.#place(next);
        break;
      } catch (error) {
        await this.#files.discard(file.temp);
        if (!(error instanceof Raced)) throw error;
      }
      next = attempt === TRIES ? this.#reportLeft(file) : await this.#ready(file, side, isPlaced);
      if (next !== null) await (await this.#prepare(next)).synced;
    }
    await this.#parts.step('pull_placed');
  }

  /** Writes the fresh file; what is in the answer resolves when it is synced. */
  async #prepare({ file, change }: Ready): Promise<{ readonly synced: Promise<void> }> {
    // The old file itself comes back: it takes no room on a full disk.
    return change.temp === file.keep ? { synced: Promise.resolve() } : this.#files.prepare(change);
  }

  async #place({ file, change, isAside }: Ready): Promise<void> {
    if (this.#slices.spent) await this.#slices.rest();
    const saved = await this.#files.place(change);
    if (saved !== null) this.#tellSaved(file, saved);
    if (change.before !== null) this.#kept.set(change.keep, contentHash(change.before));
    if (isAside && saved === null) await this.#saveAside(file, change.keep);
  }

  /** What has to be done to a file; null where nothing is, or nothing may be. */
  async #ready(file: PulledFile, side: Side, isPlaced: boolean): Promise<Ready | null> {
    if (this.#slices.spent) await this.#slices.rest();
    await this.#clearNames(file);
    if (!(await this.#clearLink(file, side))) return this.#reportLeft(file);
    const now = this.#now(file);
    if (now === 'odd') return wantsFile(file, side) ? this.#reportLeft(file) : null;
    if (side === 'before' && isFound(file, now) && this.#runsAs(file, side)) return null;
    const after = isFile(file.result)
      ? checkedOut(await this.#parts.store.readBlob(file.result.oid), file.checkout)
      : null;
    const wanted = side === 'after' ? after : await this.#old(file);
    if (sameBytes(now, wanted) && this.#runsAs(file, side)) return null;
    const change = {
      path: file.path as VaultPath,
      diskPath: file.path,
      before: now,
      after: wanted,
      permissions: this.#permissions(file, side),
      owner: file.owner,
      temp: side === 'before' && this.#isWholeKept(file) ? file.keep : file.temp,
      keep: side === 'after' ? file.keep : backOf(file),
    };
    const isKnown = side === 'after' ? isFound(file, now) : sameBytes(now, after);
    if (isKnown || (side === 'after' && sameBytes(now, wanted))) return { file, change, isAside: false };
    // Changed since it was put in place, or in one that is being taken back: their words stay.
    if (side === 'before' || isPlaced || statAt(file.keep) !== null) return this.#reportLeft(file);
    if (now === null) return { file, change, isAside: false };
    if (wanted === null) return this.#reportLeft(file);
    const merged = await this.#merge(file, now, wanted);
    return merged === null
      ? { file, change, isAside: true }
      : { file, change: { ...change, after: merged }, isAside: false };
  }

  /** What somebody saved since the pull looked, and what comes, in one; null where that cannot be. */
  async #merge(file: PulledFile, now: Buffer, wanted: Buffer): Promise<Buffer | null> {
    const base = file.before === null ? Buffer.alloc(0) : await this.#old(file);
    const [old, mine, theirs] = [base ?? Buffer.alloc(0), now, wanted].map(asText);
    if (old == null || mine == null || theirs == null) return null;
    const { text, isWhole } = mergeKeepingOurs(old, mine, theirs);
    return isWhole ? Buffer.from(text) : null;
  }

  /** The bytes that the pull found on disk. */
  async #old(file: PulledFile): Promise<Buffer | null> {
    if (file.before?.kind !== 'file' || !isFile(file.ours)) return null;
    if (this.#isWholeKept(file)) return this.#readKept(file.keep, file);
    return checkedOut(await this.#parts.store.readBlob(file.ours.oid), file.before.checkout);
  }

  #isWholeKept(file: PulledFile): boolean {
    const kept = this.#readKept(file.keep, file);
    return kept !== null && contentHash(kept) === file.before?.hash;
  }

  #readKept(name: string, { path }: PulledFile): Buffer | null {
    return readPlainFile(name, path, 2, LARGEST_FILE)?.bytes ?? null;
  }

  #now(file: PulledFile): Buffer | null | 'odd' {
    const absolute = join(this.#parts.root, file.path);
    const stat = statAt(absolute);
    if (stat === null) return null;
    if (!stat.isFile()) return 'odd';
    return readPlainFile(absolute, file.path, 1, LARGEST_FILE)?.bytes ?? null;
  }

  /** A link that goes or makes room; false where something else is in its place. */
  async #clearLink(file: PulledFile, side: Side): Promise<boolean> {
    if (side === 'before' || file.before?.kind !== 'link') return true;
    const absolute = join(this.#parts.root, file.path);
    if (statAt(absolute)?.isSymbolicLink() !== true) return true;
    if (contentHash(readlinkSync(absolute)) !== file.before.hash) return false;
    await this.#files.discard(absolute);
    return true;
  }

  /** A crash, or a failure, may have left a second name of ours to a file in its place. */
  async #clearNames(file: PulledFile): Promise<void> {
    const target = statAt(join(this.#parts.root, file.path));
    if (target === null) return;
    for (const name of [file.keep, backOf(file)]) {
      const kept = statAt(name);
      if (kept?.ino === target.ino && kept.dev === target.dev) await this.#files.discard(name);
    }
  }

  #permissions(file: PulledFile, side: Side): number {
    const leaf = side === 'after' ? file.result : file.ours;
    if (!this.#fileMode || !isFile(leaf)) return file.permissions;
    const runs = isExecutable(leaf);
    return ((file.permissions & 0o100) !== 0) === runs
      ? file.permissions
      : withRunBits(file.permissions, runs);
  }

  /** True where the file on disk may be run just if git says so. */
  #runsAs(file: PulledFile, side: Side): boolean {
    const leaf = side === 'after' ? file.result : file.ours;
    if (!this.#fileMode || !isFile(leaf)) return true;
    const stat = statAt(join(this.#parts.root, file.path));
    return stat === null || ((stat.mode & 0o100n) !== 0n) === isExecutable(leaf);
  }

  async #syncNames({ files, madeFolders, emptiedFolders }: PullRecord): Promise<void> {
    const folders = new Set(files.flatMap(({ path }) => foldersOf(path)));
    for (const folder of [...madeFolders, ...emptiedFolders]) folders.add(folder);
    await this.#files.syncFolders([...folders].map((folder) => (folder === '' ? '.' : folder)));
    // What is taken away moves to a working name, which not every disk makes durable with the folder that it left.
    for (const folder of new Set(files.map(({ keep }) => dirname(keep)))) {
      try {
        await this.#parts.fs.sync(folder);
      } catch (error) {
        if (errorCode(error) !== 'ENOENT') throw error;
      }
    }
  }

  async #saveAside(file: PulledFile, from: string): Promise<void> {
    const { root, fs, clock } = this.#parts;
    this.#tellSaved(file, await saveConflict({ root, fs, clock }, file.path, from));
  }

  #tellSaved(file: PulledFile, saved: VaultPath): void {
    this.saved.push(saved);
    const message = `Words that somebody wrote into "${file.path}" during a pull are in "${saved}".`;
    this.#parts.report({ what: 'conflict', path: saved, message, cause: null });
  }

  #reportLeft(file: PulledFile): null {
    const message =
      'Somebody changed the file during a pull; it is as they left it, and git shows the difference.';
    this.#parts.report({ what: 'conflict', path: file.path, message, cause: null });
    return null;
  }
}

/** True for a path that a pull has to do with on disk: what is in submodules is not made there, and some files are not. */
function isOnDisk({ before, result, isLeftOut }: PulledFile): boolean {
  return before !== null || (isFile(result) && isLeftOut !== true);
}

/** True where a side has a file. */
function wantsFile({ before, result }: PulledFile, side: Side): boolean {
  return side === 'after' ? isFile(result) : before?.kind === 'file';
}

/** True where the disk has what the pull found there. */
function isFound({ before }: PulledFile, now: Buffer | null): boolean {
  if (now === null || before?.kind !== 'file') return now === null && before?.kind !== 'file';
  return contentHash(now) === before.hash;
}

/** Second name of a file that is taken back. */
function backOf({ temp }: PulledFile): string {
  return `${temp}.back`;
}
