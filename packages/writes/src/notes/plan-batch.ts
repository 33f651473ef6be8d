import { GroveError, isGroveError, type VaultPath } from '@grove/core';
import type { Patience } from '@grove/markdown';
import type { FileNow, PlannedChange } from '../engine/contract.ts';
import type { NoteChange } from '../schema/judge-change.ts';
import type { ChangedText } from './change-text.ts';
import type { NoteWriteCaller } from './contract.ts';
import { type PlannedNote, type PreparedOperation, planNote } from './plan-note.ts';
import { requireShown } from './shown-now.ts';

/** What holds for all operations of one commit. */
export interface BatchSetting {
  readonly caller: NoteWriteCaller;
  readonly merge: boolean;
  readonly diffBytes: number;
  /** What the regular expressions of the call may still take. */
  readonly patience: Patience;
  /** See SlowEdits. */
  slowly(index: number, text: string, edit: () => Promise<ChangedText>): Promise<ChangedText>;
  baseOf(path: VaultPath, hash: string): Promise<Uint8Array | null>;
  sourceOf(path: VaultPath): Promise<Uint8Array | null>;
  beginAppend(prepared: PreparedOperation, isGone: boolean): boolean;
  /** Remarks on what a note breaks of the owner's rules as before; throws `schema_violation`. */
  judge(change: NoteChange): Promise<readonly string[]>;
  /** What earlier commits of the same batch left: source hashes by operation, and hashes that files had before. */
  readonly past: BatchPast;
}

/** Hashes that a batch goes on from. */
export interface BatchPast {
  readonly sourceHashes: ReadonlyMap<number, string>;
  readonly also: ReadonlyMap<VaultPath, ReadonlySet<string>>;
}

/** One operation that was planned, or the error that refuses it. */
export type PlannedItem =
  | { readonly prepared: PreparedOperation; readonly note: PlannedNote }
  | { readonly prepared: PreparedOperation; readonly error: GroveError };

export interface PlannedBatch {
  readonly items: readonly PlannedItem[];
  /** One for each file whose bytes differ at the end. */
  readonly changes: readonly PlannedChange[];
  /** What later commits of the same batch go on from. */
  readonly left: BatchPast;
}

/**
 * Plans the operations of one commit in their order, each on what those before it left. An operation that is refused
 * does not keep the others from being judged.
 */
export async function planBatch(
  operations: readonly PreparedOperation[],
  files: ReadonlyMap<VaultPath, FileNow | null>,
  setting: BatchSetting,
): Promise<PlannedBatch> {
  const now = new Map(files);
  const also = new Map([...setting.past.also].map(([path, hashes]) => [path, new Set(hashes)]));
  const sourceHashes = new Map(setting.past.sourceHashes);
  const items: PlannedItem[] = [];
  for (const prepared of operations) {
    const { path } = prepared.target;
    const file = now.get(path) ?? null;
    try {
      const note = await planNote(prepared, {
        caller: setting.caller,
        file,
        isOurs: file !== (files.get(path) ?? null),
        ifHash: hashToHold(prepared, sourceHashes),
        also: also.get(path) ?? new Set(),
        merge: setting.merge,
        diffBytes: setting.diffBytes,
        patience: setting.patience,
        slowly: (text, edit) => setting.slowly(prepared.index, text, edit),
        baseOf: (hash) => setting.baseOf(path, hash),
        sourceOf: () => setting.sourceOf(path),
        beginAppend: (isGone) => setting.beginAppend(prepared, isGone),
      });
      now.set(path, note.after);
      sourceHashes.set(prepared.index, note.after.sourceHash);
      if (file !== null && note.changed)
        also.set(path, new Set([...(also.get(path) ?? []), file.sourceHash, file.contentHash]));
      items.push({ prepared, note });
    } catch (error) {
      if (!(error instanceof GroveError)) throw error;
      items.push({ prepared, error });
    }
  }
  const judged = await judgeByRules(items, files, now, setting);
  return { items: judged, changes: changesOf(files, now), left: { sourceHashes, also } };
}

/** Judges each note once, at the last operation on it: those before may leave it half done. */
async function judgeByRules(
  items: readonly PlannedItem[],
  files: ReadonlyMap<VaultPath, FileNow | null>,
  now: ReadonlyMap<VaultPath, FileNow | null>,
  { caller, judge }: BatchSetting,
): Promise<PlannedItem[]> {
  const lastAt = new Map(items.map(({ prepared }, index) => [prepared.target.path, index]));
  return await Promise.all(
    items.map(async (item, index) => {
      const { path } = item.prepared.target;
      const before = files.get(path) ?? null;
      const after = now.get(path) ?? null;
      if ('error' in item || lastAt.get(path) !== index || after === null || after === before) return item;
      try {
        await requireShown(caller, path, after.bytes, item.prepared.operation.path);
        const remarks = await judge({
          before: before === null ? null : { path, bytes: before.bytes },
          after: { path, bytes: after.bytes },
        });
        if (remarks.length === 0) return item;
        const { note } = item;
        const told = { ...note.told, remarks: [...note.told.remarks, ...remarks] };
        return { ...item, note: { ...note, told } };
      } catch (error) {
        if (!isGroveError(error)) throw error;
        return { prepared: item.prepared, error };
      }
    }),
  );
}

/** The hash that an operation holds to, an earlier operation's looked up. Throws `operation_skipped`. */
export function hashToHold(
  { index, operation: { ifHash, ifHashFromOp } }: PreparedOperation,
  sourceHashes: ReadonlyMap<number, string>,
): string | null {
  if (ifHashFromOp === null) return ifHash;
  const hash = sourceHashes.get(ifHashFromOp);
  if (hash === undefined)
    throw new GroveError('operation_skipped', { op: index, reason: `operation ${ifHashFromOp} was refused` });
  return hash;
}

function changesOf(
  before: ReadonlyMap<VaultPath, FileNow | null>,
  after: ReadonlyMap<VaultPath, FileNow | null>,
): PlannedChange[] {
  const changes: PlannedChange[] = [];
  for (const [path, file] of after)
    if (file !== null && file !== before.get(path) && !sameBytes(file, before.get(path) ?? null))
      changes.push({ path, after: file.bytes });
  return changes;
}

function sameBytes(a: FileNow, b: FileNow | null): boolean {
  return b !== null && Buffer.compare(a.bytes, b.bytes) === 0;
}
