import type { VaultPath } from '@grove/core';
import type { ConfirmedNotes } from '../confirmations/question.ts';
import type { FileNow, PlannedChange } from '../engine/contract.ts';
import type { NoteWriteCaller, NoteWritesOptions } from './contract.ts';
import type { PreparedOperation } from './plan-note.ts';
import type { ToldOperation } from './results.ts';

/** What a plan about whole files stands on. */
export interface WholeFileSetting extends NoteWritesOptions {
  readonly caller: NoteWriteCaller;
  /** The hash that must still hold, with `ifHashFromOp` looked up. */
  readonly ifHash: string | null;
  /** Hashes that the file had before earlier operations of the same batch. */
  readonly also: ReadonlySet<string>;
  /** Batch of the trash for what this call deletes. */
  readonly batch: string;
  readonly dryRun: boolean;
  /** What may be deleted where a person has to agree. */
  readonly confirmed: ConfirmedNotes;
}

/** One action on whole files: what it may touch, what it makes of that, and what goes with it. */
export interface WholeFilePlan {
  readonly paths: readonly VaultPath[];
  /** On the bytes of now; runs again when somebody else was faster. */
  plan(files: ReadonlyMap<VaultPath, FileNow | null>): Promise<{
    readonly changes: readonly PlannedChange[];
    readonly told: ToldOperation;
    /** What is left for `done`, if nobody gets that far; null for nothing. */
    readonly followUp?: unknown;
  }>;
  /** Takes back what was made beside the write, which was refused. */
  failed(): Promise<void>;
  /** Does what comes after the write; remarks for the caller. `followUp`: id of what the plan left for it. */
  done(followUp: number | null): Promise<readonly string[]>;
}

/** What is told of an action, where it differs from nothing. */
export function toldOfFile(
  { operation, target }: PreparedOperation,
  fields: Partial<ToldOperation>,
): ToldOperation {
  return {
    action: operation.action,
    path: target.path,
    last: true,
    sourceHash: null,
    contentHash: null,
    created: false,
    alreadyThere: false,
    merged: false,
    sizeBefore: null,
    sizeAfter: null,
    diff: '',
    matches: [],
    applied: [],
    skipped: [],
    movedFrom: null,
    mended: [],
    undo: null,
    ...fields,
    remarks: [...target.remarks, ...(fields.remarks ?? [])],
  };
}
