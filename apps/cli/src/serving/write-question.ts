import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultState } from '@grove/vault';
import type { CommonOptions, Run } from '../run.ts';
import { askLine, isYes } from '../terminal/ask-line.ts';
import { withoutControls } from '../terminal/print.ts';

/** What the owner decided on writing, by slug; a vault that is not in it stays as it is. */
export type WriteAnswers = ReadonlyMap<string, boolean>;

/**
 * Whether clients may change notes in each of the vaults: yes with `--writes`, else what the owner answers at a
 * terminal. Nobody is asked without a terminal, with `--json`, or about a vault for which it was decided before.
 */
export async function askForWrites(
  run: Run,
  options: CommonOptions & { readonly writes?: boolean },
  vaults: readonly VaultState[],
): Promise<WriteAnswers> {
  if (options.writes === true) return new Map(vaults.map(({ slug }) => [slug, true]));
  if (!run.stdin.isTTY || options.json === true) return new Map();
  const answers = new Map<string, boolean>();
  for (const vault of vaults) {
    if (wasDecided(vault)) continue;
    const said = await askLine(run, `May clients change notes in ${withoutControls(vault.slug)}? [y/N] `);
    if (said === null) break;
    answers.set(vault.slug, isYes(said));
  }
  return answers;
}

/** The state of the switch is kept from the first time that it was set. */
function wasDecided({ stateDir }: VaultState): boolean {
  return existsSync(join(stateDir, 'writes.json'));
}
