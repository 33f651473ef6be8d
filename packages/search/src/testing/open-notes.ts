import { noGitTimes, openVault, type Vault } from '@grove/vault';

/** Opens the notes of a folder as a vault without git, swept when a test says so. */
export function openNotes(root: string, stateDir: string): Promise<Vault> {
  return openVault({ root, stateDir, slug: 'notes', gitDir: null, times: noGitTimes, poll: 60_000 });
}
