import { lower, pathPattern } from './path-pattern.ts';

/** One pattern of .gitignore or .gitattributes, for paths below the folder that its file lies in. */
export interface RulePattern {
  /** It ends in `/`: folders alone. */
  readonly foldersOnly: boolean;
  /** `path` is relative to the pattern's folder; all text is bytes as Latin-1. */
  matches(path: string): boolean;
}

const GLOB = /[*?[\\]/;

/** Compiles a pattern that holds no `!` in front any more (gitignore, "PATTERN FORMAT"). */
export function rulePattern(source: string, foldCase: boolean): RulePattern {
  const foldersOnly = source.endsWith('/');
  const pattern = foldersOnly ? source.slice(0, -1) : source;
  const fold = foldCase ? lower : (text: string) => text;
  if (!pattern.includes('/')) {
    const glob = pathPattern(pattern, { foldCase, acrossFolders: true });
    const plain = GLOB.test(pattern) ? null : fold(pattern);
    const matches = (path: string) => {
      const name = path.slice(path.lastIndexOf('/') + 1);
      return plain === null ? glob(name) : fold(name) === plain;
    };
    return { foldersOnly, matches };
  }
  const rooted = pattern.startsWith('/') ? pattern.slice(1) : pattern;
  // As in git, what stands before the first wildcard is compared by itself, and "**" right behind it counts
  // as if it stood at the start.
  const literal = rooted.slice(0, rooted.search(GLOB) < 0 ? rooted.length : rooted.search(GLOB));
  const rest = rooted.slice(literal.length);
  const glob = pathPattern(rest, { foldCase, acrossFolders: false });
  const start = fold(literal);
  return {
    foldersOnly,
    matches: (path) => fold(path.slice(0, literal.length)) === start && glob(path.slice(literal.length)),
  };
}
