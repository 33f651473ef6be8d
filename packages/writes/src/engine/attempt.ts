import { contentHash, type VaultPath } from '@grove/core';
import type { BuiltCommit } from '@grove/history';
import type { JournalFile, JournalRecord } from '../ledger/journal-row.ts';
import type { EffectiveChange } from './check-plan.ts';
import { buildChain, type OwnCommit, type StoredFile } from './commit/build-chain.ts';
import type { EngineRequest, PlannedChange, WritePlan, WrittenFile } from './contract.ts';
import type { FileChange } from './files/file-change.ts';
import { land } from './land.ts';
import { gitMode, type LookedAt } from './look-at-files.ts';
import type { EngineParts } from './parts.ts';

/** A write whose files and ref are in place, with its row in the journal. */
export interface Landed {
  readonly id: number;
  readonly record: JournalRecord;
  readonly files: readonly FileChange[];
  /** The commit that holds the write; null on a branch that still has none. */
  readonly commit: string | null;
  /** What has to be synced before the row may go. */
  readonly built: readonly BuiltCommit[];
}

/** What is to be done in one write. `own` null: only what was changed outside is committed. */
export interface WriteTask {
  readonly changes: readonly EffectiveChange[];
  readonly own: OwnCommit | null;
  readonly written: readonly WrittenFile[];
  readonly request: Pick<EngineRequest, 'author' | 'idempotency'> | null;
  readonly answer: unknown;
  readonly followUp: unknown;
}

/** What an attempt leaves behind when it fails. */
export interface AttemptTraces {
  /** A fresh file is made under this working name. */
  prepared(path: string): void;
  /** The journal has the write: from here on a failure has to be taken back. */
  journaled(id: number): void;
}

/**
 * Steps 4 to 8 of a write: commits built and stored, the journal row, files, ref. The index is locked meanwhile.
 *
 * @returns null when there is nothing to do
 * @throws Raced when a file changed under the write
 */
export async function attemptWrite(
  parts: EngineParts,
  task: WriteTask,
  traces: AttemptTraces,
): Promise<Landed | null> {
  const { git, ledger, step } = parts;
  const diskPaths = task.changes.map(({ look }) => look.place.diskPath);
  const head = await git.head(diskPaths);
  const files = await journalFiles(parts, task.changes);
  const chain = await buildChain(parts, head.oid, files, task.own);
  const changes = task.own === null ? [] : files.map(fileChange);
  if (chain.commits.length === 0 && changes.length === 0) return null;
  await step('built');
  const synced: Promise<void>[] = [];
  for (const change of changes) {
    traces.prepared(change.temp);
    synced.push((await parts.files.prepare(change)).synced);
  }
  await step('prepared');
  const record: JournalRecord = {
    ref: head.ref,
    base: head.oid,
    commits: chain.commits,
    files,
    madeFolders: task.own === null ? [] : missingFolders(task.changes),
    author: task.request?.author ?? null,
    idempotency: task.request?.idempotency ?? null,
    written: task.written,
    conflictSaved: [],
    answer: task.answer,
    followUp: task.followUp,
  };
  const id = ledger.begin(record);
  traces.journaled(id);
  await step('journaled');
  // Only now: a power loss may leave an unsynced object empty, and the journal is what tells which to write again.
  for (const commit of chain.built) await git.writeObjects(commit);
  await step('stored');
  // Beside the journal's own sync: a file that takes its place is whole whatever happens.
  await Promise.all(synced);
  await parts.files.makeFolders(record.madeFolders);
  const conflictSaved: VaultPath[] = [];
  for (const change of changes) {
    const saved = await parts.files.place(change);
    if (saved !== null) conflictSaved.push(saved);
    await step('placed');
  }
  const landed = await land(parts, id, { ...record, conflictSaved }, chain.built);
  await step('moved');
  return { ...landed, id, files: changes };
}

/** What the answer says of each file of a plan, whether it made a difference or not. */
export function writtenFiles(plan: WritePlan, looks: ReadonlyMap<VaultPath, LookedAt>): WrittenFile[] {
  return plan.changes.map((planned) => {
    const { now } = looks.get(planned.path)!;
    const { path, after } = planned;
    return {
      path,
      sourceHash: sourceHashAfter(planned, now?.sourceHash ?? null, now?.contentHash ?? null),
      contentHash: after === null ? null : contentHash(after),
      sizeBefore: now?.bytes.length ?? null,
      sizeAfter: after?.length ?? null,
    };
  });
}

function sourceHashAfter(
  { after, keepSource }: PlannedChange,
  source: string | null,
  content: string | null,
): string | null {
  if (after === null) return null;
  const hash = contentHash(after);
  if (source !== null && (keepSource === true || content === hash)) return source;
  return hash;
}

async function journalFiles(
  { git, work }: EngineParts,
  changes: readonly EffectiveChange[],
): Promise<(JournalFile & Pick<StoredFile, 'mode' | 'modified'>)[]> {
  const files = [];
  for (const { look, planned } of changes) {
    const { path, place, now, modified, permissions, owner } = look;
    const before = now?.bytes ?? null;
    const { after } = planned;
    const stored = async (bytes: Uint8Array | null) =>
      bytes === null ? null : sameOr(bytes, await git.clean(place.diskPath, bytes));
    const names = await work.names(place.folder.dev, contentHash(before ?? ''));
    files.push({
      path,
      diskPath: place.diskPath,
      before,
      after,
      storedBefore: await stored(before),
      storedAfter: await stored(after),
      permissions,
      owner,
      modified,
      sourceHash: sourceHashAfter(planned, now?.sourceHash ?? null, now?.contentHash ?? null),
      mode: gitMode(permissions),
      ...names,
    });
  }
  return files;
}

/** The same object for the same bytes, so that the journal keeps them once. */
function sameOr(bytes: Uint8Array, stored: Uint8Array): Uint8Array {
  return Buffer.compare(bytes, stored) === 0 ? bytes : stored;
}

function fileChange(file: JournalFile): FileChange {
  const { path, diskPath, before, after, permissions, owner, temp, keep } = file;
  if (temp === null || keep === null) throw new TypeError('a file that is written has working names');
  return { path, diskPath, before, after, permissions, owner, temp, keep };
}

function missingFolders(changes: readonly EffectiveChange[]): string[] {
  const missing = changes.flatMap(({ look }) => look.place.missingFolders);
  return [...new Set(missing)].sort((left, right) => left.length - right.length);
}

/** Paths of a write's commits, as the disk spells them. */
export function pathsOf({ record }: Landed): Set<string> {
  return new Set(record.commits.flatMap(({ changes }) => changes.map(({ diskPath }) => diskPath)));
}

/** Files of a record that the write put in place. */
export function workedFiles({ files }: JournalRecord): Landed['files'] {
  return files.flatMap((file) =>
    file.temp === null || file.keep === null
      ? []
      : [{ ...file, temp: file.temp, keep: file.keep, owner: null }],
  );
}
