import type { VaultPath } from '@grove/core';
import type { DeletePolicy } from '@grove/vault';
import type { EngineOutcome } from '../engine/contract.ts';
import type { NoteWriteResult, WriteAction, WriteRights } from './contract.ts';
import type { PlannedBatch } from './plan-batch.ts';
import type { ToldOfNote } from './plan-note.ts';

/** What is told of one operation and kept for a retry. JSON. */
export interface ToldOperation extends ToldOfNote, Pick<NoteWriteResult, 'movedFrom' | 'mended' | 'undo'> {
  readonly action: WriteAction;
  readonly path: VaultPath;
  /** True when this operation left the file as the commit has it. */
  readonly last: boolean;
  /** Hashes of a file that did not change, where the caller sent all of it; else null. */
  readonly sourceHash: string | null;
  readonly contentHash: string | null;
}

/** What a plan tells of each of its operations. */
export function toldBy({ items }: PlannedBatch): ToldOperation[] {
  const lastAt = new Map<VaultPath, number>();
  for (const [index, { prepared }] of items.entries()) lastAt.set(prepared.target.path, index);
  return items.flatMap((item, index) => {
    if ('error' in item) return [];
    const { operation, target } = item.prepared;
    const { after, changed, told } = item.note;
    // Only who read or sent the whole of a note is told its hash.
    const isKnown = !changed && operation.action === 'write';
    return [
      {
        action: operation.action,
        path: target.path,
        last: lastAt.get(target.path) === index,
        sourceHash: isKnown ? after.sourceHash : null,
        contentHash: isKnown ? after.contentHash : null,
        movedFrom: null,
        mended: [],
        undo: null,
        ...told,
      },
    ];
  });
}

/** What the answer depends on beside the write itself. */
export interface ResultsFor {
  readonly may: WriteRights;
  readonly deletes: DeletePolicy;
}

const NOT_UNDONE =
  'No call undoes this: notes may not be deleted here. The owner can take it back with "grove revert", or by removing the file.';
const UNDONE_WITH_A_YES = 'The undo call deletes the note, which a person has to agree to.';

/** What became of the operations of one commit. Only who may do it is told how to take it back. */
export function resultsOf(
  outcome: EngineOutcome,
  told: readonly ToldOperation[],
  { may, deletes }: ResultsFor,
): NoteWriteResult[] {
  const files = new Map(outcome.files.map((file) => [file.path, file]));
  // Of several operations on one note the last is told how to take all of them back.
  const made = new Set(told.filter(({ created }) => created).map(({ path }) => path));
  return told.map(({ last, undo, ...operation }) => {
    const { path, alreadyThere } = operation;
    const file = last ? files.get(path) : undefined;
    const commit = files.has(path) && !alreadyThere ? outcome.commit : null;
    const sourceHash = file?.sourceHash ?? operation.sourceHash;
    const isWritten = may.write && commit !== null && sourceHash !== null;
    const isMade = isWritten && undo === null && made.has(path);
    // A dry run has no commit, and nothing to take back.
    const own = outcome.commit === null ? null : undo;
    const call = own ?? (isWritten ? undoOf(path, isMade, commit, sourceHash) : null);
    const isKept = isMade && deletes === 'deny';
    const isKnown = may.read || isOwnText(operation) || call?.if_hash === undefined;
    return {
      ...operation,
      sourceHash,
      contentHash: file?.contentHash ?? operation.contentHash,
      commit,
      replayed: outcome.replayed,
      conflictSaved: outcome.conflictSaved,
      suggestions: [],
      undo: isKnown && !isKept ? call : null,
      remarks: [
        ...operation.remarks,
        ...(isKept ? [NOT_UNDONE] : []),
        ...(isMade && deletes === 'confirm' ? [UNDONE_WITH_A_YES] : []),
      ],
    };
  });
}

/** True where the caller itself sent the whole text: then its hash tells nothing that the caller may not read. */
export function isOwnText({ action, created }: Pick<NoteWriteResult, 'action' | 'created'>): boolean {
  return action === 'write' || (created && action !== 'restore');
}

/** The call that puts back what was there before the commit, as long as nobody has written since. */
function undoOf(
  path: VaultPath,
  created: boolean,
  commit: string,
  sourceHash: string,
): NonNullable<NoteWriteResult['undo']> {
  return created
    ? { action: 'delete', path, if_hash: sourceHash }
    : { action: 'restore', path, from: { revision: `${commit}^` }, if_hash: sourceHash };
}
