// What Grove can do, once for every transport; exports are promises.

export type { AskPerson, DeletionAnswer, DeletionQuestion } from '@grove/writes';
// What the audit keeps of a call.
export { type CallCount, countFor } from './audit/count-for.ts';
// Deletions that wait for the word of a person.
export type { ApproveAnswer, WaitingAnswer } from './confirmations/contract.ts';
export { approve } from './confirmations/operation.ts';
export { presentWaiting } from './confirmations/present.ts';
export { deletionQuestion, visible } from './confirmations/question-text.ts';
export { openQuestion, sealQuestion } from './confirmations/sealed-question.ts';
// Copies of conflicts beside notes.
export {
  type ConflictsAnswer,
  conflictsOutput,
  type SettleAnswer,
  settleOutput,
  settleParameters,
} from './conflicts/contract.ts';
export { conflicts } from './conflicts/list.ts';
export { settle } from './conflicts/settle.ts';
// Contracts: who calls, what a call may reach, how an operation is described.
export type {
  AccessScope,
  HistoryHealth,
  Operation,
  OperationHints,
  Principal,
  Scope,
  VaultPast,
  VaultWrites,
} from './contract.ts';
export type { DiscoverAnswer, DiscoverInput } from './discovery/contract.ts';
export { discover } from './discovery/operation.ts';
// Search by meaning.
export type { Embedding, EmbeddingTrouble, Models } from './embedding/contract.ts';
// Errors as callers see them.
export { type ErrorPayload, type ReportFault, toErrorPayload } from './errors/payload.ts';
// Ways to tend a vault, told to a model.
export { completeArgument, completions } from './garden-prompts/complete-argument.ts';
export { composePrompt } from './garden-prompts/compose.ts';
export type { Completed, GardenPrompt } from './garden-prompts/contract.ts';
export { gardenPrompts } from './garden-prompts/garden-prompts.ts';
export { renderSkill } from './garden-prompts/skill.ts';
export type { GetAnswer, GetInput } from './get/contract.ts';
export { get, getWhole } from './get/operation.ts';
// Vaults, open in this process.
export type { GitInsideOutcome, GitInsideWish } from './git-inside/git-inside.ts';
// What a client tells its model.
export { serverInstructions } from './instructions.ts';
export type { ListNotesAnswer, ListNotesInput } from './list-notes/contract.ts';
export { listNotes } from './list-notes/operation.ts';
// The size of the git dir.
export type { MaintainOutcome } from './maintenance/maintenance.ts';
export type { MultiGetAnswer, MultiGetInput } from './multi-get/contract.ts';
export { multiGet } from './multi-get/operation.ts';
// One call from raw input to a presented answer.
export { type Answer, answerCall, presentError } from './operation/answer.ts';
// The operations.
export {
  type AnyOperation,
  allOperations,
  operations,
  operationsFor,
  ownerOperations,
} from './operations.ts';
// Input of other calls than operations, read by the same rules.
export {
  flag,
  type InputOf,
  type Parameter,
  type ParameterTable,
  requiredText,
  text,
  texts,
  whole,
} from './parameters/parameter.ts';
export { parseInput } from './parameters/parse.ts';
// What a trail would show.
export type {
  NoteVerdict,
  PreviewedNote,
  PreviewWarning,
  PreviewWarnings,
  TrailPreview,
} from './preview/contract.ts';
export type { QueryAnswer, QueryInput } from './query/contract.ts';
export { query } from './query/operation.ts';
export type { RevertAnswer, RevertInput } from './revert/contract.ts';
export { revert } from './revert/operation.ts';
// Keeping a vault level with a git remote.
export { type SyncAnswer, syncOutput } from './sync/answer.ts';
export type {
  SyncChoice,
  SyncHealth,
  SyncMode,
  SyncProblem,
  SyncReport,
  SyncWish,
  VaultSync,
} from './sync/contract.ts';
export { type SyncInput, syncAnswer, syncVault } from './sync/operation.ts';
export { keepToken } from './sync/stored-choice.ts';
export type { TrashAnswer, TrashInput } from './trash/contract.ts';
export { trash } from './trash/operation.ts';
export { presentTrash } from './trash/present.ts';
export { type ChangeToUndo, undoChange } from './undo-change/undo-change.ts';
export {
  type HealthAnswer,
  type HistoryAnswer,
  MODES,
  type StatusAnswer,
  type VaultStatusInput,
} from './vault-status/contract.ts';
export { type VaultFigures, vaultFigures } from './vault-status/figures.ts';
export { healthOf, vaultStatus } from './vault-status/operation.ts';
export { locateVault, type VaultLocation } from './workspace/locate-vault.ts';
export { openOwnedVault } from './workspace/open-owned-vault.ts';
export type {
  Access,
  OpenedVault,
  OpenOwnedVaultOptions,
  OpenProgress,
  OwnedWrites,
} from './workspace/opened-vault.ts';
export { ownVault } from './workspace/own-vault.ts';
// A property as it is typed.
export { propertyValue } from './write-note/frontmatter-text.ts';
export { writeNote } from './write-note/operation.ts';
export type { WriteNoteAnswer, WriteNoteItem } from './write-note/output.ts';
export type { WriteNoteInput } from './write-note/parse.ts';
