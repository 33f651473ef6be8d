/** What a glob may hold beside `*` and `**`. */
export interface GlobOptions {
  /** `?` is any one character of a segment; without it, `?` means itself. */
  readonly questionMarks?: boolean;
}

/**
 * Compiles a glob in which only `*` (any characters of one segment) and `**` as a whole segment (any number
 * of segments, also none) are special, and `?` where the options say so. Matching takes at most pattern length
 * times path length: a regular expression made from many stars could take practically for ever on one path.
 */
export function compileGlob(glob: string, options: GlobOptions = {}): (path: string) => boolean {
  const pattern = glob
    .split('/')
    .map((segment) =>
      options.questionMarks === true && segment.includes('?')
        ? compileCharacters(segment)
        : compileSegment(segment),
    );
  return (path) => fits(pattern, path.split('/'));
}

function compileCharacters(segment: string): Matcher<string> {
  const pattern = Array.from(segment, (wanted): Matcher<string> => {
    if (wanted === '*') return ANY;
    return wanted === '?' ? () => true : (character) => character === wanted;
  });
  return (name) => fits(pattern, [...name]);
}

function compileSegment(segment: string): Matcher<string> {
  if (segment === '**') return ANY;
  const parts = segment.split(/\*+/);
  const first = parts[0]!;
  const last = parts.at(-1)!;
  if (parts.length === 1) return (name) => name === first;
  const between = parts.slice(1, -1);
  return (name) => {
    if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last))
      return false;
    let at = first.length;
    // Each part as early as it fits: what a later place would allow, the earliest one allows too.
    for (const part of between) {
      const found = name.indexOf(part, at);
      if (found < 0) return false;
      at = found + part.length;
    }
    return at <= name.length - last.length;
  };
}

const ANY = Symbol('any number of them');

type Matcher<T> = typeof ANY | ((item: T) => boolean);

/** Greedy matching with one step back per star: the last star alone ever needs to take more. */
function fits<T>(pattern: readonly Matcher<T>[], items: readonly T[]): boolean {
  let at = 0;
  let next = 0;
  let star = -1;
  let taken = 0;
  while (at < items.length) {
    const matcher = pattern[next];
    if (matcher === ANY) {
      star = next++;
      taken = at;
    } else if (matcher?.(items[at]!)) {
      next += 1;
      at += 1;
    } else if (star >= 0) {
      next = star + 1;
      at = ++taken;
    } else {
      return false;
    }
  }
  while (pattern[next] === ANY) next += 1;
  return next === pattern.length;
}
