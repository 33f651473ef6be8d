import { visible } from '../../terminal/print.ts';
import type { FoundVault } from './find-vaults.ts';
import type { VaultKind } from './finding.ts';

const KINDS: Readonly<Record<VaultKind, string>> = {
  obsidian: 'Obsidian',
  logseq: 'Logseq',
  openclaw: 'OpenClaw',
};

/** A vault in a line. @example vaultWords(found) // '/home/ann/Notes (Obsidian, 1,204 notes, git)' */
export function vaultWords({ path, kind, notes, counted, git, known }: FoundVault): string {
  const count = `${counted ? '' : 'more than '}${notes.toLocaleString('en')} ${notes === 1 ? 'note' : 'notes'}`;
  const facts = [
    KINDS[kind],
    count,
    ...(git ? ['git'] : []),
    ...(known === null ? [] : [`known as ${known}`]),
  ];
  return visible(`${path} (${facts.join(', ')})`);
}
