import type { OpenedVault } from '@grove/service';
import { parseTrailRules, type TrailRules } from '@grove/trails';
import * as z from 'zod';

const list = z.array(z.string()).readonly();

/** The rules of a trail as text, on their way from another process. */
export const TRAIL_RULE_TEXTS = z.object({
  allowTags: list,
  denyTags: list,
  allowTypes: list,
  denyTypes: list,
  allowPaths: list,
  denyPaths: list,
  writeFolders: list,
});

/** The rules of a trail as text. */
export type TrailRuleTexts = z.infer<typeof TRAIL_RULE_TEXTS>;

/**
 * Parses the rules of a trail of this vault, whose types they may name and no others.
 *
 * @throws GroveError `bad_rule`
 */
export function trailRulesOf(opened: Pick<OpenedVault, 'noteTypes'>, texts: TrailRuleTexts): TrailRules {
  return parseTrailRules(texts, { types: opened.noteTypes() });
}
