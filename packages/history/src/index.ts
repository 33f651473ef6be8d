// Where a folder's history lies, and how a folder without one gets it.

// The first history of a new repository, and the sample vault made by it.
export { type ImportedCommit, importHistory } from './first-history/import-history.ts';
export { installSampleVault } from './first-history/sample-vault.ts';
export { type GitStore, type GitStoreOptions, openGitStore } from './git-store.ts';
// Times and log of the notes, from a derived index.
export {
  type History,
  type HistoryOptions,
  type HistoryProgress,
  type HistoryStatus,
  openHistory,
} from './history.ts';
// The size of the git dir.
export { type GitDirState, readGitDirState } from './maintenance/git-dir-state.ts';
export { type PackingOptions, type PackingOutcome, packObjects } from './maintenance/pack-objects.ts';
// What a merge is made of.
export { mergeBases } from './merging/merge-base.ts';
export {
  type Checkout,
  type ComingRules,
  checkedOut,
  type Merging,
} from './merging/merging.ts';
export { type TheirChange, type TreeLeaf, theirChanges } from './merging/their-changes.ts';
export type { Commit, Signature } from './objects/commit.ts';
export { trailers } from './objects/commit.ts';
export { EMPTY_TREE } from './objects/git-object.ts';
export type { TreeEntry } from './objects/tree.ts';
// The other end of sync.
export { cloneRemote } from './remote/clone-remote.ts';
export { fetchRemote, pushRemote } from './remote/remote.ts';
export { parseRemoteAddress, shownAddress } from './remote/remote-address.ts';
export { remotePushUrl, remoteUrl, setRemote } from './remote/remote-config.ts';
export type { CloneOptions, RemoteCall, RemoteOptions, RemoteProgress } from './remote/remote-options.ts';
export { adoptGitDir } from './repository/adopt-git-dir.ts';
export { initGitDir } from './repository/initialise.ts';
export { locateGitDir } from './repository/locate.ts';
export type { GitLocation } from './repository/location.ts';
export type { Head } from './repository/refs.ts';
// Notes of a history that Grove keeps, written into a folder again.
export { restoreNotes } from './restoring/restore-notes.ts';
export type { LogChange, LogEntry, LogOptions, LogPage } from './times/log.ts';
export type { MadeCommit } from './times/made-commit.ts';
export type { WalkEntry, WalkOptions, WalkPosition } from './times/walk.ts';
// The git half of a write.
export { GitWriter, type GitWriterOptions, openGitWriter, type WritableHead } from './writing/git-writer.ts';
export type { IndexLock } from './writing/index-file/index-lock.ts';
export { type IndexChange, type IndexStat, UNKNOWN_STAT } from './writing/index-file/index-stat.ts';
export { releaseOwnLock } from './writing/locks/release-own-lock.ts';
export type {
  BuiltChange,
  BuiltCommit,
  CommitChange,
  CommitRequest,
} from './writing/objects/build-commit.ts';
export type { RefMove } from './writing/refs/move-ref.ts';
export { exactPattern, excludeWith } from './writing/rules/exclude-file.ts';
export { EXCLUDE_FILE, type PathRules } from './writing/rules/path-rules.ts';
export { NO_USER_SETTINGS, type UserSettings, userSettings } from './writing/rules/user-settings.ts';
