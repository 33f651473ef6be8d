type Accepts = (code: number) => boolean;

const isUpper = (code: number): boolean => code >= 0x41 && code <= 0x5a;
const isLower = (code: number): boolean => code >= 0x61 && code <= 0x7a;
const isDigit = (code: number): boolean => code >= 0x30 && code <= 0x39;
const isPrint = (code: number): boolean => code >= 0x20 && code <= 0x7e;
const isAlnum = (code: number): boolean => isUpper(code) || isLower(code) || isDigit(code);

/** POSIX classes, of ASCII alone as in git. */
const NAMED: Readonly<Record<string, Accepts>> = {
  alnum: isAlnum,
  alpha: (code) => isUpper(code) || isLower(code),
  blank: (code) => code === 0x20 || code === 0x09,
  cntrl: (code) => code < 0x20 || code === 0x7f,
  digit: isDigit,
  graph: (code) => isPrint(code) && code !== 0x20,
  lower: isLower,
  print: isPrint,
  punct: (code) => isPrint(code) && code !== 0x20 && !isAlnum(code),
  space: (code) => code === 0x20 || (code >= 0x09 && code <= 0x0d),
  upper: isUpper,
  xdigit: (code) => isDigit(code) || (code >= 0x41 && code <= 0x46) || (code >= 0x61 && code <= 0x66),
};

/**
 * Reads a class such as `a-z]` or `![:digit:]_]` from behind its opening bracket. Null when it is not well
 * formed. With `foldCase` the text is in lower case; ranges and `[:upper:]` then count for both cases, single
 * characters as they stand (git's wildmatch does no more).
 */
export function characterClass(
  pattern: string,
  from: number,
  foldCase: boolean,
): { readonly accepts: Accepts; readonly end: number } | null {
  let at = from;
  const negated = pattern[at] === '!' || pattern[at] === '^';
  if (negated) at++;
  const tests: Accepts[] = [];
  let previous: number | null = null;
  // A bracket that closes at once stands for itself.
  for (let first = true; first || pattern[at] !== ']'; first = false) {
    const char = pattern[at];
    if (char === undefined) return null;
    if (char === '-' && previous !== null && pattern[at + 1] !== undefined && pattern[at + 1] !== ']') {
      at++;
      if (pattern[at] === '\\') at++;
      if (at >= pattern.length) return null;
      tests.push(range(previous, pattern.charCodeAt(at), foldCase));
      previous = null;
    } else if (char === '[' && pattern[at + 1] === ':') {
      const close = pattern.indexOf(']', at + 2);
      if (close < 0) return null;
      if (close > at + 2 && pattern[close - 1] === ':') {
        const name = pattern.slice(at + 2, close - 1);
        const accepts = NAMED[foldCase && name === 'upper' ? 'alpha' : name];
        if (accepts === undefined) return null;
        tests.push(accepts);
        at = close;
        previous = null;
      } else {
        tests.push((code) => code === 0x5b);
        previous = 0x5b;
      }
    } else {
      if (char === '\\') at++;
      if (at >= pattern.length) return null;
      const single = pattern.charCodeAt(at);
      tests.push((code) => code === single);
      previous = single;
    }
    at++;
  }
  return { accepts: (code) => tests.some((test) => test(code)) !== negated, end: at + 1 };
}

function range(low: number, high: number, foldCase: boolean): Accepts {
  const within: Accepts = (code) => code >= low && code <= high;
  return foldCase ? (code) => within(code) || (isLower(code) && within(code - 0x20)) : within;
}
