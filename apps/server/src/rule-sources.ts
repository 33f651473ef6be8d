import { parsePathRule, type ViewRules } from '@grove/vault';
import * as z from 'zod';

/** What limits a View, as text, on its way from another process. */
export const RULE_SOURCES = z.object({
  readPaths: z.array(z.string()).readonly(),
  writePaths: z.array(z.string()).readonly(),
  denyPaths: z.array(z.string()).readonly(),
  readOnly: z.boolean(),
});

/** What a caller may reach, as text: settings of a process, or the paths of a key. */
export type RuleSources = z.infer<typeof RULE_SOURCES>;

/** No limits beyond the owner's. */
export const NO_LIMITS: RuleSources = { readPaths: [], writePaths: [], denyPaths: [], readOnly: false };

/** Compiles rules that came as text. Throws `bad_rule`. */
export function compileRules(sources: RuleSources): ViewRules {
  return {
    readPaths: sources.readPaths.map(parsePathRule),
    writePaths: sources.writePaths.map(parsePathRule),
    denyPaths: sources.denyPaths.map(parsePathRule),
    readOnly: sources.readOnly,
  };
}

/** The rules to make a scope with: undefined, which is the owner's own View, where there are none. */
export function rulesOrNone(rules: ViewRules): ViewRules | undefined {
  const { readPaths, writePaths, denyPaths, readOnly } = rules;
  const limited = readOnly || readPaths.length + writePaths.length + denyPaths.length > 0;
  return limited ? rules : undefined;
}
