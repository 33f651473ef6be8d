import {
  type PreviewAnswer,
  previewAnswer,
  previewOwner,
  type TrailRuleTexts,
  trailRulesOf,
} from '@grove/server';
import { throughOwner } from '../calls/call-vault.ts';
import type { CommonOptions, Run } from '../run.ts';
import { verbLog } from '../terminal/run-log.ts';
import { occupancyOptions, vaultOf } from '../vaults/vault-of-run.ts';

/**
 * Judges the rules of a trail by the vault of this run, and previews it: in the process that owns the vault when there
 * is one, else here.
 *
 * @param note any name of a note; null for none
 * @throws GroveError `bad_rule`, `note_not_found`, `note_ambiguous`
 */
export async function previewOfRun(
  run: Run,
  options: CommonOptions,
  rules: TrailRuleTexts,
  note: string | null = null,
): Promise<PreviewAnswer> {
  const vault = await vaultOf(run, options);
  return await throughOwner(
    occupancyOptions(run, options, vault, 'cli', verbLog(run)),
    async (opened) => {
      await opened.ready;
      return await previewAnswer(opened, trailRulesOf(opened, rules), note);
    },
    (address) => previewOwner(address, rules, note),
  );
}
