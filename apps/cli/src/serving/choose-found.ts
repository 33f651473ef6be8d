import { GroveError } from '@grove/core';
import type { CommonOptions, Run } from '../run.ts';
import { askLine } from '../terminal/ask-line.ts';
import { findVaultsOfRun } from '../vaults/finding/find-verb.ts';
import { vaultWords } from '../vaults/finding/vault-words.ts';

/**
 * Offers the folders of notes on this machine at a terminal. The sample vault is the last choice, and that of an empty
 * line.
 *
 * @returns the folder; null for the sample, and where nobody can be asked or nothing was found
 * @throws GroveError `vault_none` when the input ends instead
 */
export async function chooseFound(run: Run, options: CommonOptions): Promise<string | null> {
  if (!run.stdin.isTTY || options.json === true) return null;
  const { vaults } = await findVaultsOfRun(run, options);
  if (vaults.length === 0) return null;
  const choices = [...vaults.map(vaultWords), 'a small sample vault'];
  const menu = choices.map((choice, at) => `${String(at + 1).padStart(4)}  ${choice}`).join('\n');
  run.stderr.write(`Notes on this machine:\n${menu}\n`);
  for (;;) {
    const line = await askLine(run, `Which one shall Grove open? [1-${choices.length}] `);
    if (line === null) throw new GroveError('vault_none');
    const at = line.trim() === '' ? choices.length : Number(line);
    if (Number.isInteger(at) && at >= 1 && at <= choices.length) return vaults[at - 1]?.path ?? null;
  }
}
