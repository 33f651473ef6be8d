import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline/promises';
import type { VaultState } from '@grove/vault';
import type { CommonOptions, Run } from '../run.ts';
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
    const said = await ask(run, `May clients change notes in ${withoutControls(vault.slug)}? [y/N] `);
    if (said === null) break;
    answers.set(vault.slug, /^\s*(?:y|yes)\s*$/i.test(said));
  }
  return answers;
}

/** The state of the switch is kept from the first time that it was set. */
function wasDecided({ stateDir }: VaultState): boolean {
  return existsSync(join(stateDir, 'writes.json'));
}

/** Null when the input ended, or the process was asked to stop. */
async function ask({ stdin, stderr, stop }: Run, question: string): Promise<string | null> {
  const lines = createInterface({ input: stdin, output: stderr });
  const ended = new AbortController();
  lines.once('close', () => ended.abort());
  lines.once('SIGINT', () => lines.close());
  try {
    return await lines.question(question, { signal: AbortSignal.any([stop, ended.signal]) });
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return null;
    throw error;
  } finally {
    lines.close();
  }
}
