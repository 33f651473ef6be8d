import { withoutMark } from './ignore-rules.ts';
import { type RulePattern, rulePattern } from './rule-pattern.ts';

/** An attribute's state: set, unset by `-name`, or a value. What is unspecified is absent. */
export type AttributeValue = true | false | string;

/** `null` is `!name`: unspecified, whatever weaker lines say. */
type Assignment = readonly [name: string, value: AttributeValue | null];

interface AttributeLine {
  /** Null for a macro. */
  readonly pattern: RulePattern | null;
  readonly macro: string | null;
  readonly assignments: readonly Assignment[];
}

/** The lines of one .gitattributes file, the strongest last. */
export interface AttributesFile {
  readonly lines: readonly AttributeLine[];
}

/** An attributes file and the folder that its patterns start from; `''` is the top. */
export interface PlacedAttributesFile {
  readonly file: AttributesFile;
  readonly folder: string;
  /** Macros may be defined in it: not in files of folders below the top. */
  readonly macros: boolean;
}

// git passes over longer lines since 2.38.1.
const MAX_LINE = 2048;
const NAME = /^[A-Za-z0-9_.][A-Za-z0-9_.-]*$/;

/** Parses the text of an attributes file, bytes as Latin-1 (gitattributes, "DESCRIPTION"). */
export function parseAttributesFile(text: string, foldCase: boolean): AttributesFile {
  const lines: AttributeLine[] = [];
  for (const raw of withoutMark(text).split('\n')) {
    const line = raw.replace(/^[ \t\r]+/, '');
    if (line === '' || line.startsWith('#') || raw.length >= MAX_LINE) continue;
    const { name, rest } = firstWord(line);
    const values = assignments(rest);
    if (values === null) continue;
    const macro = /^\[attr\](.+)$/s.exec(name)?.[1];
    if (macro !== undefined) {
      if (NAME.test(macro)) lines.push({ pattern: null, macro, assignments: values });
    } else if (!name.startsWith('!')) {
      lines.push({ pattern: rulePattern(name, foldCase), macro: null, assignments: values });
    }
  }
  return { lines };
}

/**
 * The attributes of a file (gitattributes): for each the strongest line that speaks of it. `files` are
 * ordered from the weakest: the machine's, the user's, the top folder's to the file's own, `info/attributes`.
 *
 * @returns attributes by name; those that are unspecified are absent
 */
export function attributesOf(
  path: string,
  files: readonly PlacedAttributesFile[],
): ReadonlyMap<string, AttributeValue> {
  const macros = new Map<string, readonly Assignment[]>([
    [
      'binary',
      [
        ['diff', false],
        ['merge', false],
        ['text', false],
      ],
    ],
  ]);
  for (const { file, macros: allowed } of files) {
    if (!allowed) continue;
    for (const { macro, assignments: values } of file.lines) if (macro !== null) macros.set(macro, values);
  }
  const decided = new Map<string, AttributeValue | null>();
  const assign = (values: readonly Assignment[]) => {
    for (const [name, value] of values.toReversed()) {
      if (decided.has(name)) continue;
      decided.set(name, value);
      if (value === true) assign(macros.get(name) ?? []);
    }
  };
  for (const { file, folder } of files.toReversed()) {
    const inside = folder === '' ? path : path.slice(folder.length + 1);
    for (const { pattern, assignments: values } of file.lines.toReversed()) {
      if (pattern !== null && !pattern.foldersOnly && pattern.matches(inside)) assign(values);
    }
  }
  return new Map([...decided].filter((entry): entry is [string, AttributeValue] => entry[1] !== null));
}

/** Null when one name is none that git allows: it takes the whole line with it, a macro's definition too. */
function assignments(text: string): Assignment[] | null {
  const values: Assignment[] = [];
  for (const word of text.split(/[ \t\r]+/)) {
    if (word === '') continue;
    const sign = /^[-!]/.exec(word)?.[0] ?? '';
    const body = word.slice(sign.length);
    const equals = body.indexOf('=');
    const name = equals < 0 ? body : body.slice(0, equals);
    if (!NAME.test(name)) return null;
    if (sign === '-') values.push([name, false]);
    else if (sign === '!') values.push([name, null]);
    else values.push([name, equals < 0 ? true : body.slice(equals + 1)]);
  }
  return values;
}

/** The pattern of a line, which may be quoted as in C, and what follows it. */
function firstWord(line: string): { name: string; rest: string } {
  const quoted = line.startsWith('"') ? unquote(line) : null;
  if (quoted !== null) return quoted;
  const end = line.search(/[ \t\r]/);
  return end < 0 ? { name: line, rest: '' } : { name: line.slice(0, end), rest: line.slice(end) };
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
};

function unquote(line: string): { name: string; rest: string } | null {
  let name = '';
  for (let at = 1; at < line.length; at++) {
    const char = line[at]!;
    if (char === '"') return { name, rest: line.slice(at + 1) };
    if (char !== '\\') {
      name += char;
      continue;
    }
    const octal = /^[0-3][0-7]{2}/.exec(line.slice(at + 1, at + 4))?.[0];
    const plain = ESCAPES[line[at + 1] ?? ''];
    if (octal === undefined && plain === undefined) return null;
    name += plain ?? String.fromCharCode(Number.parseInt(octal!, 8));
    at += octal === undefined ? 1 : 3;
  }
  return null;
}
