import { foldCase, foldTag } from '@grove/core';
import type { ViewRules } from '@grove/vault';
import type { TrailRules } from '../rules/trail-rules.ts';
import { compileRules } from './compile.ts';

/**
 * What a View of a trail is compiled from. Beside what the rules say it leaves out notes that say `private` and notes
 * whose frontmatter cannot be read, since nobody knows what that says. Without write folders nothing may be written.
 *
 * @example vault.view(trailViewRules(parseTrailRules({ allowTags: ['garden'] }))).notes()
 */
export function trailViewRules(rules: TrailRules): ViewRules {
  const { readPaths, denyPaths, writePaths, obstacleInNote, admitsType } = compileRules(rules);
  return {
    readPaths,
    denyPaths,
    writePaths,
    readOnly: writePaths.length === 0,
    notes: { source: canonical(rules), admits: (note) => obstacleInNote(note) === null, admitsType },
  };
}

/** Equal for rules that mean the same; the paths are in the fingerprint by themselves. */
function canonical({ allowTags, denyTags, allowTypes, denyTypes }: TrailRules): string {
  const sorted = (list: readonly string[], fold: (text: string) => string): string[] =>
    [...new Set(list.map(fold))].sort();
  return JSON.stringify([
    'trail',
    sorted(allowTags, foldTag),
    sorted(denyTags, foldTag),
    sorted(allowTypes, foldCase),
    sorted(denyTypes, foldCase),
  ]);
}
