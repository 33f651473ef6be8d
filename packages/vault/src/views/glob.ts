/**
 * Compiles a glob in which only `*` (any characters of one segment) and `**` as a whole segment (any number
 * of segments, also none) are special. Matching takes at most pattern length times path length: a regular
 * expression made from many stars could take practically for ever on one path.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const pattern = glob.split('/').map(compileSegment);
  return (path) => fits(pattern, path.split('/'));
}

function compileSegment(segment: string): Matcher<string> {
  if (segment === '**') return ANY;
  const pattern = segment.split(/(\*+)/).flatMap((part): Matcher<string>[] => {
    return part.startsWith('*') ? [ANY] : [...part].map(sameCharacter);
  });
  return (name) => fits(pattern, [...name]);
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

function sameCharacter(character: string): (other: string) => boolean {
  return (other) => other === character;
}
