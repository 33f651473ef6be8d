import type { JudgedNote } from '@grove/vault';
import type { TrailRules } from '../rules/trail-rules.ts';
import { compileRules, type Obstacle } from './compile.ts';

/** Whether a trail shows a note, and why, as a sentence for the owner. */
export interface Verdict {
  readonly visible: boolean;
  readonly reason: string;
}

/**
 * Why a note is in a trail or is not. For the owner's preview; a View is judged by the same rules.
 *
 * @example judge(parseTrailRules({ denyPaths: ['Private'] }), row).reason // 'It lies in "Private", which is denied.'
 */
export function judge(rules: TrailRules, note: JudgedNote): Verdict {
  const { obstacleInPath, obstacleInNote } = compileRules(rules);
  const obstacle = obstacleInPath(note.path) ?? obstacleInNote(note);
  if (obstacle !== null) return { visible: false, reason: hiddenBecause(obstacle, rules) };
  return { visible: true, reason: shownBecause(rules) };
}

function hiddenBecause({ kind, rule }: Obstacle, rules: TrailRules): string {
  switch (kind) {
    case 'private':
      return 'Its frontmatter says "private", which no trail shows.';
    case 'unreadable_frontmatter':
      return 'Its frontmatter cannot be read, so that nobody knows what it says.';
    case 'conflict_copy':
      return 'It is a copy that a sync tool left of another note.';
    case 'denied_path':
      return `It lies in "${rule}", which is denied.`;
    case 'denied_tag':
      return `It has the tag "${rule}", or one nested in it, which is denied.`;
    case 'denied_type':
      return `It is of the type "${rule}", which is denied.`;
    case 'no_allowed_path':
      return `It lies in none of the paths that are allowed: ${quoted(rules.allowPaths)}.`;
    case 'no_allowed_tag':
      return `It has none of the tags that are allowed: ${quoted(rules.allowTags)}.`;
    case 'no_allowed_type':
      return `It is of none of the types that are allowed: ${quoted(rules.allowTypes)}.`;
  }
}

function shownBecause({ allowPaths, allowTags, allowTypes }: TrailRules): string {
  const fits = [
    ...(allowPaths.length === 0 ? [] : ['paths']),
    ...(allowTags.length === 0 ? [] : ['tags']),
    ...(allowTypes.length === 0 ? [] : ['types']),
  ];
  if (fits.length === 0) return 'Nothing denies it.';
  return `It fits the ${fits.join(', the ')} that are allowed, and nothing denies it.`;
}

function quoted(list: readonly string[]): string {
  const shown = list.slice(0, 10).map((item) => `"${item}"`);
  return [...shown, ...(list.length > 10 ? ['…'] : [])].join(', ');
}
