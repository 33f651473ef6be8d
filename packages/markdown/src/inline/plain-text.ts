const WIKILINK = /!?\[\[([^\]|]*)(?:\|([^\]]*))?\]\]/g;
const LINK = /!?\[([^[\]]*)\](?:\([^()]*\)|\[[^[\]]*\])/g;
// Paired marks only, so that `a * b` and `snake_case` keep theirs.
const MARKS: readonly (readonly [mark: string, pair: RegExp])[] = [
  ['`', /(`+)(.+?)\1/g],
  ['*', /(\*\*\*|\*\*|\*)(?=\S)(.+?)(?<=\S)\1/g],
  ['_', /(?<![\p{L}\p{N}])(___|__|_)(?=\S)(.+?)(?<=\S)\1(?![\p{L}\p{N}])/gu],
  ['~', /(~~)(?=\S)(.+?)(?<=\S)\1/g],
  ['=', /(==)(?=\S)(.+?)(?<=\S)\1/g],
];
const ESCAPE = /\\([!-/:-@[-`{-~])/g;
const LONGEST = 300;

/**
 * A line as its reader sees it: emphasis, code marks, link syntax and backslash escapes dropped. For short
 * texts that a person typed (a heading to look for, a label); those over 300 characters are left as they
 * are, for the work grows with the square of the length.
 *
 * @example plainText('**Bold** [[Note|words]]') // 'Bold words'
 */
export function plainText(line: string): string {
  if (line.length > LONGEST || !/[`*_~=[\\]/.test(line)) return line;
  let text = line;
  if (text.includes('[')) {
    text = text.replace(WIKILINK, (_, target: string, label: string | undefined) => label ?? target);
    text = text.replace(LINK, '$1');
  }
  for (const [mark, pair] of MARKS) if (text.includes(mark)) text = text.replace(pair, '$2');
  return text.includes('\\') ? text.replace(ESCAPE, '$1') : text;
}
