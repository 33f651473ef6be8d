const CHOICE = /\{([^{}]*,[^{}]*)\}/;
// `**` beside other characters of a segment: it may end here or go on in segments below.
const INNER_STARS = /(?<=[^/*])\*{2,}|\*{2,}(?=[^/*])/;

/**
 * The globs that together mean one with `{a,b}` (either) and with `**` inside a segment (any characters, `/` too):
 * each of them holds neither. Null when there would be more than `most`.
 *
 * @example expandChoices('{a,b}/x**', 10) // ['a/x*', 'a/x*\/**\/*', 'b/x*', 'b/x*\/**\/*']
 */
export function expandChoices(glob: string, most: number): readonly string[] | null {
  const finished: string[] = [];
  const open = [glob];
  while (open.length > 0) {
    if (open.length + finished.length > most) return null;
    const next = open.pop()!;
    const found = CHOICE.exec(next) ?? INNER_STARS.exec(next);
    if (found === null) {
      finished.push(next);
      continue;
    }
    const choices = found[1] === undefined ? ['*', '*/**/*'] : found[1].split(',');
    const [before, after] = [next.slice(0, found.index), next.slice(found.index + found[0].length)];
    open.push(...choices.map((choice) => before + choice + after).reverse());
  }
  return finished;
}
