// What changes notes and their history, and can neither lose nor tear one.

// Deletions that wait for the word of a person.
export { Confirmations, type NoteToDelete, type WaitingDeletion } from './confirmations/confirmations.ts';
export type { AskPerson, DeletionAnswer, DeletionQuestion } from './confirmations/question.ts';
// Copies of conflicts.
export type { CopyToSettle } from './conflicts/settle-copy.ts';
// Names of notes in texts, and the links that they could be.
export type { DiscoverOutcome, Discovery, LinkSuggestion } from './discovery/contract.ts';
export { namesOfOne } from './discovery/find-links.ts';
export { type UndoDiscoveryWish, undoDiscovery } from './discovery/undo-discovery.ts';
// The engine: one write at a time, in the order that survives kill -9 and power loss.
export { verifiedTrailers } from './engine/commit/signed-trailers.ts';
export { openTrustedWords, type ReadTrustedWords, type TrustedWords } from './engine/commit/trusted-words.ts';
export type * from './engine/contract.ts';
export { diskFault } from './engine/files/disk-faults.ts';
export { type EngineSeams, openWriteEngine } from './engine/open-engine.ts';
export { STEPS, type Step, type StepListener } from './engine/steps.ts';
// Ledgers in backups.
export {
  checkLedgerFile,
  hasUnfinished,
  retireLedger,
  type UnfinishedText,
} from './ledger/restored-ledger.ts';

// A link that is to lead elsewhere.
export { type LinkAnew, linkAnew } from './moving/link-anew.ts';
// Notes: what a caller asks for, and whether it may be.
export type {
  BatchItem,
  MendedNote,
  NoteOperation,
  NoteWriteCaller,
  NoteWriteRequest,
  NoteWriteResult,
  NoteWritesOptions,
  RestoreSource,
  VaultGround,
  WriteAction,
  WriteRights,
} from './notes/contract.ts';
export { WRITE_ACTIONS } from './notes/contract.ts';
export { type NoteWrites, openNoteWrites } from './notes/note-writes.ts';
export { plainHash } from './notes/preconditions.ts';
export { isOwnText } from './notes/results.ts';
export { compileWritePolicy, type WritePolicy } from './notes/write-policy.ts';
// What comes from a remote.
export type * from './pulling/contract.ts';
export type { WriteQueueState } from './queue/write-queue.ts';
// Undoing what one key did.
export type { LeftNote } from './revert/plan-revert.ts';
export {
  type RevertedNote,
  type RevertOutcome,
  type RevertParts,
  type RevertWish,
  revertKey,
} from './revert/revert-key.ts';
// The owner's rules.
export { type Breach, type FoundBreach, findBreaches, type RuledNote, tagOfType } from './schema/breaches.ts';
// What a caller may hear of the owner's rules.
export { mayHearOf } from './schema/judge-change.ts';
// The trash, for the owner.
export {
  type EmptiedTrash,
  type LeftBatch,
  type NoteInTrash,
  type TrashBatch,
  VaultTrash,
} from './trash/vault-trash.ts';
