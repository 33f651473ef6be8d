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
export type { Commit, Signature } from './objects/commit.ts';
export { trailers } from './objects/commit.ts';
export type { TreeEntry } from './objects/tree.ts';
export { initGitDir } from './repository/initialise.ts';
export { locateGitDir } from './repository/locate.ts';
export type { GitLocation } from './repository/location.ts';
export type { Head } from './repository/refs.ts';
export type { LogChange, LogEntry, LogOptions, LogPage } from './times/log.ts';
