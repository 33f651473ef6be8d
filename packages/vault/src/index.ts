// A folder of Markdown notes, open: what is in it, and what one caller may see of it.

// What a note is judged by before it is written.
export { isConflictCopy, withoutCopyMark } from './catalog/conflict-copy.ts';
export { judgedNote } from './catalog/read-note.ts';
// Reading one file so that no link leads out of the vault.
export { isAt, openPlain, readWhole } from './disk/plain-file.ts';
// What the notes of a vault have in common, and the file that makes it a rule.
export type { FieldHabit, Habits, JournalHabit, TypeHabit } from './habits/habits.ts';
export { proposeVaultFile } from './habits/propose-vault-file.ts';
export { readHabits } from './habits/read-habits.ts';
// Names of notes in a text, and links to them.
export type { Mention } from './links/find-mentions.ts';
export { linkTo, relativePath } from './links/link-to.ts';
export { type PossibleLink, possibleLinks } from './links/possible-links.ts';
// Contracts.
export type * from './note-row.ts';
// Opening.
export { type OpenVaultOptions, openVault } from './open-vault.ts';
// The right to be the only process of a vault.
export {
  acquireOwnership,
  type Owner,
  type Ownership,
  type OwnershipRequest,
  readOwner,
} from './ownership/ownership.ts';
// The owner's rules for notes.
export { FIELD_KINDS, type FieldKind, fitsKind, isEmptyValue } from './settings/field-kinds.ts';
export { type GardenSettings, PLAIN_GARDEN, type StageThresholds } from './settings/garden.ts';
export type { OwnersWord } from './settings/live-settings.ts';
export { type FieldRule, NO_RULES, type NoteTypeRule, type VaultSchema } from './settings/note-types.ts';
export type { DeletePolicy, DiscoverySetting } from './settings/settings.ts';
export { readVaultFile, VAULT_FILE, type VaultFileReading } from './settings/vault-file.ts';
// Where a vault's own state lies.
export { locateState, type VaultState } from './state/locate-state.ts';
export { tieVault } from './state/tie-vault.ts';
export type * from './times.ts';
export { noGitTimes } from './times.ts';
export type * from './vault.ts';
export type * from './view.ts';
// Globs over paths.
export { compileGlob, type GlobOptions } from './views/glob.ts';
export { expandChoices } from './views/glob-choices.ts';
// Path policy.
export { allowAll, parsePathRule, readableBy } from './views/path-rule.ts';
