// Parsed paths: every path that comes from outside becomes one of these types or an error.

// Errors: one type, one catalogue.
export { CATALOGUE, type ErrorCode } from './catalogue/catalogue.ts';
export type { CatalogueEntry } from './catalogue/entry.ts';
// Hashes, time, identifiers.
export { type Clock, systemClock } from './clock.ts';
export { type ErrorData, errorCode, GroveError, isGroveError } from './errors.ts';
// Two spellings of one text.
export { coversTag, foldCase, foldTag, foldTitle } from './folding.ts';
export { graphemes } from './graphemes.ts';
export { blobId, contentHash } from './hashes.ts';
export { randomId } from './ids.ts';
// Long work beside the event loop.
export { InTurn } from './in-turn.ts';
export { keepCopy } from './keep-copy.ts';
export { readKeyFile } from './key-file.ts';
// How alike two texts are spelt.
export { likeness, runsOf } from './likeness.ts';
// What the system refuses.
export { hasNoLinks } from './links.ts';
export { nearest } from './nearest.ts';
export { outOfFiles } from './open-files.ts';
export { Slices } from './slices.ts';
export { inTransaction, isSqliteDamage, SQLITE, Statements, sqliteCode } from './sqlite.ts';
// Text.
export { stripEnd } from './strip-end.ts';
// What outlasts a power loss.
export { syncFolder, syncFolderNow } from './sync-folder.ts';
// Processes of one's own.
export { USE_COMPILED } from './use-compiled.ts';
export {
  acceptDiskPath,
  encodePath,
  type FolderPath,
  folderOf,
  isWindowsDevice,
  isWithin,
  noteName,
  parseFolderPath,
  parseVaultPath,
  type VaultPath,
} from './vault-path.ts';
export { writeDurably } from './write-durably.ts';
// The few calls that change something on disk.
export { diskWriteFs, type WriteFs, type WriteHandle } from './write-fs.ts';
